"""One round as pictures: where each tile lies, dominoes in SVG, and a page that steps through it."""
