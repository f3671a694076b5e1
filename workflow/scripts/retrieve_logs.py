"""Fetch a published log, or take it from a mirror, and put it in place only if it is whole."""

import os

from job import work

from fuzzybounds.logs.retrieval import retrieve


def main(entry: dict, path_to_log: str) -> None:
    origin = retrieve(
        entry["file"],
        url=entry["url"],
        archive=entry["archive"],
        sha256=entry["sha256"],
        size=entry["size"],
        mirror=os.environ.get("FUZZYBOUNDS_MIRROR"),
        destination=path_to_log,
    )
    print(f"{path_to_log}: {entry['size']} bytes from {origin}, sha256 as in the manifest")
    print(f"source: {entry['source']}; licence: {entry['licence']}")


if __name__ == "__main__":
    with work(snakemake):
        main(
            entry=snakemake.params.entry,
            path_to_log=snakemake.output.log,
        )
