"""Which learning model describes the subjects best."""

from job import logged

from fuzzybounds.analysis.learning_in_people import human_selection
from fuzzybounds.storage.tables import read_parquet, write_csv


def main(path_to_fits: str, path_to_selection: str) -> None:
    fits = read_parquet(path_to_fits)
    selection = human_selection(fits)
    print(selection.to_string(index=False))
    write_csv(selection, path_to_selection)


if __name__ == "__main__":
    with logged(snakemake.log[0]):
        main(
            path_to_fits=snakemake.input.fits,
            path_to_selection=snakemake.output.selection,
        )
