# Every target does its own set-up in .venv and says what it does. Start with: make demo
PYTHON ?= python3
BIN := .venv/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check
export PIP_CONSTRAINT := $(CURDIR)/constraints.txt

.PHONY: help demo test lint types bench bench-quick studies studies-quick docs map constraints clean

help:  ## say what the targets do
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:[^#]*## /\t/' | expand -t 14

.venv/.made:
	@echo "== making .venv"
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "discreet needs Python 3.11 or later")'
	@$(PYTHON) -m venv .venv
	@touch $@

.venv/.%: pyproject.toml constraints.txt .venv/.made
	@echo "== installing what '$*' needs"
	@$(PIP) --editable '.[$*]'
	@touch $@

demo: .venv/.command  ## make an example log, replay it at epsilon 1, leave demo/actions.csv and demo/report.html
	@$(BIN)/discreet demo demo --force

lint: .venv/.test  ## ruff: style and imports
	@echo "== lint"
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .

types: .venv/.test  ## mypy, strict
	@echo "== types"
	@$(BIN)/mypy

test: lint types  ## lint, types, import direction, doctests and tests
	@echo "== tests"
	@$(BIN)/python -m pytest --numprocesses auto

bench: .venv/.bench  ## speed and regret, as ratios measured in one run (about 20 minutes)
	@$(BIN)/python -m benchmarks

bench-quick: .venv/.command  ## the same, small
	@$(BIN)/python -m benchmarks --quick

studies: .venv/.command  ## the papers' claims made again: tables and figures in build/studies (about 35 minutes)
	@$(BIN)/python -m studies

studies-quick: .venv/.command  ## the same, small
	@$(BIN)/python -m studies --quick

map: .venv/.command  ## draw the rooms and the way of a loss
	@$(BIN)/python -m tools.map docs/map.svg && echo docs/map.svg

docs: .venv/.docs  ## the documentation, in build/docs
	@$(BIN)/python -m sphinx -W -q -b html docs build/docs
	@echo "build/docs/index.html"

constraints: .venv/.test .venv/.docs .venv/.bench  ## write down the versions that are installed now
	@$(PIP) hatchling editables  # what builds the package, which pip installs out of sight
	@$(BIN)/python -m pip freeze --exclude-editable > constraints.new && mv constraints.new constraints.txt

clean:  ## remove everything that was made
	rm -rf .venv build demo .mypy_cache .pytest_cache .ruff_cache
