# fives: what to run. Needs python3 (3.11 or newer) and make; all else is set up in .venv.
#
#   make run         a real analysis of all four rule sets
#   make test        the tests
#   make check       style, types, tests          make check-slow  the slow tests too
#   make bench       time, and ratios to last time  make format    format the sources
#   make policy-table  every policy against every other, into docs
#   make lock        renew requirements.lock      make clean       remove what was made
#   make words       bring the message catalogues of the reports up to date

SHELL := /bin/sh
PYTHON ?= python3
# Two workers; a file of the fast tests stays with one, which sets up what its tests share once.
PYTEST_ARGS ?= --numprocesses=2 --dist=loadfile
SLOW_ARGS ?= --numprocesses=2

BIN := .venv/bin
STAMP := .venv/.installed
PIP := $(BIN)/python -m pip --disable-pip-version-check
ROUNDS := 500000
GAMES := 30000

.PHONY: run words test check check-slow bench policy-table format lock clean
.DEFAULT_GOAL := run

# The versions are those of the lock; the build of fives itself uses the pinned setuptools.
$(STAMP): requirements.lock pyproject.toml
	@command -v $(PYTHON) >/dev/null || \
	  { echo "fives needs $(PYTHON), which is not installed: install Python 3.11 or newer."; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "fives needs Python 3.11 or newer, and $(PYTHON) is" \
	  "$$($(PYTHON) -c 'import platform; print(platform.python_version())'):" \
	  "install one and name it, as in: make PYTHON=python3.12"; exit 1; }
	@$(PYTHON) -c 'import venv, ensurepip' 2>/dev/null || \
	  { echo "fives needs Python's venv module, which $(PYTHON) lacks:" \
	  "install it (on Debian and Ubuntu the package python3-venv)."; exit 1; }
	@$(BIN)/python -m pip --version >/dev/null 2>&1 || $(PYTHON) -m venv --clear .venv
	@echo "Installing fives and the pinned versions of requirements.lock into .venv"
	@$(PIP) install --quiet --requirement requirements.lock
	@$(PIP) install --quiet --no-deps --no-build-isolation \
	  --config-settings editable_mode=compat --editable .
	@touch $@

run: $(STAMP)
	@set -e; show() { echo "\$$ fives $$*"; $(BIN)/fives "$$@"; }; \
	show simulate exact61 --players 4 --policy careful --policy greedy --games $(GAMES) --out out/exact61 --force; \
	show simulate allfives --policy defend --policy greedy --games $(GAMES); \
	show simulate partout5 --policy greedy --policy random --rounds $(ROUNDS); \
	show simulate draw --players 3 --policy heavy --rounds $(ROUNDS); \
	show report out/exact61

test: $(STAMP)
	@$(BIN)/python -m pytest $(PYTEST_ARGS)

check: $(STAMP)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/python -m pytest $(PYTEST_ARGS)

words: $(STAMP)
	@$(BIN)/python -m tests.catalogues

check-slow: check
	$(BIN)/python -m pytest $(SLOW_ARGS) -m slow

bench: $(STAMP)
	@$(MAKE) --no-print-directory -C tests/bench
	@$(BIN)/python tests/bench/compare.py
	@$(BIN)/python tests/bench/ratios.py

policy-table: $(STAMP)
	@$(BIN)/python docs/policy_table.py

format: $(STAMP)
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

# uv resolves for every platform and Python at once; it is needed for this alone.
lock:
	@$(BIN)/uv --version >/dev/null 2>&1 || $(PIP) install --quiet uv
	@UV_CUSTOM_COMPILE_COMMAND="make lock" $(BIN)/uv pip compile --quiet --upgrade --universal \
	  --python-version 3.11 --all-extras --no-emit-index-url --no-emit-find-links \
	  --output-file requirements.lock pyproject.toml

clean:
	rm -rf .venv build dist out *.egg-info .cache .hypothesis .mypy_cache .pytest_cache .ruff_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
