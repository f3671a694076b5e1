"""Learning rules fitted to people."""

from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from scipy.special import expit, logit

from fuzzybounds.beyond.learners.people import kernel
from fuzzybounds.beyond.learners.people.comparison import compare_learning
from fuzzybounds.beyond.learners.people.fits import fit_people, fit_subject
from fuzzybounds.beyond.learners.people.likelihood import FROM_OUTCOMES, MODELS, Likelihood
from fuzzybounds.beyond.learners.people.sequence import sequence
from fuzzybounds.canoe.task import CONDITIONS, simulate_trials
from fuzzybounds.core.dictionary import TABLES
from fuzzybounds.paper.fuzzy.controller import Controller
from fuzzybounds.paper.fuzzy.rules import RuleBase
from fuzzybounds.paper.reinforcement.policy import paper_memberships

MEMBERSHIPS = paper_memberships(3)
TABLE = np.array([[0.01, 0.05, 0.25], [0.025, 0.1, 0.3], [0.05, 0.15, 0.35]])


def controller_of(consequents):
    return Controller(MEMBERSHIPS, MEMBERSHIPS, RuleBase.from_consequents(consequents))


def log_likelihoods(rows, consequents, frames=6, *, cued=False, model="none", **options):
    compute = Likelihood(sequence(table(*rows), cued=cued), MEMBERSHIPS, frames)
    return compute(model, consequents, **options)[0]


def trial(rt, position, condition="easy", correct=True):
    row = {"rt": rt, "position": position, "condition": condition, "correct": correct}
    return row | {"responded": not np.isnan(rt)}


def table(*rows):
    frame = pd.DataFrame(rows)
    frame.insert(0, "trial", np.arange(1, len(rows) + 1))
    return frame


# (rt, position): 2 of 3 steps right and 0.25 s left; on a step; within the first step.
TRIALS = [
    trial(1.75, 22.5),
    trial(2.0, 90.0, "hard", False),
    trial(0.1, -9.0),
    trial(2.3, -63.0, "easy", False),
    trial(np.nan, 1.5, "hard", False),
]


def all_bridges(rt, position):
    """Positions in frames of movement at every frame, on every path that ends there."""
    frames = 899 if np.isnan(rt) else round(rt * 60)
    steps = frames // 30 + (frames % 30 > 0)
    for rights in range(steps + 1):
        for where in combinations(range(steps), rights):
            directions = np.full(steps, -1)
            directions[list(where)] = 1
            path = np.append(0, np.cumsum(np.repeat(directions, 30)))[: frames + 1]
            if path[-1] == round(position / 1.5):
                yield path


def by_hand(row, consequents, leak=1.0, frames=6):
    """Likelihood and the three expected traces of a trial, path by path."""
    controller = controller_of(consequents)

    def premise(frame, place):
        return controller.premises(frame / 900, min(abs(place), 280) / 280, normalised=True)

    weights, traces = [], []
    for path in all_bridges(row["rt"], row["position"]):
        lasts, z = 1.0, np.zeros((3, 3, 3))
        end = path.size - 1
        for frame in range(frames, end, frames):
            y = premise(frame, path[frame])
            lasts *= 1 - (y * consequents).sum()
            weight = np.array([1, np.sign(path[frame]), frame / 60])[:, None, None]
            z = leak * z + weight * y
        weights.append(lasts)
        last = premise(end, path[end])
        weight = np.array([1, np.sign(path[-1]), end / 60])[:, None, None]
        traces.append(leak * z + weight * last)
    responds = (last * consequents).sum()
    return np.mean(weights) * responds, np.average(traces, axis=0, weights=weights)


@pytest.mark.parametrize("frames", [6, 30, 1])
def test_likelihood_is_the_average_over_all_bridges(frames):
    logs = log_likelihoods(TRIALS[:4], TABLE[None], frames)
    expected = [by_hand(row, TABLE, frames=frames)[0] for row in TRIALS[:4]]
    assert np.exp(logs) == pytest.approx(expected, rel=1e-9)


def test_missed_trials_last_until_the_deadline():
    # Nothing depends on the position here, so that the path does not matter.
    logs = log_likelihoods(TRIALS[4:], np.full((1, 3, 3), 0.04))
    assert logs == pytest.approx([149 * np.log1p(-0.04)])


