# Every target is complete in itself: the first one run creates .venv and installs into it; later ones install again
# only when pyproject.toml or constraints.txt is newer. Options for a command go into ARGS:
#     make train ARGS="--preset classic --players 4 --minutes 10"
#     make test ARGS="tests/rules -m 'not slow'"

SHELL := bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help

# The interpreter that makes the virtual environment: 3.11 or newer.
PYTHON ?= python3
# Where to take torch from, if not from pip's default index (docs/dependencies.md: the CPU build is much smaller).
TORCH_INDEX ?=
# Test processes.
JOBS ?= 2
# Options handed on to the command of the target.
ARGS ?=

VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
SOURCES := trente_env agents train eval

# Two test processes on two cores: a pool of threads inside each would only get in the way.
PYTEST := OMP_NUM_THREADS=1 MKL_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 $(BIN)/python -m pytest -n $(JOBS)

$(STAMP): pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or newer is needed, this is " + sys.version.split()[0] + ": name one with make PYTHON=python3.12 ...")'
	@echo "Installing into $(VENV) (some minutes the first time)"
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@test -z "$(TORCH_INDEX)" || $(BIN)/python -m pip install -q -c constraints.txt --index-url "$(TORCH_INDEX)" torch
	@$(BIN)/python -m pip install -q -c constraints.txt -e '.[all]'
	@touch $@

.PHONY: help
help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  %-14s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

.PHONY: venv
venv: $(STAMP) ## create .venv and install everything at the tested versions

.PHONY: train
train: $(STAMP) ## train a policy by self-play and judge it against the baselines
	$(BIN)/python -m train $(ARGS)

.PHONY: test
test: $(STAMP) ## run all tests, warnings being errors
	$(PYTEST) $(ARGS)

# What is run as plain Python, where coverage sees the kernels; the two heaviest tests of credit run compiled alone.
PLAIN := tests/rules tests/core tests/encoding tests/envs tests/adapters tests/batch \
	$(filter-out tests/test_packaging.py tests/test_layers.py tests/test_docs_tables.py,$(wildcard tests/test_*.py))

.PHONY: test-py
test-py: $(STAMP) ## the rules as plain Python, with coverage: every branch of the engine, 95 % of trente_env
	TRENTE_JIT=0 $(PYTEST) $(PLAIN) --ignore=tests/envs/test_conformance.py -m "not slow" \
		-k "not credit_by_hand and not sum_to_the_games" --cov=trente_env --cov-branch --cov-report= $(ARGS)
	$(BIN)/python -m coverage report --include='trente_env/core/*' --fail-under=100
	$(BIN)/python -m coverage report --include='trente_env/*' --fail-under=95

.PHONY: cov
cov: $(STAMP) ## coverage of the code that is not compiled, as a table and in htmlcov/ (for kernels: test-py)
	$(PYTEST) --cov --cov-report=term-missing:skip-covered --cov-report=html $(ARGS)

.PHONY: check
check: check-static test ## all that a commit must pass

.PHONY: check-static
check-static: lint types layers ## the part of check that runs no tests

.PHONY: fix
fix: $(STAMP) ## format, and repair what the linter can repair
	$(BIN)/ruff format
	$(BIN)/ruff check --fix

.PHONY: lint
lint: $(STAMP) ## formatting and lint
	$(BIN)/ruff format --check
	$(BIN)/ruff check

.PHONY: types
types: $(STAMP) ## type check
	$(BIN)/mypy --strict $(SOURCES)

.PHONY: layers
layers: $(STAMP) ## who may import whom
	$(BIN)/lint-imports --no-logo

.PHONY: playthroughs
playthroughs: $(STAMP) ## write the golden games of tests/playthroughs/
	$(BIN)/python -m eval playthroughs $(ARGS)

.PHONY: prove
prove: $(STAMP) ## hold the engine against the oracle: 2 million decisions under 600 rule sets
	OMP_NUM_THREADS=1 $(BIN)/python -m tests.prove --processes $(JOBS) $(ARGS)

.PHONY: prove-information
prove-information: $(STAMP) ## deal what a seat cannot know anew, and look for it everywhere
	OMP_NUM_THREADS=1 $(BIN)/python -m tests.information $(ARGS)

.PHONY: fuzz
fuzz: $(STAMP) ## feed readers and parsers spoiled input for ten minutes
	OMP_NUM_THREADS=1 $(BIN)/python -m tests.fuzz --minutes 10 $(ARGS)

.PHONY: mutation
mutation: $(STAMP) ## put faults into the rules and see that a test notices each
	$(BIN)/python -m pip install -q 'cosmic-ray==8.7.0'
	OMP_NUM_THREADS=1 $(BIN)/python -m tests.mutation $(ARGS)

.PHONY: kills
kills: $(STAMP) ## kill a process a hundred times while it saves policies
	$(BIN)/python -m tests.kill_while_saving --kills 100 $(ARGS)

.PHONY: docs
docs: $(STAMP) ## write the generated pages of docs/
	$(BIN)/python -m eval docs $(ARGS)

.PHONY: bench
bench: $(STAMP) ## measure steps per second of each interface
	$(BIN)/python -m eval bench $(ARGS)

.PHONY: cold-start
cold-start: $(STAMP) ## measure the wait before the first step, with and without compiled code
	$(BIN)/python -m eval cold-start $(ARGS)

.PHONY: smoke
smoke: $(STAMP) ## a training run of a few seconds, end to end
	$(BIN)/python -m train --minutes 0.2 --eval-deals 500 --run-dir runs/smoke $(ARGS)

.PHONY: dist
dist: $(STAMP) ## build the sdist, and from it the wheel, into dist/
	rm -rf dist
	$(BIN)/python -m build --no-isolation

.PHONY: constraints
constraints: $(STAMP) ## write constraints.txt from what is installed in .venv
	@grep '^#' constraints.txt > constraints.new
	@$(BIN)/python -m pip freeze --all --exclude-editable | grep -v "^pip==" | grep -E '^[A-Za-z0-9._-]+==' | sed -E 's/\+[a-z0-9.]+$$//' >> constraints.new
	@mv constraints.new constraints.txt

.PHONY: clean
clean: ## remove caches and build products; keeps .venv and runs/
	rm -rf build dist htmlcov .coverage .coverage.* .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis
	find $(SOURCES) tests -name __pycache__ -type d -prune -exec rm -rf {} +
