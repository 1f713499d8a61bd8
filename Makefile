# Every target sets up what it needs in .venv first: Python 3.11 or newer is enough.
# What was installed is remembered (.venv/*.installed) until pyproject.toml or the lock changes.

PYTHON ?= python3
WORKERS ?= auto
WHEELS ?= --only-binary :all: # nothing is built while installing: what a build fetches has no hash in the lock
UPGRADE ?=
BIN := .venv/bin
unexport PYTHONDONTWRITEBYTECODE # tests start hundreds of processes: without bytecode each compiles all of armdyn again
PIP := $(BIN)/python -m pip --quiet --disable-pip-version-check

.DEFAULT_GOAL := help
.NOTPARALLEL:
.PHONY: help demo test slow fuzz check page page-as-committed web format bench pages docs package lock clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "make %-8s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

demo: .venv/user.installed ## run the built-in example
	$(BIN)/armdyn demo

test: .venv/dev.installed .venv/browser.looked-for ## run the tests, except the slow ones
	$(BIN)/pytest -n $(WORKERS) -m "not slow"

slow: .venv/dev.installed ## run all tests, with many more random examples
	HYPOTHESIS_PROFILE=thorough $(BIN)/pytest -n $(WORKERS)

fuzz: .venv/dev.installed ## fuzz every reader of files for SECONDS each (60); what breaks one is kept in build/fuzz
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
	cd web && npm ci --silent # what package-lock.json says, each package by its hash
	@touch $@

format: .venv/dev.installed ## mend what can be mended by machine
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

bench: .venv/dev.installed ## measure; results go to benchmarks/results
	$(BIN)/python benchmarks/run.py

pages: .venv/dev.installed ## write the pages of docs/ that are computed
	$(BIN)/python docs/generators

docs: .venv/dev.installed ## build site/; a warning or an asset from another host is an error
	@$(BIN)/sphinx-build --quiet --fail-on-warning --keep-going -d build/doctrees docs site \
	  || { echo "docs: sphinx-build left with $$?; mend the warnings above, rm -rf build/doctrees shows all again"; exit 1; }
	@! grep -rnoE '<(script|link|img|iframe)[^>]+(src|href)="(https?:)?//[^"]*' site --include='*.html' \
	  || { echo "docs: the pages above fetch from other hosts; they must work offline"; exit 1; }
	@echo "docs: site/index.html"

package: .venv/dev.installed ## build dist/; the wheel, alone in an environment of its own, runs the demo
	rm -rf dist && $(BIN)/python -m hatchling build
	folder=$$(mktemp -d) && trap 'rm -rf "$$folder"' EXIT && $(PYTHON) -m venv "$$folder/env" \
	  && "$$folder/env/bin/python" -m pip --quiet --disable-pip-version-check install "$$(ls "$$PWD"/dist/*.whl)[studio]" \
	  && cd "$$folder" && env/bin/python -c "import armdyn" && env/bin/armdyn studio --help >/dev/null && env/bin/armdyn demo

lock: .venv/dev.installed ## write requirements/dev.txt anew; UPGRADE=--upgrade takes newer versions where it can
	$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes $(UPGRADE) \
	  --custom-compile-command "make lock" --extra dev --output-file requirements/dev.txt pyproject.toml

clean: ## remove what was built; delete .venv yourself to start afresh
	rm -rf build dist site .hypothesis .import_linter_cache .pytest_cache .ruff_cache
	find src tests benchmarks -name __pycache__ -type d -exec rm -rf {} +

.venv/bin/pip:
	@$(PYTHON) -c 'import sys; sys.version_info >= (3, 11) or sys.exit(f"armdyn needs Python 3.11 or newer, this is {sys.version}; set PYTHON=")'
	$(PYTHON) -m venv .venv

# Users take any version that pyproject.toml allows, on any system: as `pip install .` does.
.venv/user.installed: pyproject.toml | .venv/bin/pip
	@[ .venv/dev.installed -nt pyproject.toml ] \
	  || { echo "installing armdyn into .venv"; $(PIP) install --editable .; }
	@touch $@

# Development and CI take the very files that the lock names, all at once: tests, checks, docs, benchmarks.
# uv, itself by its hash, installs them in seconds; pip, where uv does not reach the packages as pip is set up to.
# Bytecode is made now: sources of others that are compiled within a test would be told off as ours.
LOCKED := install --require-hashes $(WHEELS) --requirement
.venv/dev.installed: pyproject.toml requirements/dev.txt | .venv/bin/pip
	@echo "installing requirements/dev.txt into .venv, this takes a minute the first time"
	@awk '/^uv==/ { uv = 1 } uv { print; if (!/\\$$/) exit }' requirements/dev.txt >.venv/uv.txt
	@$(PIP) $(LOCKED) .venv/uv.txt
	@$(BIN)/uv pip --quiet $(LOCKED) requirements/dev.txt --compile-bytecode --python $(BIN)/python \
	  || { echo "uv cannot; pip does it, this takes minutes"; $(PIP) $(LOCKED) requirements/dev.txt; }
	@$(PIP) install --no-index --no-deps --no-build-isolation --editable .
	@touch $@

.venv/browser.looked-for: | .venv/bin/pip
	@command -v chromium >/dev/null || command -v chromium-browser >/dev/null || command -v google-chrome >/dev/null \
	  || { [ "$$(id -u)" = 0 ] && apt-get update -qq && apt-get install -y -qq chromium >/dev/null; } \
	  || echo "no Chromium is here: tests that need a browser are skipped; install chromium to run them"
	@touch $@
