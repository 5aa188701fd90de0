"""The languages of reports, and the mark by which their pages are known; light to import."""

LANGUAGES = {"en": "English", "fr": "français", "pt": "português"}
GENERATOR = "fives report"
PAGE_MARK = f'<meta name="generator" content="{GENERATOR}">'
