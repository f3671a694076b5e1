"""200 full-batch epochs on 400 points, 3 x 3 labels, against the same network in PyTorch.

Both run plain gradient descent in double precision on one thread, with the same parameters
(centres and log widths), start and learning rate, so both must end with the same loss.  Prints CPU
milliseconds per fit: PyTorch fitting one subject, PyTorch fitting a batch at once, and fuzzybounds
fitting the batch.  Target: a fit takes at most 1/20 of PyTorch's.
"""

import os
import sys
import time

os.environ.setdefault("OMP_NUM_THREADS", "1")

import numpy as np

from fuzzybounds.fuzzy.membership import equidistant
from fuzzybounds.fuzzy.network import Network
from fuzzybounds.fuzzy.tuning import Points, tune

try:
    import torch
except ImportError:
    sys.exit("PyTorch is not installed here: python -m pip install torch==2.13.0")

POINTS, LABELS, EPOCHS, BATCH, RATE = 400, 3, 200, 128, 0.5


def data(n_fits: int) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(0)
    inputs = rng.random((n_fits, 2, POINTS))
    return inputs, inputs.sum(axis=1) + rng.normal(0, 0.2, (n_fits, POINTS)) > 1


def table() -> np.ndarray:
    steps = np.arange(LABELS)
    return (steps[:, None] + steps >= LABELS - 1).astype(float)


def with_torch(inputs: np.ndarray, responded: np.ndarray) -> tuple[float, np.ndarray]:
    """Gradient descent by autograd; returns CPU seconds per fit and the losses."""
    start = equidistant(LABELS, convention="width")
    n_fits = len(inputs)
    x = torch.tensor(inputs)[..., None]
    y = torch.tensor(responded.astype(float))
    consequents = torch.tensor(table())
    unit = torch.tensor(start.widths)
    centers = torch.tensor(start.centers)
    # Deviations from the start in units of its widths, as fuzzybounds has them.
    deviation = torch.zeros((n_fits, 2, 2, 1, LABELS), dtype=torch.float64, requires_grad=True)
    optimiser = torch.optim.SGD([deviation], lr=RATE)

    def loss() -> torch.Tensor:
        mu = centers + unit * deviation[:, 0]
        sigma = unit * torch.exp(deviation[:, 1])
        y1 = torch.exp(-(((x - mu) / sigma) ** 2))
        y31 = ((y1[:, 0] @ consequents) * y1[:, 1]).sum(-1)
        y32 = y1[:, 0].sum(-1) * y1[:, 1].sum(-1)
        losses = torch.nn.functional.binary_cross_entropy(y31 / y32, y, reduction="none")
        return losses.mean(-1)

    begin = time.process_time()
    for _ in range(EPOCHS):
        optimiser.zero_grad()
        loss().sum().backward()
        optimiser.step()
    seconds = (time.process_time() - begin) / n_fits
    return seconds, loss().detach().numpy()


def with_fuzzybounds(inputs: np.ndarray, responded: np.ndarray) -> tuple[float, np.ndarray]:
    """Run the same descent with the compiled kernel; CPU seconds per fit and losses."""
    start = equidistant(LABELS, convention="width")
    network = Network.grid((LABELS, LABELS), "width")
    begin = time.process_time()
    tuned = tune(
        network,
        Points(inputs, responded),
        np.tile(table().ravel(), (len(inputs), 1)),
        np.tile(start.centers, 2),
        np.tile(start.widths, 2),
        optimiser="gradient_descent",
        penalty=0.0,
        learning_rate=RATE,
        max_iterations=EPOCHS,
        gradient_tolerance=0.0,
    )
    return (time.process_time() - begin) / len(inputs), tuned.loss_after


def main():
    torch.set_num_threads(1)
    inputs, responded = data(BATCH)
    for function in (with_torch, with_fuzzybounds):
        function(inputs[:1], responded[:1])  # compiled and warm
    rounds = [
        (
            with_torch(inputs[:1], responded[:1]),
            with_torch(inputs, responded),
            with_fuzzybounds(inputs, responded),
            with_fuzzybounds(inputs[:1], responded[:1]),
        )
        for _ in range(3)
    ]
    single, batched, ours, ours_single = (min(r[k][0] for r in rounds) for k in range(4))
    difference = np.abs(rounds[0][1][1] - rounds[0][2][1]).max()
    print(f"PyTorch {torch.__version__}, one fit:      {1e3 * single:8.2f} ms per fit")
    print(f"PyTorch {torch.__version__}, {BATCH} at once:  {1e3 * batched:8.2f} ms per fit")
    print(f"fuzzybounds, one fit:            {1e3 * ours_single:8.2f} ms per fit")
    print(f"fuzzybounds, {BATCH} at once:        {1e3 * ours:8.2f} ms per fit")
    print(
        f"ratio of fuzzybounds' batch to one PyTorch fit 1/{single / ours:.0f}, to its batch "
        f"1/{batched / ours:.0f}; largest difference of the final losses {difference:.1e}"
    )


if __name__ == "__main__":
    main()