@pytest.mark.parametrize("model", ["drift", "outcome", "outcome_logit", "hindsight"])
@pytest.mark.parametrize("index", range(4))
def test_a_trial_changes_the_consequents_as_its_rule_says(model, index):
    leak, rate, first = 0.9, 2e-3, TRIALS[index]
    # The trial after it has the likelihood of the changed consequents.
    probe = TRIALS[3]
    options = {"model": model, "learning_rate": rate, "leak": leak}
    logs = log_likelihoods([first, probe], TABLE[None], **options)
    z, sided, _ = by_hand(first, TABLE, leak)[1]
    condition = CONDITIONS[first["condition"]]
    reward = condition.payoff if first["correct"] else -condition.payoff
    # rho is 0 in the first trial.
    heading = np.sign(first["position"]) * (1 if first["correct"] else -1)
    credit = {
        "drift": z,
        "outcome": reward * z,
        "outcome_logit": reward * z,
        "hindsight": reward * z - condition.payoff * heading * sided,
    }[model]
    if model == "outcome":
        changed = np.clip(TABLE - rate * credit, 0, 1)
    else:
        changed = expit(logit(TABLE) - rate * credit)
    assert np.exp(logs[1]) == pytest.approx(by_hand(probe, changed)[0], rel=1e-7)
    # A trial on one side throughout teaches nothing in hindsight, but for its cost of time.
    if model != "hindsight" or index in (0, 3):
        assert abs(changed - TABLE).max() > 1e-5


def test_serial_dependence_follows_earlier_distances():
    """Against the sum written out: alpha times faded deviations shifts all log-odds alike."""
    rows = [trial(1.75, 22.5), trial(1.0, 90.0), trial(2.3, -63.0), trial(1.75, 22.5)]
    distances = np.array([15, 60, 42, 15])
    deviation = distances - np.array([15, 15, 37.5, 39])
    leak, rate = 0.7, 0.01
    logs = log_likelihoods(rows, TABLE[None], model="serial", learning_rate=rate, leak=leak)
    for last in range(4):
        shift = -rate * sum(leak ** (last - 1 - i) * deviation[i] for i in range(last))
        expected, _ = by_hand(rows[last], expit(logit(TABLE) + shift))
        assert np.exp(logs[last]) == pytest.approx(expected, rel=1e-9)


def test_deviations_stay_within_a_condition_and_use_no_later_trial():
    rows = [trial(1.75, 22.5), trial(2.0, 90.0, "hard"), trial(0.5, 45.0), trial(2.0, 90.0, "hard")]
    assert sequence(table(*rows), cued=True).deviation.tolist() == [0.0, 0.0, 15.0, 0.0]
    without = sequence(table(*rows), cued=False).deviation
    assert without.tolist() == [0.0, 45.0, -7.5, 25.0]
    fewer = sequence(table(*rows[:3]), cued=False).deviation
    assert fewer.tolist() == without[:3].tolist()


def test_an_error_shifts_the_rules_of_both_conditions():
    rows = [trial(1.75, 22.5), trial(2.0, 90.0, "hard", False), trial(2.3, -63.0), trial(1.0, 90.0)]
    leak, error = 0.7, -0.4
    options = {"model": "serial_error", "leak": leak, "error_shift": error}
    logs = log_likelihoods(rows, np.stack([TABLE, TABLE]), cued=True, **options)
    # The trial after the error has the whole shift; it fades with the trials of its own rule base.
    for last, shift in ((1, 0.0), (2, error), (3, leak * error)):
        expected, _ = by_hand(rows[last], expit(logit(TABLE) + shift))
        assert np.exp(logs[last]) == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize("model", MODELS)
def test_trials_off_the_lattice_count_for_the_reward_rate_only(model):
    """They have no likelihood and teach nothing; the coins and the time are the subject's own."""
    rows = [TRIALS[0], trial(1.75, 40.0, "hard", False), TRIALS[3], TRIALS[2]]
    subject = sequence(table(*rows), cued=False)
    assert subject.on_lattice.tolist() == [True, False, True, True]
    compute = Likelihood(subject, MEMBERSHIPS, 6)
    logs, scores = compute(model, TABLE[None], 2e-3, 0.9, slopes=True)
    assert logs[1] == 0.0
    assert not scores[1].any()
    options = {"model": model, "learning_rate": 2e-3, "leak": 0.9}
    found = log_likelihoods([rows[i] for i in (0, 2, 3)], TABLE[None], **options)
    assert found[:2] == pytest.approx(logs[[0, 2]])
    # What the last trial inherits depends on the reward rate, if anything does.
    same = model in ("none", "drift", "serial", "serial_error")
    assert (abs(found[2] - logs[3]) < 1e-9) == same


