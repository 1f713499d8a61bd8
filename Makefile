# Every target sets up what it needs in .venv first: Python 3.11 or newer is enough.
# What was installed is remembered (.venv/*.installed) until pyproject.toml changes.

PYTHON ?= python3
WORKERS ?= auto
BIN := .venv/bin

.DEFAULT_GOAL := help
.NOTPARALLEL:
.PHONY: help demo test slow fuzz check page web format bench pages docs clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "make %-8s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

demo: .venv/user.installed ## run the built-in example
	$(BIN)/armdyn demo

test: .venv/test.installed .venv/browser.looked-for ## run the tests, except the slow ones
	$(BIN)/pytest -n $(WORKERS) -m "not slow"

slow: .venv/test.installed ## run all tests, with many more random examples
	HYPOTHESIS_PROFILE=thorough $(BIN)/pytest -n $(WORKERS)

fuzz: .venv/fuzz.installed ## fuzz every reader of files for SECONDS each (60); what breaks one is kept in build/fuzz
	$(BIN)/python tests/hostile/fuzz/run.py $(or $(SECONDS),60)

check: .venv/dev.installed page ## lint, format, types, layers; the studio's page is what its sources give
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/pyright --threads 2 --pythonpath $(BIN)/python
	$(BIN)/lint-imports

page:
	@if command -v npm >/dev/null; then $(MAKE) --no-print-directory page-as-committed; \
	  else echo "no Node is here: the studio's page is not built again and compared with src/armdyn/studio/static"; fi

page-as-committed: web/node_modules/.package-lock.json
	cd web && npm run --silent lint && npm run --silent test && npm run --silent build -- --out ../build/page
	@diff -rq build/page src/armdyn/studio/static \
	  || { echo "src/armdyn/studio/static is not what web/ gives; run make web and commit it"; exit 1; }

web: web/node_modules/.package-lock.json ## lint, test and build the studio's page into src/armdyn/studio/static (needs Node)
	cd web && npm run --silent lint && npm run --silent test && npm run --silent build

web/node_modules/.package-lock.json: web/package.json web/package-lock.json
	cd web && npm install --no-save --silent # not ci: it wants optional binaries of other systems in the lock file
	@touch $@

format: .venv/dev.installed ## mend what can be mended by machine
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

bench: .venv/bench.installed ## measure; results go to benchmarks/results
	$(BIN)/python benchmarks/run.py

pages: .venv/docs.installed ## write the pages of docs/ that are computed
	$(BIN)/python docs/generators

docs: .venv/docs.installed ## build site/; a warning or an asset from another host is an error
	$(BIN)/sphinx-build --quiet --fail-on-warning --keep-going -d build/doctrees docs site
	@! grep -rnE '<(script|link|img|iframe)[^>]+(src|href)="(https?:)?//' site --include='*.html'
	@echo "docs: site/index.html"

clean: ## remove what was built; delete .venv yourself to start afresh
	rm -rf build dist site .hypothesis .import_linter_cache .pytest_cache .ruff_cache
	find src tests benchmarks -name __pycache__ -type d -exec rm -rf {} +

.venv/bin/pip:
	@$(PYTHON) -c 'import sys; sys.version_info >= (3, 11) or sys.exit(f"armdyn needs Python 3.11 or newer, this is {sys.version}; set PYTHON=")'
	$(PYTHON) -m venv .venv

.venv/user.installed: pyproject.toml | .venv/bin/pip
	@echo "installing armdyn into .venv"
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable .
	@touch $@

.venv/browser.looked-for: | .venv/bin/pip
	@command -v chromium >/dev/null || command -v chromium-browser >/dev/null || command -v google-chrome >/dev/null \
	  || { [ "$$(id -u)" = 0 ] && apt-get update -qq && apt-get install -y -qq chromium >/dev/null; } \
	  || echo "no Chromium is here: tests that need a browser are skipped; install chromium to run them"
	@touch $@

.venv/%.installed: pyproject.toml | .venv/bin/pip
	@echo "installing armdyn[$*] into .venv, this takes a while the first time"
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[$*]'
	@touch $@
