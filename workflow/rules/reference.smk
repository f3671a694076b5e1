import json

# Tables that no data set changes come with the project: `make reference` makes them.


REFERENCE = PROJECT / "reference"
TOGETHER = [
    ["recover_rules"],
    ["sweep_learning"],
    ["measure_reach", "compare_rules"],
    ["check_claims"],
]
"""Rules whose tables are used together, or not at all."""


def made_with(names):
    """The parameters of some rules, among them the digests of their code."""
    found = {
        name: {
            key: value(None) if callable(value) else value
            for key, value in getattr(rules, name).params.items()
        }
        for name in names
    }
    return json.loads(json.dumps(found))


def made_by(names):
    """The files that some rules make."""
    return [file for name in names for file in getattr(rules, name).output]


def up_to_date():
    """The rules whose tables in the reference are those that they would make."""
    path = REFERENCE / "reference.json"
    known = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
    found, old = [], []
    for names in TOGETHER:
        now, then = made_with(names), {name: known.get(name, {}) for name in names}
        if now == then:
            found += names
        elif all(
            without(now[name], "code") == without(then[name], "code") for name in names
        ):
            old += names
    if old:
        print(
            f"{REFERENCE}: older than the code of {', '.join(old)}; what is needed of it is made again",
            file=sys.stderr,
        )
    return found


TAKEN = made_by(up_to_date())
if TAKEN:

    rule take_reference:
        """Take the tables that no data set changes from the project."""
        input:
            [str(REFERENCE / Path(file).name) for file in TAKEN],
        output:
            TAKEN,
        log:
            f"{SHARED_LOGS}take_reference.log",
        benchmark:
            f"{SHARED_LOGS}take_reference.tsv"
        localrule: True
        conda:
            "../envs/analysis.yaml"
        params:
            code=lambda wildcards: code_of("take_reference.py"),
        script:
            "../scripts/take_reference.py"

    ruleorder: take_reference > recover_rules
    ruleorder: take_reference > sweep_learning
    ruleorder: take_reference > measure_reach
    ruleorder: take_reference > compare_rules
    ruleorder: take_reference > check_claims


rule describe_reference:
    """Say with what code and options the tables of the reference were made."""
    input:
        also=made_by(sum(TOGETHER, [])),
    output:
        reference=f"{SHARED}reference.json",
    log:
        f"{SHARED_LOGS}describe_reference.log",
    benchmark:
        f"{SHARED_LOGS}describe_reference.tsv"
    localrule: True
    conda:
        "../envs/analysis.yaml"
    params:
        **stage("report.provenance.describe_reference"),
        made=made_with(sum(TOGETHER, [])),
    script:
        "../scripts/run_stage.py"
