"""The optimal reward rates and boundaries of the paper's design, and of the logs' own."""

import numpy as np
import pandas as pd
from job import logged

from fuzzybounds.canoe.task import STEP_PIXELS
from fuzzybounds.learning.design import PAPER_CUED, PAPER_UNCUED, design
from fuzzybounds.learning.optimum import solve
from fuzzybounds.storage.tables import read_csv, write_csv

RESPOND_AT = ("steps", "frames")


def estimated_p0(path: str) -> dict[str, float]:
    """P0 of each condition as the logs have it."""
    check = read_csv(path)
    own = check[check["quantity"] == "p0"].set_index("condition")["value"]
    return {name: float(own[name]) for name in ("easy", "hard")}


def main(path_to_design: str, cued: bool, path_to_optimum: str, path_to_boundary: str) -> None:
    designs = [PAPER_UNCUED, PAPER_CUED]
    if not cued:
        # The only published experiment without cues is B.
        designs.append(design("logs_b_uncued", **estimated_p0(path_to_design)))
    rows, curves = [], []
    for own in designs:
        for respond_at in RESPOND_AT:
            best = solve(own, respond_at)
            chances = {f"p0_{c.name}": c.p0 for c in own.conditions}
            rows.append(
                {
                    "design": own.name,
                    "respond_at": respond_at,
                    "reward_rate": best.reward_rate,
                    "reward": best.reward,
                    "time": best.time,
                    **chances,
                }
            )
            cues = [c.name for c in own.conditions] if own.cued else ["all"]
            for cue, net in zip(cues, best.boundary(), strict=True):
                known = np.isfinite(best.times)
                curves.append(
                    pd.DataFrame(
                        {
                            "design": own.name,
                            "respond_at": respond_at,
                            "condition": cue,
                            "time": best.times[known],
                            "boundary": STEP_PIXELS * net[known],
                        }
                    )
                )
    table = pd.DataFrame(rows)
    print(table.to_string(index=False))
    write_csv(table, path_to_optimum)
    boundaries = pd.concat(curves, ignore_index=True)
    write_csv(boundaries[np.isfinite(boundaries["boundary"])], path_to_boundary)


if __name__ == "__main__":
    with logged(snakemake.log[0]):
        main(
            path_to_design=snakemake.input.design,
            cued=snakemake.params.cued,
            path_to_optimum=snakemake.output.optimum,
            path_to_boundary=snakemake.output.boundary,
        )
