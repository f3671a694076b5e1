"""Simulate a cohort: a log for each subject, recorded paths, and the truth beside them."""

from pathlib import Path

from job import work

from fuzzybounds.cohort.sessions import draw_cohort, simulate_logs
from fuzzybounds.core.tables import write_csv, write_json, write_parquet


def main(dataset: str, cohort: dict, seed: int, path_to_raw: Path, path_to_truth: str) -> None:
    subjects = draw_cohort(seed, dataset, **cohort)
    for subject in subjects:
        logs, paths = simulate_logs(subject, seed, dataset)
        write_csv(logs, path_to_raw / f"{subject.name}.csv")
        if paths is not None:
            paths.insert(0, "subject", subject.name)
            write_parquet(paths, path_to_raw / "paths" / f"{subject.name}.parquet")
        print(f"{subject.name}: {len(logs)} trials")
    write_json([subject.to_json() for subject in subjects], path_to_truth)


if __name__ == "__main__":
    with work(snakemake):
        main(
            dataset=snakemake.params.dataset,
            cohort=snakemake.params.cohort,
            seed=snakemake.params.seed,
            path_to_raw=Path(snakemake.output.truth).with_name("raw"),
            path_to_truth=snakemake.output.truth,
        )
