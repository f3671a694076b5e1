"""Learning the consequents of the rules from feedback, trial by trial (Fig. 17).

The paper's rule (Eq. update_theta_final) changes every consequent by its memory of the trial,

    theta_j <- theta_j - alpha (r - rho d) z_j,
    z_j = sum over decisions t of gamma^(T - t) y_j(t).

Three ways to give credit are here.  "outcome" is the paper's.  It credits a rule for having been
active, whether it called for the response or put it off.  "score" adds what is missing to make it
the likelihood-ratio gradient of the reward rate,

    z_j = sum over t < T of y_j(t) / (o - O(t))  -  y_j(T) / O(T).

"hindsight" keeps the paper's trace and asks at each moment of it how much better the trial ended
than if the response had been given there and then: with g(t) what that response would have earned
less its cost of time (the feedback tells which side was correct),

    theta_j <- theta_j - alpha sum over t of gamma^(T - t) y_j(t) (g(T) - g(t)).

With gamma = 1 its expectation is, state by state, the gradient of the reward rate times 1 - p, the
chance to have gone on; the outcome of the trial cancels wherever both responses are on one side.

Responding at the first decision is a local maximum of the reward rate (two more steps must be seen
before accuracy grows), from where no rule that follows a gradient returns: a learning rate that is
too large ends there.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import Literal, get_args

import numpy as np

from fuzzybounds.canoe.task import DEADLINE_STEPS, FRAME, FRAMES_PER_STEP, OVERHEAD
from fuzzybounds.fuzzy.controller import Controller
from fuzzybounds.learning.design import EDGE_FRAMES, Design
from fuzzybounds.learning.policy import Decisions, position_degrees, time_degrees
from fuzzybounds.learning.random_numbers import keys, uniform
from fuzzybounds.learning.steps import step_row, tabulate
from fuzzybounds.storage.compilation import njit

Credit = Literal["outcome", "score", "hindsight"]
Clock = Literal["total", "decision"]
Range = Literal["clipped", "free", "logit"]

_OUTCOME, _SCORE, _HINDSIGHT = range(3)
CLIPPED, FREE, LOGIT = range(3)
NEVER, LARGEST_CHANGE = 1e-9, 30.0
"""On log-odds, consequents stay this far from 0 and 1, and change by no more at once."""
compiled_row = njit(nogil=True)(step_row)


@dataclass(frozen=True)
class Rule:
    """A learning rule; every choice that the paper leaves open is named (A15 to A17).

    Parameters
    ----------
    credit : {"outcome", "score", "hindsight"}
        "outcome" is the paper's rule.
    learning_rate : float
        alpha.
    leak : float
        gamma, from one decision to the next.
    sign : {-1, 1}
        Of the update; -1 as printed.  If the weights code "stop" as 0 (ambiguity A05) the printed
        rule is this one with sign 1: what is subtracted from 1 - theta is added to theta.
    rho : float, optional
        A fixed cost of time in coins/s; by default rho is estimated from the trials so far.
    rho_memory : float
        The estimate of rho is total reward over total time, with the weight of old trials
        fading over so many trials.
    clock : {"total", "decision"}
        Whether d counts the whole trial or the decision time alone.
    range : {"clipped", "free", "logit"}
        Whether consequents are kept within [0, 1] by clipping, not at all, or because the update
        is of their log-odds (which takes initial consequents strictly between 0 and 1).
    """

    credit: Credit = "outcome"
    learning_rate: float = 1e-3
    leak: float = 1.0
    sign: Literal[-1, 1] = -1
    rho: float | None = None
    rho_memory: float = np.inf
    clock: Clock = "total"
    range: Range = "clipped"

    def __post_init__(self):
        for name, value, allowed in (
            ("credit", self.credit, get_args(Credit)),
            ("clock", self.clock, get_args(Clock)),
            ("range", self.range, get_args(Range)),
            ("sign", self.sign, (-1, 1)),
        ):
            if value not in allowed:
                raise ValueError(f"{name} = {value!r}: expected one of {allowed}")
        if not 0 <= self.leak <= 1:
            raise ValueError(f"leak = {self.leak}: expected within [0, 1]")
        if not self.rho_memory >= 1:
            raise ValueError(f"rho_memory = {self.rho_memory}: expected at least 1 trial")


@dataclass(frozen=True)
class Learning:
    """What happened in every replicate.

    Attributes
    ----------
    reward, time : array of float, shape (replicates, trials)
        Coins and seconds (with overhead and penalty) of each trial.
    trials : array of int, shape (snapshots,)
        Number of trials before each snapshot of the consequents, from 0 to all.
    consequents : array, shape (replicates, snapshots, n_time, n_position)
    """

    reward: np.ndarray
    time: np.ndarray
    trials: np.ndarray
    consequents: np.ndarray


def soften(controller: Controller, by: float) -> Controller:
    """Return a controller whose consequents lie between `by` and 1 - `by`."""
    consequents = np.clip(controller.rules.consequents, by, 1 - by)
    return replace(controller, rules=replace(controller.rules, consequents=consequents))


def learn(
    rule: Rule,
    controller: Controller,
    decisions: Decisions,
    design: Design,
    *,
    trials: int,
    replicates: int,
    rng: np.random.Generator,
    every: int = 100,
    threads: int = 1,
) -> Learning:
    """Let a fuzzy controller learn its consequents in simulated trials.

    Parameters
    ----------
    rule : Rule
    controller : Controller
        Memberships and initial consequents.
    decisions : Decisions
    design : Design
        Without cues: one rule-base for all conditions.
    trials, replicates : int
    rng : numpy.random.Generator
        Gives each replicate the key of its random numbers.
    every : int
        Trials between two snapshots of the consequents.
    threads : int
        Does not change the result.
    """
    _check(rule, controller, design)
    tables = tabulate(
        time_degrees(controller.time), position_degrees(controller.position), decisions, rule.leak
    )
    shape = controller.rules.consequents.shape
    snapshots = np.unique([*range(0, trials + 1, every), trials])
    consequents = np.empty((replicates, snapshots.size, shape[0] * shape[1]))
    consequents[:, 0] = controller.rules.consequents.ravel()
    reward = np.empty((replicates, trials), dtype=np.float32)
    time = np.empty((replicates, trials), dtype=np.float32)
    conditions = np.array([(c.p0, c.payoff, c.penalty) for c in design.conditions])
    stream = keys(rng, replicates)

    def run(replicate: int) -> None:
        _learn(
            tables,
            conditions,
            _numbers(rule),
            (float(decisions.o), decisions.at_start),
            stream[replicate],
            snapshots,
            consequents[replicate],
            reward[replicate],
            time[replicate],
        )

    with ThreadPoolExecutor(threads) as pool:
        list(pool.map(run, range(replicates)))
    return Learning(reward, time, snapshots, consequents.reshape(*consequents.shape[:2], *shape))


def _check(rule: Rule, controller: Controller, design: Design) -> None:
    if design.cued or design.deadline_steps != DEADLINE_STEPS:
        raise ValueError(f"{design.name}: expected a design without cues and a deadline of 15 s")
    if not controller.rules.complete:
        raise ValueError("consequents: expected a rule for every premise")
    if rule.range == "logit":
        low, high = controller.rules.consequents.min(), controller.rules.consequents.max()
        if not 0 < low <= high < 1:
            raise ValueError(
                f"consequents between {low} and {high}: log-odds need them strictly within (0, 1); "
                "see `soften`"
            )


def _numbers(rule: Rule) -> tuple[int, float, float, float, float, int]:
    """Return a rule as the numbers that compiled code takes."""
    return (
        get_args(Credit).index(rule.credit),
        rule.sign * float(rule.learning_rate),
        np.nan if rule.rho is None else float(rule.rho),
        float(rule.rho_memory),
        1.0 if rule.clock == "total" else 0.0,
        get_args(Range).index(rule.range),
    )


@njit(nogil=True)
def _learn(tables, conditions, rule, decisions, key, snapshots, consequents, reward, time):
    """Run one replicate: fill consequents (from its row 0), reward and time."""
    credit, step_size, fixed_rho, rho_memory, whole_trial, kept = rule
    theta = consequents[0].copy()
    path = np.empty(DEADLINE_STEPS, dtype=np.int64)
    traces = np.empty((3, theta.size))
    mean_reward = mean_time = 0.0
    counter, shot = np.uint64(0), 1
    for trial in range(reward.size):
        counter += np.uint64(1)
        p0, payoff, penalty = conditions[int(uniform(key, counter) * conditions.shape[0])]
        counter += np.uint64(1)
        guess = 1 if uniform(key, counter) < 0.5 else -1
        frame, walked, counter = _respond(theta, tables, decisions, p0, key, counter, path)
        side = _side(walked, guess) if frame < tables.time.shape[0] else -1
        extra = OVERHEAD + (penalty if side < 0 else 0.0)
        reward[trial], time[trial] = payoff * side, frame * FRAME + extra

        rho = fixed_rho
        if np.isnan(fixed_rho):
            rho = mean_reward / mean_time if trial > 0 else 0.0
        net = payoff * side - rho * (frame * FRAME + whole_trial * extra)
        if credit == _SCORE:
            _score(theta, tables, decisions, frame, path, traces[0])
        else:
            _memory(tables, decisions, frame, path, credit == _HINDSIGHT, traces)
        if credit == _HINDSIGHT:
            cost = rho * whole_trial * penalty / 2
            fixed = rho * whole_trial * OVERHEAD + cost
            for j in range(theta.size):
                instead = (payoff + cost) * traces[1, j] - rho * traces[2, j] - fixed * traces[0, j]
                traces[0, j] = net * traces[0, j] - instead
        else:
            for j in range(theta.size):
                traces[0, j] *= net
        for j in range(theta.size):
            theta[j] = updated(theta[j], step_size * traces[0, j], kept)

        weight = max(1.0 / (trial + 1), 1.0 / rho_memory)
        mean_reward += weight * (payoff * side - mean_reward)
        mean_time += weight * (frame * FRAME + whole_trial * extra - mean_time)
        if snapshots[shot] == trial + 1:
            consequents[shot] = theta
            shot += 1


@njit(nogil=True)
def updated(theta, change, kept):
    """Return a consequent after a change, within its range."""
    if kept == FREE:
        return theta + change
    if kept == CLIPPED:
        return min(max(theta + change, 0.0), 1.0)
    odds = theta / (1.0 - theta) * np.exp(min(max(change, -LARGEST_CHANGE), LARGEST_CHANGE))
    return min(max(odds / (1.0 + odds), NEVER), 1.0 - NEVER)


@njit(nogil=True)
def _side(walked, guess):
    """Return 1 for a response on the correct side, -1 for a wrong one; at the centre, a guess."""
    if walked == 0:
        return guess
    return 1 if walked > 0 else -1


@njit(nogil=True)
def _output(theta, tables, frame, walked):
    """Return O, Eq. fuzzy_O, of normalised memberships."""
    time, position = tables.time[frame], tables.position[min(abs(walked), EDGE_FRAMES)]
    output, j = 0.0, 0
    for a in range(time.size):
        inner = 0.0
        for b in range(position.size):
            inner += theta[j] * position[b]
            j += 1
        output += time[a] * inner
    return output


@njit(nogil=True)
def _respond(theta, tables, decisions, p0, key, counter, path):
    """Simulate a trial: return frame and place of its end, and the counter; fill its path.

    Within a step no stop probability exceeds `bound`.  So decisions are skipped as if p were the
    bound, and the one that is not skipped is a response with probability p / bound.
    """
    o, at_start = decisions
    if at_start:
        counter += np.uint64(1)
        if uniform(key, counter) * o < _output(theta, tables, 0, 0):
            return 0, 0, counter
    per_step = FRAMES_PER_STEP // tables.frames
    k = 0
    for n in range(DEADLINE_STEPS):
        counter += np.uint64(1)
        toward = 1 if uniform(key, counter) < p0 else 0
        path[n] = toward
        peak = tables.peak[compiled_row(n, k, toward)]
        bound = 0.0
        for j in range(theta.size):
            bound += max(theta[j], 0.0) * peak[j]
        bound = min(bound / o, 1.0)
        last = per_step if n < DEADLINE_STEPS - 1 else per_step - 1
        decision = 0
        while bound > 0.0:
            if bound < 1.0:
                counter += np.uint64(1)
                skipped = np.log(1.0 - uniform(key, counter)) / np.log1p(-bound)
                if skipped >= last - decision:
                    break
                decision += int(skipped)
            decision += 1
            if decision > last:
                break
            moved = decision * tables.frames
            frame = n * FRAMES_PER_STEP + moved
            walked = FRAMES_PER_STEP * (2 * k - n) + (2 * toward - 1) * moved
            counter += np.uint64(1)
            if uniform(key, counter) * bound * o < _output(theta, tables, frame, walked):
                return frame, walked, counter
        k += toward
    return DEADLINE_STEPS * FRAMES_PER_STEP, FRAMES_PER_STEP * (2 * k - DEADLINE_STEPS), counter


@njit(nogil=True)
def _memory(tables, decisions, frame, path, all_traces, traces):
    """Fill the memory trace z of a trial and, for hindsight, those of its sides and times."""
    used = 3 if all_traces else 1
    traces[:used] = 0.0
    if decisions[1]:
        _remember(tables, 0, 0, 1.0, used, traces)
    k = 0
    steps = min(frame // FRAMES_PER_STEP, DEADLINE_STEPS)
    fade = tables.leak ** (FRAMES_PER_STEP // tables.frames)
    for n in range(steps):
        row = compiled_row(n, k, path[n])
        for j in range(traces.shape[1]):
            traces[0, j] = fade * traces[0, j] + tables.memory[row, j]
        if all_traces:
            for j in range(traces.shape[1]):
                traces[1, j] = fade * traces[1, j] + tables.sided[row, j]
                traces[2, j] = fade * traces[2, j] + tables.timed[row, j]
        k += path[n]
    start = steps * FRAMES_PER_STEP
    for moved in range(tables.frames, frame - start + 1, tables.frames):
        walked = FRAMES_PER_STEP * (2 * k - steps) + (2 * path[steps] - 1) * moved
        _remember(tables, start + moved, walked, tables.leak, used, traces)


@njit(nogil=True)
def _remember(tables, frame, walked, leak, used, traces):
    """Let the traces leak and add the premises of one decision."""
    time, position = tables.time[frame], tables.position[min(abs(walked), EDGE_FRAMES)]
    side, seconds = (walked > 0) - (walked < 0), frame * FRAME
    j = 0
    for a in range(time.size):
        for b in range(position.size):
            premise = time[a] * position[b]
            traces[0, j] = leak * traces[0, j] + premise
            if used > 1:
                traces[1, j] = leak * traces[1, j] + premise * side
                traces[2, j] = leak * traces[2, j] + premise * seconds
            j += 1


@njit(nogil=True)
def _score(theta, tables, decisions, frame, path, trace):
    """Fill the trace of "score": minus the derivative of the path's log-likelihood by theta."""
    o, at_start = decisions
    trace[:] = 0.0
    n = k = 0
    first = 0 if at_start else tables.frames
    for now in range(first, min(frame, tables.time.shape[0] - 1) + 1, tables.frames):
        while now > (n + 1) * FRAMES_PER_STEP:
            k += path[n]
            n += 1
        moved = now - n * FRAMES_PER_STEP
        walked = FRAMES_PER_STEP * (2 * k - n) + (2 * path[n] - 1) * moved
        output = _output(theta, tables, now, walked)
        weight = -1.0 / output if now == frame else 1.0 / (o - output)
        time, position = tables.time[now], tables.position[min(abs(walked), EDGE_FRAMES)]
        j = 0
        for a in range(time.size):
            for b in range(position.size):
                trace[j] = tables.leak * trace[j] + weight * time[a] * position[b]
                j += 1