def test_cost_of_time_is_the_subject_s_own_rate():
    # After a good first trial rho > 0, and a slow second one is a loss: it raises stopping.
    rows = [trial(0.25, 22.5), trial(1.75, 22.5, "hard"), trial(2.3, -63.0)]
    first, second = sequence(table(*rows), cued=False).total[:2]
    assert first == pytest.approx(0.25 + 4.05)
    net = 1 - 20 / first * second
    options = {"model": "outcome", "learning_rate": 1e-5, "leak": 0.5}
    logs = log_likelihoods(rows, TABLE[None], **options)
    after_one = TABLE - 1e-5 * 20 * by_hand(rows[0], TABLE, 0.5)[1][0]
    z = by_hand(rows[1], after_one, 0.5)[1][0]
    expected, _ = by_hand(rows[2], after_one - 1e-5 * net * z)
    assert np.exp(logs[2]) == pytest.approx(expected, rel=1e-9)


def test_with_cues_each_condition_has_and_learns_its_own_rules():
    both, rows = np.stack([TABLE, TABLE / 2]), TRIALS[:4]
    assert sequence(table(*rows), cued=True).cue.tolist() == [0, 1, 0, 0]
    logs = log_likelihoods(rows, both, cued=True)
    assert logs[1] == pytest.approx(log_likelihoods(rows[1:2], TABLE[None] / 2)[0])
    learned = log_likelihoods(rows, both, cued=True, model="outcome", learning_rate=1e-3)
    assert learned[1] == pytest.approx(logs[1])
    assert learned[2] != pytest.approx(logs[2])


@pytest.mark.parametrize("cued", [False, True])
@pytest.mark.parametrize("model", MODELS)
def test_scores_are_those_of_finite_differences(model, cued):
    subject = sequence(table(*TRIALS, *TRIALS[::-1]), cued=cued)
    compute = Likelihood(subject, MEMBERSHIPS, 6)
    odds = logit(np.stack([TABLE, TABLE[::-1] * 0.9])[: 1 + cued])
    at = np.concatenate([odds.ravel(), [2e-3, 0.8, 0.1 if model == "serial_error" else 0.0]])
    used = at.size - (model != "serial_error")

    def logs(parameters, **options):
        return compute(
            model, expit(parameters[:-3].reshape(odds.shape)), *parameters[-3:], **options
        )

    values, scores = logs(at, slopes=True)
    assert values == pytest.approx(logs(at)[0], rel=1e-12)
    for index in range(used):
        step = (1e-7 if index == at.size - 3 else 1e-5) * np.eye(at.size)[index]
        slope = (logs(at + step)[0] - logs(at - step)[0]) / (2 * step.sum())
        assert scores[:, index] == pytest.approx(slope, rel=1e-4, abs=1e-6)
    # The first trial is before any learning; the last is not.
    assert (scores[0, -3:] == 0).all()
    assert (scores[-1, -3:used] != 0).all() == (model != "none")


def test_paths_that_hardly_last_keep_their_likelihood():
    # Every decision stops but for one in a million; 75 of them are beyond the smallest float.
    rows = [trial(14.7, 27.0), trial(0.75, 22.5), trial(14.7, 27.0)]
    compute = Likelihood(sequence(table(*rows), cued=False), MEMBERSHIPS, 6)
    logs, scores = compute("hindsight", np.full((1, 3, 3), 0.9999999), 1e-9, 0.9, slopes=True)
    decisions = np.ceil(np.array([882, 45, 882]) / 6) - 1
    assert logs == pytest.approx(decisions * np.log(kernel.SURE), rel=1e-4)
    assert np.isfinite(scores).all()


@pytest.fixture(scope="module")
def simulated():
    """Trials of a subject who does not learn."""
    rng = np.random.default_rng(6)
    controller = controller_of(TABLE / 3)

    def policy(time, distance):
        return controller.output(time / 15, distance / 420)

    rows = []
    for name, condition in CONDITIONS.items():
        trials = simulate_trials(policy, condition, 60, rng)
        rt = np.where(trials.responded, trials.decision_time, np.nan)
        place = np.where(trials.responded, trials.position, trials.paths[:, -2])
        rows += map(trial, rt, place, [name] * 60, trials.correct)
    return table(*rng.permutation(rows)).assign(subject="s")


