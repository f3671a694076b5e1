# Every command sets up .venv by itself; most are aliases of `.venv/bin/fuzzybounds COMMAND`.
#   make figures                        every figure, on the embedded simulated cohort
#   make figures DATASET=experiment_a   the same on published logs, or on your own
#   make figures FAST=1                 a first look: few subjects, draws and simulated trials
#   make figures DATASET=my_lab VARIANT=paper_penalty    with the options of variants/paper_penalty.yaml
#   make paper                          the paper's 17 figures and nothing else
#   make compare DATASET=my_lab VARIANT=paper_penalty    where the variant differs from its data set
#   make compare DATASET=my_lab WITH=experiment_a        two data sets
#   make report                         the same as figures, with a fresh report
#   make supplement                     Figs. S7, S8, S11, S12 and S15
#   make people                         parameters of the simulated cohort from Experiment A
#   make reference                      the tables that no data set changes, for reference/
#   make verdict                        fuzzy rules against boundaries (docs/verdict.md): Figs. S7, S8, S11 and S15
#   make crate DATASET=experiment_a     a finished run as one file to share (RO-Crate)
#   make lab                            JupyterLab on the notebooks
#   make check                          linters, type checker and quick tests
#   make test                           all checks and tests
#   make test-slurm                     the workflow through a real Slurm of one node; needs root
#   make portability                    every table on emulated other processors, to its tolerance
#   make fuzz                           a thousand odd files for every reader
#   make docs-site                      the documentation as a site, offline (build/site/html)
#   make lint | docs | bench | clean | lock

PYTHON ?= python3
DATASET ?= simulated
BIN := .venv/bin
READY := .venv/.ready
FUZZYBOUNDS := $(BIN)/fuzzybounds
RUN = $(FUZZYBOUNDS) run '$(DATASET)' $(if $(FAST),--fast) $(if $(VARIANT),--variant '$(VARIANT)')

.PHONY: figures paper compare report supplement verdict people reference lab check test fuzz test-slurm portability lint docs docs-site article crate bench clean lock

figures: $(READY)
	@$(RUN)

paper supplement verdict: $(READY)
	@$(RUN) --only $@

compare: $(READY)
	@$(FUZZYBOUNDS) compare '$(DATASET)' $(if $(WITH),'$(WITH)') $(if $(VARIANT),--variant '$(VARIANT)')

report: $(READY)
	@$(FUZZYBOUNDS) report '$(DATASET)' $(if $(FAST),--fast) $(if $(VARIANT),--variant '$(VARIANT)')

# WITH_DATA=1 copies the rows of real logs too.
crate: $(READY)
	@$(FUZZYBOUNDS) crate '$(DATASET)' $(if $(VARIANT),--variant '$(VARIANT)') $(if $(WITH_DATA),--with-data)

# The parameters of people for the simulated cohort, from Experiment A, and how well they are recovered.
people: $(READY)
	@$(FUZZYBOUNDS) run experiment_a --only results/experiment_a/trials.parquet
	$(BIN)/python workflow/make_people.py fit experiment_a
	@$(FUZZYBOUNDS) run simulated --only results/simulated/trials.parquet
	$(BIN)/python workflow/make_people.py recover simulated

# What was made with the present code and options stays.
reference: $(READY)
	@$(FUZZYBOUNDS) run simulated --only results/shared/reference.json
	cd results/shared && cp reference.json recovery_rules.parquet recovery_labels.parquet recovery_losses.csv \
		learning_sweep.parquet control_* claim_controls.csv $(CURDIR)/reference

# JupyterLab is not among the locked packages: uv or pip fetches it once.
lab: $(READY)
	@$(BIN)/python -m pip show --quiet jupyterlab 2> /dev/null || $(BIN)/python -m pip install --quiet jupyterlab
	@$(BIN)/jupyter lab notebooks

check: lint
	$(BIN)/python -m pytest -n auto --dist loadfile -m 'not slow and not browser and not workflow'

test: lint
	$(BIN)/python -m pytest -n auto --dist loadfile

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

# The simulated cohort and Experiment A on processors without AVX-512, and without AVX2; ten minutes or more each.
portability: $(READY)
	$(BIN)/python tests/portability/compare_targets.py $(OPTIONS)

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/snakefmt --check Snakefile workflow
	$(BIN)/snakemake --lint
	$(BIN)/mypy

# The tables, small figures and graphs that README and docs/ show; needs the published logs and Graphviz.
# Numbers of the targets verdict and sessions need a run of `make article` before; what is not there is
# named, and stays as it is.
docs: $(READY)
	@$(FUZZYBOUNDS) run simulated
	$(BIN)/python workflow/make_people.py recover simulated
	@for dataset in experiment_a experiment_b; do \
		$(FUZZYBOUNDS) run $$dataset --only supplement && $(FUZZYBOUNDS) run $$dataset || exit 1; done
	@$(FUZZYBOUNDS) run simulated --only results/shared/design_power.csv
	$(BIN)/python docs/fill_tables.py
	$(BIN)/python docs/make_thumbnails.py
	$(BIN)/python docs/draw_rulegraph.py

# results/article/article.pdf, from Experiments A and B, with all comparisons of stopping models: two hours.
article: $(READY)
	@$(FUZZYBOUNDS) run experiment_b --only all verdict sessions
	@$(FUZZYBOUNDS) run experiment_a --only all verdict sessions article

# The documentation site, offline; OPTIONS=--no-execute leaves out running the tutorials.
docs-site: $(READY)
	@$(BIN)/python docs/site/build.py $(OPTIONS)

bench: $(READY)
	@for script in benchmarks/*.py; do echo "== $$script"; $(BIN)/python $$script || echo "== $$script did not run to its end"; done

# Retrieved and own logs in data/ stay.
clean:
	rm -rf logs codecheck.yml .snakemake .pytest_cache .ruff_cache .mypy_cache .hypothesis
	find results -mindepth 1 -maxdepth 1 ! -name README.md -exec rm -rf {} +

$(READY): requirements.lock requirements-uv.lock pyproject.toml workflow/set_up.py
	@$(PYTHON) workflow/set_up.py
	@touch $@

# Exact versions and hashes for every platform, no index lines; versions that still fit stay as they
# are unless UPGRADE is set.
COMPILE = $(BIN)/python -m uv pip compile --universal --python-version 3.11 --generate-hashes \
	--no-emit-index-url --no-header --no-annotate $(if $(UPGRADE),--upgrade)
lock: $(READY)
	$(COMPILE) pyproject.toml --extra workflow --extra crate --extra article --group dev --group docs -o requirements.lock
	echo uv | $(COMPILE) - -o requirements-uv.lock
