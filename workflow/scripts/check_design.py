"""Check the design against the logs, and summarise the cohort."""

from job import logged

from fuzzybounds.analysis.design_check import check_design, summarise_cohort
from fuzzybounds.storage.tables import read_parquet, write_csv


def main(path_to_trials: str, path_to_design: str, path_to_cohort: str) -> None:
    trials = read_parquet(path_to_trials)
    design = check_design(trials)
    print(design.to_string(index=False))
    write_csv(design, path_to_design)
    write_csv(summarise_cohort(trials), path_to_cohort)


if __name__ == "__main__":
    with logged(snakemake.log[0]):
        main(
            path_to_trials=snakemake.input.trials,
            path_to_design=snakemake.output.design,
            path_to_cohort=snakemake.output.cohort,
        )
