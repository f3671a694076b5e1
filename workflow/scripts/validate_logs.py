"""Read raw logs and paths of any source, check them, and write typed tables."""

import hashlib
from pathlib import Path

from job import logged

from fuzzybounds.intake import logs, recordings, retrieval, study_design, validation
from fuzzybounds.intake.data_warnings import remarks
from fuzzybounds.intake.subjects import keep_first
from fuzzybounds.storage import folder_lock
from fuzzybounds.storage.tables import write_csv, write_json, write_parquet


def read(layout: str, files: list[Path]):
    """Read the logs in their layout, and say what was found about tidy ones."""
    if layout == "published":
        return logs.read_published(files[0])
    raw, notes = logs.read_logs(files)
    for note in notes:
        print(note)
    return raw


def expand(paths: list[str], pattern: str) -> list[Path]:
    """Replace folders by the files in them."""
    found = []
    for path in map(Path, paths):
        found += sorted(path.glob(pattern)) if path.is_dir() else [path]
    return found


def title(params) -> str:
    """Name the data set, and the variant of the analysis."""
    name = params.published["title"] if params.published else params.name
    return f"{name}, variant {params.variant}" if params.variant else name


def main(inputs, outputs, params) -> None:
    files = expand(inputs.logs, "*.csv")
    path_files = [Path(path) for path in inputs.paths] or expand(inputs.logs, "paths/*")
    path_files = [path for path in path_files if path not in files]
    if params.published:
        expected = {key: params.published[key] for key in ("sha256", "size")}
        retrieval.verify(files[0], **expected)
    folder = files[0].parent
    with folder_lock.reading(folder):
        layout = "published" if params.published else "tidy"
        raw, recorded = read(layout, files), recordings.read(path_files)
        design, notes = study_design.read_design(folder), study_design.notes(folder)
    validated = validation.validate(raw, params.actions, design)
    paths = recordings.validate(recorded, validated.trials, validated.exclusions, design)
    kept = keep_first(validated.trials, paths, params.subjects)
    print(validated.counts.to_string(index=False))
    print(f"{len(kept.trials)} trials of {kept.used} of {kept.found} subjects")
    write_parquet(kept.trials, outputs.trials)
    write_parquet(kept.paths, outputs.paths)
    write_csv(validated.exclusions, outputs.exclusions)
    write_csv(validated.counts, outputs.validation)
    described = {
        "name": params.name,
        "kind": params.kind,
        **({"follow": params.cohort.get("follow", "boundaries")} if params.cohort else {}),
        **kept.described(title(params), params.first_look),
        "source": params.published["source"] if params.published else None,
        "remarks": [*remarks(kept.trials), *notes],
        "recorded_paths": sorted(kept.paths["subject"].unique()),
        "files": {
            name: hashlib.sha256(path.read_bytes()).hexdigest()
            for name, path in [
                *((path.name, path) for path in files),
                # A log and the paths that belong to it may have the same name.
                *((f"paths/{path.name}", path) for path in path_files),
            ]
        },
    }
    write_json(described, outputs.dataset)


if __name__ == "__main__":
    with logged(snakemake.log[0]):
        main(snakemake.input, snakemake.output, snakemake.params)
