# Every command sets up .venv by itself.
#   make figures                        every figure, on the embedded simulated cohort
#   make figures DATASET=experiment_a   the same on published logs, or on your own
#   make figures FAST=1                 a first look in about a minute, in fast/: few subjects, brief searches
#   make figures DATASET=my_lab VARIANT=paper_penalty    with the options that variants/paper_penalty.yaml changes
#   make compare DATASET=my_lab VARIANT=paper_penalty    the variant beside its data set, on one page
#   make compare DATASET=my_lab WITH=experiment_a        two data sets (or variants: my_lab@paper_penalty)
#   make report                         the same, with a fresh report, opened if there is a display
#   make supplement                     Figs. S3, S6, S7 and S8, which take long
#   make people                         parameters of the simulated cohort from Experiment A, two minutes
#   make verdict                        fuzzy rules against boundaries (docs/verdict.md), some minutes
#   make test                           all checks and tests
#   make test-slurm                     the workflow through a real Slurm of one node; needs root
#   make test-slurm TARGETS=FILES       a part of it
#   make portability                    every table on emulated other processors, to the promised digits
#   make portability OPTIONS=--test     make figures and make test on them, too
#   make fuzz                           a thousand odd files for every reader
#   make docs-site                      the documentation as a site, offline (build/site/html)
#   make crate DATASET=experiment_a     a finished run as one file to share (RO-Crate)
#   make lint | docs | bench | clean | lock

PYTHON ?= python3
DATASET ?= simulated
BIN := .venv/bin
READY := .venv/.ready
NAME = $(DATASET)$(if $(VARIANT),@$(VARIANT))
RESULTS = $(if $(FAST),fast/)results/$(NAME)
REPORT = $(RESULTS)/report.html
WITH ?= $(DATASET)@$(VARIANT)

# Some system images disable bytecode; then every import would recompile every module.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: figures compare report supplement verdict people test fuzz test-slurm portability lint docs docs-site crate bench clean lock

# One line at the start, then progress; Snakemake's own messages are in .snakemake/log.
SNAKEMAKE = $(BIN)/python workflow/run.py $(WHERE) --config dataset='$(DATASET)'
OWN = $(SNAKEMAKE) $(if $(VARIANT),variant='$(VARIANT)')
# A first look has its own folder, with access to the same logs.
ifdef FAST
WHERE = --directory fast --configfile config.yaml workflow/fast.yaml
ifdef FUZZYBOUNDS_MIRROR
export FUZZYBOUNDS_MIRROR := $(abspath $(FUZZYBOUNDS_MIRROR))
endif
$(shell mkdir -p data/raw fast && ln -sfn ../data fast/data)
endif

# A variant takes what it does not change from its data set, whose results are computed first.
figures: $(READY)
	@$(if $(VARIANT),$(SNAKEMAKE))
	@$(OWN)
	@$(BIN)/python workflow/show_results.py '$(RESULTS)'

# Both are computed first if they do not exist yet.
compare: $(READY)
	@$(MAKE) --no-print-directory figures DATASET='$(DATASET)' VARIANT= > /dev/null
	@$(MAKE) --no-print-directory figures DATASET='$(firstword $(subst @, ,$(WITH)))' \
		VARIANT='$(word 2,$(subst @, ,$(WITH)))' > /dev/null
	@$(BIN)/fuzzybounds compare $(addprefix $(if $(FAST),fast/)results/,'$(DATASET)' '$(WITH)')

# Even if up to date: requested figures, times and the commit may have changed.
report: $(READY)
	@$(OWN) --forcerun make_report
	@echo "Report: $(REPORT)"
	@if [ "$$(uname)" = Darwin ]; then open $(REPORT); \
	elif [ -n "$$DISPLAY$$WAYLAND_DISPLAY" ] && command -v xdg-open > /dev/null; then xdg-open $(REPORT); \
	fi || echo "(nothing here opens it)"

