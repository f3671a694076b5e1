"""The output on a 200 x 200 grid, against ex-fuzzy's evaluation of the same rule base.

Prints CPU seconds of both and their ratio, for three and five labels.  Target: at most 1/100.
"""

import os
import sys
import time

os.environ.setdefault("OMP_NUM_THREADS", "1")  # one thread for both
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np

from fuzzybounds.paper.fuzzy.controller import Controller
from fuzzybounds.paper.fuzzy.membership import equidistant
from fuzzybounds.paper.fuzzy.rules import RuleBase

try:
    import ex_fuzzy
    from ex_fuzzy.fuzzy_sets import fuzzyVariable, gaussianFS
    from ex_fuzzy.rules import RuleSimple
except ImportError:
    sys.exit("ex-fuzzy is not installed here: python -m pip install ex-fuzzy")

GRID = np.linspace(0, 1, 200)


def in_ex_fuzzy(controller: Controller) -> "ex_fuzzy.RuleBaseT1Regression":
    """Say the same rules in ex-fuzzy: Gaussians exp(-(x - mu)² / sigma²), products, averages."""
    variables = [
        fuzzyVariable(
            name,
            [
                gaussianFS(label, [center, width], [0.0, 1.0])
                for label, center, width in zip(own.labels, own.centers, own.widths, strict=True)
            ],
        )
        for name, own in (("time", controller.time), ("position", controller.position))
    ]
    cells = list(np.ndindex(controller.rules.consequents.shape))
    consequents = np.array([controller.rules.consequents[cell] for cell in cells])
    return ex_fuzzy.RuleBaseT1Regression(
        variables, [RuleSimple(list(c)) for c in cells], consequents
    )


def cpu_seconds(function, repeats: int, rounds: int = 7) -> float:
    """Smallest mean CPU time of a call, over several rounds."""
    times = []
    for _ in range(rounds):
        start = time.process_time()
        for _ in range(repeats):
            function()
        times.append((time.process_time() - start) / repeats)
    return min(times)


def main():
    points = np.stack(np.meshgrid(GRID, GRID, indexing="ij"), axis=-1).reshape(-1, 2)
    for n in (3, 5):
        variable = equidistant(n, convention="width")
        steps = np.arange(n)
        rules = RuleBase.from_consequents((steps[:, None] + steps >= n - 1).astype(float))
        controller = Controller(variable, variable, rules)
        theirs = in_ex_fuzzy(controller)
        difference = np.abs(
            theirs.inference(points).reshape(200, 200) - controller.output_grid(GRID, GRID)
        ).max()
        ours_time = cpu_seconds(lambda c=controller: c.output_grid(GRID, GRID), 200)
        theirs_time = cpu_seconds(lambda r=theirs: r.inference(points), 10)
        print(
            f"{n} x {n} labels: ex-fuzzy {1e3 * theirs_time:.2f} ms, fuzzybounds "
            f"{1e3 * ours_time:.3f} ms, ratio 1/{theirs_time / ours_time:.0f}; "
            f"largest difference {difference:.1e}"
        )


if __name__ == "__main__":
    main()
