# Every command sets up .venv by itself.
#   make figures                        every figure, on the embedded simulated cohort
#   make figures DATASET=experiment_a   the same on published logs, or on your own
#   make figures FAST=1                 a first look in about a minute: few subjects, brief searches
#   make figures DATASET=my_lab VARIANT=paper_penalty    with the options of variants/paper_penalty.yaml
#   make paper                          the paper's 17 figures and nothing else
#   make compare DATASET=my_lab VARIANT=paper_penalty    the variant beside its data set, on one page
#   make compare DATASET=my_lab WITH=experiment_a        two data sets
#   make report                         the same as figures, with a fresh report
#   make supplement                     Figs. S3, S6, S7 and S8, which take long
#   make people                         parameters of the simulated cohort from Experiment A, two minutes
#   make verdict                        fuzzy rules against boundaries (docs/verdict.md), some minutes
#   make lab                            JupyterLab on the notebooks
#   make test                           all checks and tests
#   make test-slurm                     the workflow through a real Slurm of one node; needs root
#   make test-versions                  a first look with the lowest and the newest declared versions
#   make portability                    every table on emulated other processors, to the promised digits
#   make fuzz                           a thousand odd files for every reader
#   make docs-site                      the documentation as a site, offline (build/site/html)
#   make crate DATASET=experiment_a     a finished run as one file to share (RO-Crate)
#   make lint | docs | bench | clean | lock

PYTHON ?= python3
DATASET ?= simulated
BIN := .venv/bin
READY := .venv/.ready
ifdef FAST
VARIANT = first_look
endif
RESULTS = results/$(if $(VARIANT),variants/$(VARIANT)/)$(DATASET)

# Some system images disable bytecode; then every import would recompile every module.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: figures paper compare report supplement verdict people lab test fuzz test-slurm test-versions portability lint docs docs-site crate bench clean lock

# Progress instead of Snakemake's own messages, which are in .snakemake/log.
PROGRESS = PYTHONPATH=workflow $(BIN)/snakemake --logger progress
SNAKEMAKE = $(PROGRESS) $(if $(VARIANT),--configfile 'variants/$(VARIANT).yaml') --config dataset='$(DATASET)'

figures: $(READY)
	@$(SNAKEMAKE)
	@$(BIN)/fuzzybounds show '$(RESULTS)'

paper supplement: $(READY)
	@$(SNAKEMAKE) -- $@

# Every stopping model on one likelihood: comparison, recovery, checks, sensitivity, Figs. S7 and S8.
verdict: $(READY)
	@$(SNAKEMAKE) -- verdict
	@cat '$(RESULTS)/stopping_questions.csv'

# Both are computed first if they do not exist yet.
compare: $(READY)
	@test -n '$(WITH)$(VARIANT)' || { echo "error: nothing to compare with"; \
		echo "  - name a second data set, WITH=experiment_a, or a variant, VARIANT=paper_penalty"; exit 2; }
	@$(MAKE) --no-print-directory figures DATASET='$(DATASET)' VARIANT= FAST= > /dev/null
	@$(MAKE) --no-print-directory figures DATASET='$(or $(WITH),$(DATASET))' > /dev/null
	@$(BIN)/fuzzybounds compare 'results/$(DATASET)' '$(if $(WITH),results/$(WITH),$(RESULTS))'

# Even if up to date: requested figures, times and the commit may have changed.
report: $(READY)
	@$(SNAKEMAKE) --forcerun make_report
	@echo "Report: $(RESULTS)/report.html"

# The parameters of people for the simulated cohort, from Experiment A, and how well they are recovered.
people: $(READY)
	@$(PROGRESS) --config dataset=experiment_a -- results/experiment_a/people.csv
	cp results/experiment_a/people.csv src/fuzzybounds/cohort/people.csv
	@$(PROGRESS) --config dataset=simulated -- results/simulated/session_recovery.csv

# JupyterLab is not among the locked packages: uv or pip fetches it once.
lab: $(READY)
	@$(BIN)/python -m pip show --quiet jupyterlab 2> /dev/null || $(BIN)/python -m pip install --quiet jupyterlab
	@$(BIN)/jupyter lab notebooks

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

# Environments of their own under build/, some minutes.
test-versions: $(READY)
	$(BIN)/python tests/versions/compare_versions.py

# The simulated cohort and Experiment A on processors without AVX-512, and without AVX2; some minutes each.
portability: $(READY)
	$(BIN)/python tests/portability/compare_targets.py $(OPTIONS)

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/snakefmt --check Snakefile workflow
	$(BIN)/snakemake --lint
	$(BIN)/mypy

# The tables, small figures and graphs that README and docs/ show; needs the published logs and Graphviz.
docs: $(READY)
	@$(PROGRESS) all results/simulated/session_recovery.csv --config dataset=simulated
	@for dataset in experiment_a experiment_b; do \
		$(PROGRESS) supplement all --config dataset=$$dataset || exit 1; done
	$(BIN)/python docs/fill_tables.py
	$(BIN)/python docs/make_thumbnails.py
	$(BIN)/python docs/draw_rulegraph.py

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
	rm -rf logs .snakemake .pytest_cache .ruff_cache .mypy_cache .hypothesis
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