# What takes minutes is drawn on request: model recovery, learning fitted to people, the verdict.
supplement: $(READY)
	@$(OWN) -- supplement

# Every stopping model on one likelihood: comparison, recovery, checks, sensitivity, Figs. S7 and S8.
verdict: $(READY)
	@$(OWN) -- verdict
	@cat '$(RESULTS)/stopping_questions.csv'

# The parameters of people for the simulated cohort, from Experiment A, and how well they are recovered.
people: $(READY)
	@$(BIN)/python workflow/run.py --config dataset=experiment_a -- results/experiment_a/people.csv
	cp results/experiment_a/people.csv src/fuzzybounds/cohort/people.csv
	@$(BIN)/python workflow/run.py --config dataset=simulated -- results/simulated/session_recovery.csv

test: lint
	$(BIN)/python -m pytest -n auto --dist loadgroup

# `make test` runs some of these cases.
fuzz: $(READY)
	$(BIN)/python -m pytest -n auto tests/test_fuzz.py --hypothesis-profile thorough

# A separate environment that sees the default packages, so the default one stays without the plugin.
test-slurm: .venv-slurm/.ready
	.venv-slurm/bin/python tests/slurm/compare_runs.py $(TARGETS)

PURELIB := -c 'import sysconfig; print(sysconfig.get_path("purelib"))'
.venv-slurm/.ready: $(READY)
	$(PYTHON) -m venv --without-pip .venv-slurm
	$(BIN)/python $(PURELIB) > $$(.venv-slurm/bin/python $(PURELIB))/default.pth
	.venv-slurm/bin/python -m pip install --quiet --disable-pip-version-check --no-build-isolation -e '.[slurm]'
	@touch $@

# The simulated cohort and Experiment A on processors without AVX-512, and without AVX2; some minutes each.
portability: $(READY)
	$(BIN)/python tests/portability/compare_targets.py $(OPTIONS)

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/snakefmt --check Snakefile workflow
	$(BIN)/snakemake --lint
	$(BIN)/mypy

# The tables and small figures that README and docs/ show; needs the published logs.
docs: $(READY)
	@$(BIN)/snakemake all results/simulated/session_recovery.csv --config dataset=simulated
	@for dataset in experiment_a experiment_b; do \
		$(BIN)/snakemake supplement all --config dataset=$$dataset || exit 1; done
	$(BIN)/python docs/fill_tables.py
	$(BIN)/python docs/make_thumbnails.py

# The documentation site, offline; OPTIONS=--no-execute leaves out running the tutorials.
docs-site: $(READY)
	@$(BIN)/python docs/site/build.py $(OPTIONS)

# A finished run as one file to be shared (RO-Crate); WITH_DATA=1 copies the rows of real logs too.
crate: $(READY)
	@$(BIN)/python -m fuzzybounds.report.crate '$(RESULTS)' $(if $(WITH_DATA),--with-data)

bench: $(READY)
	@for script in benchmarks/*.py; do echo "== $$script"; $(BIN)/python $$script || echo "== $$script did not run to its end"; done

# Retrieved and own logs in data/ stay.
clean:
	rm -rf logs fast .snakemake .pytest_cache .ruff_cache .mypy_cache .hypothesis
	find results -mindepth 1 -maxdepth 1 ! -name README.md -exec rm -rf {} +

$(READY): requirements.lock requirements-uv.lock pyproject.toml workflow/set_up.py
	@$(PYTHON) workflow/set_up.py
	@touch $@

# Exact versions and hashes for every platform, no index lines; versions that still fit stay as they
# are unless UPGRADE is set.
COMPILE = $(BIN)/python -m uv pip compile --universal --python-version 3.11 --generate-hashes \
	--no-emit-index-url --no-header --no-annotate $(if $(UPGRADE),--upgrade)
lock: $(READY)
	$(COMPILE) pyproject.toml --extra dev --extra docs --extra crate -o requirements.lock
	echo uv | $(COMPILE) - -o requirements-uv.lock
