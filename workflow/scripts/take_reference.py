"""Copy tables that come with the project to where results are."""

import shutil

from job import work


def main(sources: list[str], copies: list[str]) -> None:
    for source, copy in zip(sources, copies, strict=True):
        shutil.copyfile(source, copy)
        print(f"{copy}: from {source}")


if __name__ == "__main__":
    with work(snakemake):
        main(list(snakemake.input), list(snakemake.output))
