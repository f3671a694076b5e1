"""The derivative of a policy's reward rate by every stop probability, exactly.

The values of stopping and of going on are carried backward over the lattice of
:mod:`fuzzybounds.paper.reinforcement.policy_value`:

    d rate / d p = P(still on there) (value of stopping - value of going on) / E[d].
"""

from __future__ import annotations

import numpy as np

from fuzzybounds.canoe.lattice import distance_of
from fuzzybounds.canoe.task import FRAME, FRAMES_PER_STEP, OVERHEAD
from fuzzybounds.core.compilation import njit
from fuzzybounds.paper.reinforcement.design import Design
from fuzzybounds.paper.reinforcement.policy_value import NEVER, carry_forward, tables_of


def rate_gradient(
    policy: np.ndarray, design: Design, *, every: int = 1
) -> tuple[float, np.ndarray]:
    """Return the reward rate and its derivative by each stop probability of a policy.

    A table for all conditions gets the sum over them.  Between decisions it is 0.
    """
    tables = tables_of(policy, design, every)
    evaluation, on_at = carry_forward(tables, design, every)
    rate, time = evaluation.reward_rate, evaluation.time.sum()
    gradient = np.zeros(np.shape(policy))
    gradients = gradient if gradient.ndim == 3 else [gradient] * len(tables)
    for table, condition, on, into in zip(tables, design.conditions, on_at, gradients, strict=True):
        task = (condition.p0, design.deadline_steps, condition.payoff, condition.penalty)
        _backward(table, *task, rate, on, into, every)
    gradient[..., ::every, :] /= time
    return rate, gradient


@njit(nogil=True)
def _payoff(walked, frame, payoff, penalty, rate):
    """Return the reward of a response minus the cost of its trial's time."""
    side = (walked > 0) - (walked < 0)
    return payoff * side - rate * (frame * FRAME + OVERHEAD + penalty * (1 - side) / 2)


@njit(nogil=True)
def _backward(table, p0, steps, payoff, penalty, rate, on, gradient, every):
    """Add the derivative of E[r] - rate E[d] by each stop probability to `gradient`."""
    frames = steps * FRAMES_PER_STEP
    deadline = -payoff - rate * (frames * FRAME + OVERHEAD + penalty)
    value = np.full((steps + 1, steps + 1), deadline)
    still = np.empty(FRAMES_PER_STEP + 1)  # before each decision
    for n in range(steps - 1, -1, -1):
        last = FRAMES_PER_STEP if n < steps - 1 else FRAMES_PER_STEP - every
        for k in range(n + 1):
            expected = 0.0
            for toward in range(2):
                chance = p0 if toward else 1.0 - p0
                start, way = FRAMES_PER_STEP * (2 * k - n), 2 * toward - 1
                left = on[n, k] * chance
                for j in range(every, last + 1, every):
                    still[j] = left
                    p = table[n * FRAMES_PER_STEP + j, distance_of(start + way * j)]
                    left = left * (1.0 - p) if left > NEVER else 0.0
                go_on = value[n + 1, k + toward]
                for j in range(last, 0, -every):
                    walked, frame = start + way * j, n * FRAMES_PER_STEP + j
                    distance = distance_of(walked)
                    respond = _payoff(walked, frame, payoff, penalty, rate)
                    gradient[frame, distance] += still[j] * (respond - go_on)
                    go_on += table[frame, distance] * (respond - go_on)
                expected += chance * go_on
            value[n, k] = expected
    gradient[0, 0] += _payoff(0, 0, payoff, penalty, rate) - value[0, 0]