def test_fits_are_better_than_the_truth_and_nested(simulated):
    subject = sequence(simulated, cued=False)
    none, consequents = fit_subject(subject, "none", MEMBERSHIPS, 6)
    # Six frames at the simulated hazard of one.
    truth = Likelihood(subject, MEMBERSHIPS, 6)("none", 1 - (1 - TABLE[None] / 3) ** 6)[0].sum()
    assert (none["n"], none["k"]) == (120, 9)
    # By no more than chi-square of 9 parameters, and the coarser decisions.
    assert 0 <= -truth - none["nll"] < 12
    learning, _ = fit_subject(subject, "outcome", MEMBERSHIPS, 6, consequents)
    assert learning["k"] == 11
    assert learning["nll"] <= none["nll"] + 1e-3
    assert learning["bic"] > none["bic"]  # it did not learn
    assert none["aic"] == pytest.approx(18 + 2 * none["nll"])
    assert none["bic"] == pytest.approx(9 * np.log(120) + 2 * none["nll"])


def test_the_table_has_every_model_and_each_shuffle(simulated):
    options = {"cued": False, "labels": 3, "frames": 30, "shuffles": 1}
    found = fit_people(simulated[:60], **options, seed=1, dataset="test")
    assert TABLES["learning_people"].problems(found) == []
    assert found[found["shuffle"] == 0]["model"].tolist() == list(MODELS)
    assert found[found["shuffle"] == 1]["model"].tolist() == list(FROM_OUTCOMES)
    assert found["error_shift"].notna().sum() == 2


NLL = [
    (500, 480, 470, 475, 490, 495, 450),
    (500, 470, 455, 460, 490, 495, 460),
    (500, 499.9, 499.5, 499.6, 500, 500, 499.8),
]
"""Negative log-likelihoods of three subjects, in the order of the models."""


def compared(shuffled, nll=NLL):
    """Tables from fits of three subjects, and of models on shuffled outcomes: a tuple each."""
    rows = [
        (str(subject), model, 0, value, 9 if model == "none" else 11)
        for subject, values in enumerate(nll)
        for model, value in zip(MODELS, values, strict=True)
    ]
    rows += [
        (str(subject), model, number, value, 11)
        for number, values in enumerate(shuffled, start=1)
        for subject, value in enumerate(values)
        for model in FROM_OUTCOMES
    ]
    fits = pd.DataFrame(rows, columns=["subject", "model", "shuffle", "nll", "k"])
    aic, bic = (2 * fits["nll"] + cost * fits["k"] for cost in (2, np.log(100)))
    return compare_learning(fits.assign(aic=aic, bic=bic))


def test_selection_counts_winners_and_sums():
    # Hindsight or serial dependence win for two; the third did not learn, and pays for parameters.
    selection = compared([(0, 0, 0)]).selection.set_index(["criterion", "model"])
    best = selection.loc["bic", "n_best"]
    assert best[["hindsight", "serial", "none"]].tolist() == [1, 1, 1]
    assert selection.loc[("aic", "hindsight"), "better_than_drift"] == 3
    assert selection.loc[("aic", "drift"), "better_than_none"] == 2
    assert selection.loc[("aic", "none"), "total"] == 3 * (2 * 9 + 2 * 500)
    assert selection.loc["bic"]["exceedance"].sum() == pytest.approx(1)
    assert selection.loc[("aic", "hindsight"), "better_than_serial"] == 1


def test_the_control_compares_each_model_with_itself_on_shuffled_outcomes():
    control = compared([(455, 450, 499.85), (450, 460, 499.8)]).control
    assert len(control) == 4 * 2
    one, two = (row for row in control.itertuples() if row.model == "hindsight")
    assert one.nll == pytest.approx(450 + 460 + 499.8)
    assert one.nll_shuffled == pytest.approx(455 + 450 + 499.85)
    assert one.nll_drift == pytest.approx(480 + 470 + 499.9)
    assert one.nll_serial == pytest.approx(470 + 455 + 499.5)
    assert (one.better_than_drift, one.shuffled_better_than_drift) == (3, 3)
    assert one.better_than_shuffled == 2
    # Ranks of -5, 10 and -0.05: 2, 3 and 1, so W = 3 of 3, the least decided of outcomes.
    assert one.p == pytest.approx(1.0)
    assert (two.p, two.better_than_shuffled) == (1.0, 0)
