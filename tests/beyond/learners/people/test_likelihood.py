"""Learning rules fitted to people."""

from itertools import combinations

import numpy as np
import pandas as pd
import pytest

from fuzzybounds.beyond.learners.people import comparison as learning_in_people
from fuzzybounds.beyond.learners.people import fits, lattice_pass, likelihood
from fuzzybounds.beyond.learners.people.sequence import sequence, shuffle_outcomes
from fuzzybounds.beyond.learners.people.subject_fits import people_table
from fuzzybounds.canoe.task import CONDITIONS, simulate_trials
from fuzzybounds.logs.reading import read_published
from fuzzybounds.logs.validation import validate
from fuzzybounds.paper.fuzzy.controller import Controller
from fuzzybounds.paper.fuzzy.rules import RuleBase
from fuzzybounds.paper.reinforcement.policy import Decisions, paper_memberships

MEMBERSHIPS = paper_memberships(3)
TABLE = np.array([[0.02, 0.1, 0.5], [0.05, 0.2, 0.6], [0.1, 0.3, 0.7]])


def log_likelihoods(subject, consequents, decisions, **options):
    compute = likelihood.Likelihood(subject, MEMBERSHIPS, MEMBERSHIPS, decisions)
    return compute(options.pop("model", "none"), consequents, **options)[0]


def trial(rt, position, condition="easy", correct=True):
    return {
        "rt": rt,
        "position": position,
        "condition": condition,
        "correct": correct,
        "responded": not np.isnan(rt),
    }


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


def by_hand(rows, consequents, decisions, leak):
    """Likelihood and the three expected traces of each trial, path by path."""
    controller = Controller(MEMBERSHIPS, MEMBERSHIPS, RuleBase.from_consequents(consequents))

    def premise(frame, place):
        return controller.premises(frame / 900, min(abs(place), 280) / 280, normalised=True)

    for row in rows:
        weights, traces = [], []
        for path in all_bridges(row["rt"], row["position"]):
            lasts, z = 1.0, np.zeros((3, 3, 3))
            end = path.size if np.isnan(row["rt"]) else path.size - 1
            for frame in range(decisions.frames, end, decisions.frames):
                y = premise(frame, path[frame])
                lasts *= 1 - (y * consequents).sum() / decisions.o
                weight = np.array([1, np.sign(path[frame]), frame / 60])[:, None, None]
                z = leak * z + weight * y
            weights.append(lasts)
            last = 0.0 if np.isnan(row["rt"]) else premise(end, path[end])
            weight = np.array([1, np.sign(path[-1]), end / 60])[:, None, None]
            traces.append(leak * z + weight * last)
        responds = 1.0 if np.isnan(row["rt"]) else (last * consequents).sum() / decisions.o
        yield np.mean(weights) * responds, np.average(traces, axis=0, weights=weights)


@pytest.mark.parametrize("decisions", [Decisions(2.0, 6), Decisions(1.5, 30), Decisions(20.0, 1)])
def test_likelihood_is_the_average_over_all_bridges(decisions):
    rows = TRIALS[:4]
    subject = sequence(table(*rows), cued=False)
    logs = log_likelihoods(subject, TABLE[None], decisions)
    expected = [likelihood for likelihood, _ in by_hand(rows, TABLE, decisions, 1.0)]
    assert np.exp(logs) == pytest.approx(expected, rel=1e-9)


def test_missed_trials_last_until_the_deadline():
    # Nothing depends on the position here, so that the path does not matter.
    flat = np.full((3, 3), 0.04)
    subject = sequence(table(TRIALS[4]), cued=False)
    logs = log_likelihoods(subject, flat[None], Decisions(1.0, 6))
    assert logs == pytest.approx([149 * np.log1p(-0.04)])


@pytest.mark.parametrize("model", ["drift", "outcome", "outcome_logit", "hindsight"])
@pytest.mark.parametrize("index", range(4))
def test_a_trial_changes_the_consequents_as_its_rule_says(model, index):
    decisions, leak, rate = Decisions(2.0, 6), 0.9, 1e-3
    # The trial after it has the likelihood of the changed consequents.
    probe = TRIALS[3]
    rows = [TRIALS[index], probe]
    subject = sequence(table(*rows), cued=False)
    options = {"model": model, "learning_rate": rate, "leak": leak}
    logs = log_likelihoods(subject, TABLE[None], decisions, **options)
    ((_, (z, sided, _)),) = by_hand(rows[:1], TABLE, decisions, leak)
    condition = CONDITIONS[rows[0]["condition"]]
    reward = condition.payoff if rows[0]["correct"] else -condition.payoff
    # rho is 0 in the first trial.
    heading = np.sign(rows[0]["position"]) * (1 if rows[0]["correct"] else -1)
    credit = {
        "drift": z,
        "outcome": reward * z,
        "outcome_logit": reward * z,
        "hindsight": reward * z - condition.payoff * heading * sided,
    }[model]
    if model == "outcome":
        changed = np.clip(TABLE - rate * credit, 0, 1)
    else:
        changed = 1 / (1 + (1 / TABLE - 1) * np.exp(rate * credit))
    ((expected, _),) = by_hand([probe], changed, decisions, leak)
    assert np.exp(logs[1]) == pytest.approx(expected, rel=1e-7)
    # A trial on one side throughout teaches nothing in hindsight, but for its cost of time.
    if model != "hindsight" or index in (0, 3):
        assert abs(changed - TABLE).max() > 1e-5


def test_serial_dependence_follows_earlier_distances():
    """Against the sum written out: alpha times faded deviations shifts all log-odds alike."""
    rows = [trial(1.75, 22.5), trial(1.0, 90.0), trial(2.3, -63.0), trial(1.75, 22.5)]
    distances = np.array([15, 60, 42, 15])
    deviation = distances - np.array([15, 15, 37.5, 39])
    decisions, leak, rate = Decisions(2.0, 6), 0.7, 0.01
    subject = sequence(table(*rows), cued=False)
    options = {"model": "serial", "learning_rate": rate, "leak": leak}
    logs = log_likelihoods(subject, TABLE[None], decisions, **options)
    for last in range(4):
        shift = -rate * sum(leak ** (last - 1 - i) * deviation[i] for i in range(last))
        shifted = 1 / (1 + (1 / TABLE - 1) * np.exp(-shift))
        ((expected, _),) = by_hand(rows[last : last + 1], shifted, decisions, leak)
        assert np.exp(logs[last]) == pytest.approx(expected, rel=1e-9)


def test_serial_dependence_stays_within_a_condition():
    rows = [trial(1.75, 22.5), trial(2.0, 90.0, "hard"), trial(0.5, 45.0), trial(2.0, 90.0, "hard")]
    subject = sequence(table(*rows), cued=True)
    assert subject.deviation.tolist() == [0.0, 0.0, 15.0, 0.0]
    without = sequence(table(*rows), cued=False).deviation
    assert without.tolist() == [0.0, 45.0, -7.5, 25.0]


def test_an_error_shifts_the_rules_of_both_conditions():
    rows = [trial(1.75, 22.5), trial(2.0, 90.0, "hard", False), trial(2.3, -63.0), trial(1.0, 90.0)]
    subject, leak, error = sequence(table(*rows), cued=True), 0.7, -0.4
    both, decisions = np.stack([TABLE, TABLE]), Decisions(2.0, 6)
    options = {"model": "serial_error", "learning_rate": 0.0, "leak": leak, "error_shift": error}
    logs = log_likelihoods(subject, both, decisions, **options)
    # The trial after the error has the whole shift; it fades with the trials of its own rule base.
    for last, shift in ((1, 0.0), (2, error), (3, leak * error)):
        shifted = 1 / (1 + (1 / TABLE - 1) * np.exp(-shift))
        ((expected, _),) = by_hand(rows[last : last + 1], shifted, decisions, leak)
        assert np.exp(logs[last]) == pytest.approx(expected, rel=1e-9)


OFF_LATTICE = trial(1.75, 40.0, "hard", False)


@pytest.mark.parametrize("model", likelihood.MODELS)
def test_trials_off_the_lattice_count_for_the_reward_rate_only(model):
    """They have no likelihood and teach nothing; the coins and the time are the subject's own."""
    rows = [TRIALS[0], OFF_LATTICE, TRIALS[3], TRIALS[2]]
    subject = sequence(table(*rows), cued=False)
    assert subject.on_lattice.tolist() == [True, False, True, True]
    compute = likelihood.Likelihood(subject, MEMBERSHIPS, MEMBERSHIPS, Decisions(2.0, 6))
    logs, scores = compute(model, TABLE[None], 1e-3, 0.9, slopes=True)
    assert logs[1] == 0.0
    assert not scores[1].any()
    without = sequence(table(*(rows[i] for i in (0, 2, 3))), cued=False)
    plain = likelihood.Likelihood(without, MEMBERSHIPS, MEMBERSHIPS, Decisions(2.0, 6))
    found = plain(model, TABLE[None], 1e-3, 0.9)[0]
    assert found[:2] == pytest.approx(logs[[0, 2]])
    # What the last trial inherits depends on the reward rate, if anything does.
    same = model in ("none", "drift", "serial", "serial_error")
    assert (abs(found[2] - logs[3]) < 1e-9) == same


def test_shuffles_keep_everything_but_the_order_of_outcomes():
    rng = np.random.default_rng(5)
    rows = [
        trial(*((np.nan, 1.5) if miss else (1.75, 22.5)), condition, bool(right) and not miss)
        for condition, right, miss in zip(
            rng.choice(["easy", "hard"], 200),
            rng.random(200) < 0.7,
            rng.random(200) < 0.1,
            strict=True,
        )
    ]
    trials = table(*rows)
    shuffled = shuffle_outcomes(trials, np.random.default_rng(1))
    others = [name for name in trials if name != "correct"]
    pd.testing.assert_frame_equal(shuffled[others], trials[others])
    by = ["condition", "responded"]
    pd.testing.assert_series_equal(
        shuffled.groupby(by)["correct"].sum(), trials.groupby(by)["correct"].sum()
    )
    assert not shuffled.loc[~shuffled["responded"], "correct"].any()
    changed = (shuffled["correct"] != trials["correct"]).groupby(trials["condition"]).sum()
    assert (changed > 10).all()


def test_cost_of_time_is_the_subject_s_own_rate():
    # After a good first trial rho > 0, and a slow second one is a loss: it raises stopping.
    rows = [trial(0.25, 22.5), trial(1.75, 22.5, "hard"), trial(2.3, -63.0)]
    subject = sequence(table(*rows), cued=False)
    first, second = subject.total[:2]
    assert first == pytest.approx(0.25 + 4.05)
    net = 1 - 20 / first * second
    decisions = Decisions(2.0, 6)
    options = {"model": "outcome", "learning_rate": 1e-5, "leak": 0.5}
    logs = log_likelihoods(subject, TABLE[None], decisions, **options)
    ((_, (z0, _, _)),) = by_hand(rows[:1], TABLE, decisions, 0.5)
    after_one = TABLE - 1e-5 * 20 * z0
    ((_, (z1, _, _)),) = by_hand(rows[1:2], after_one, decisions, 0.5)
    ((expected, _),) = by_hand(rows[2:], after_one - 1e-5 * net * z1, decisions, 0.5)
    assert np.exp(logs[2]) == pytest.approx(expected, rel=1e-9)


def test_with_cues_each_condition_has_and_learns_its_own_rules():
    subject = sequence(table(*TRIALS[:4]), cued=True)
    assert subject.cue.tolist() == [0, 1, 0, 0]
    both = np.stack([TABLE, TABLE / 2])
    decisions = Decisions(2.0, 6)
    logs = log_likelihoods(subject, both, decisions)
    alone = log_likelihoods(sequence(table(TRIALS[1]), cued=False), TABLE[None] / 2, decisions)
    assert logs[1] == pytest.approx(alone[0])
    learned = log_likelihoods(subject, both, decisions, model="outcome", learning_rate=1e-3)
    assert learned[1] == pytest.approx(logs[1])
    assert learned[2] != pytest.approx(logs[2])


@pytest.fixture(scope="module")
def simulated():
    """Trials of a subject who does not learn."""
    rng = np.random.default_rng(6)
    controller = Controller(MEMBERSHIPS, MEMBERSHIPS, RuleBase.from_consequents(TABLE / 6))

    def policy(time, distance):
        return controller.output(time / 15, distance / 420)

    parts = []
    for name, condition in CONDITIONS.items():
        trials = simulate_trials(policy, condition, 60, rng)
        parts.append(
            pd.DataFrame(
                {
                    "rt": np.where(trials.responded, trials.decision_time, np.nan),
                    "position": np.where(trials.responded, trials.position, trials.paths[:, -2]),
                    "condition": name,
                    "correct": trials.correct,
                    "responded": trials.responded,
                }
            )
        )
    frame = pd.concat(parts).sample(frac=1, random_state=1)
    frame.insert(0, "trial", np.arange(1, len(frame) + 1))
    return sequence(frame, cued=False)


@pytest.mark.parametrize("cued", [False, True])
@pytest.mark.parametrize("model", likelihood.MODELS)
def test_scores_are_those_of_finite_differences(model, cued):
    subject = sequence(table(*TRIALS, *TRIALS[::-1]), cued=cued)
    compute = likelihood.Likelihood(subject, MEMBERSHIPS, MEMBERSHIPS, Decisions(2.0, 6))
    odds = np.stack([TABLE, TABLE[::-1] * 0.9])[: 1 + cued]
    odds = np.log(odds / (1 - odds))
    at = np.concatenate([odds.ravel(), [2e-3, 0.8, 0.1 if model == "serial_error" else 0.0]])
    used = at.size - (model != "serial_error")

    def logs(parameters, **options):
        consequents = 1 / (1 + np.exp(-parameters[:-3].reshape(odds.shape)))
        return compute(model, consequents, *parameters[-3:], **options)

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
    sure = np.full((1, 3, 3), 1.0)
    rows = [trial(14.7, 27.0), trial(0.75, 22.5), trial(14.7, 27.0)]
    subject = sequence(table(*rows), cued=False)
    compute = likelihood.Likelihood(subject, MEMBERSHIPS, MEMBERSHIPS, Decisions(1.0, 6))
    logs, scores = compute("hindsight", sure * 0.9999999, 1e-9, 0.9, slopes=True)
    decisions = np.ceil(np.array([882, 45, 882]) / 6) - 1
    assert logs == pytest.approx(decisions * np.log(lattice_pass.SURE), rel=1e-4)
    assert np.isfinite(scores).all()


def test_fits_are_better_than_the_truth_and_nested(simulated):
    decisions = Decisions(1.0, 6)
    none = fits.fit_subject(simulated, "none", MEMBERSHIPS, MEMBERSHIPS, decisions)
    # Six frames at the simulated hazard of one.
    truth = log_likelihoods(simulated, 1 - (1 - TABLE[None] / 6) ** 6, decisions)
    assert (none.n, none.k) == (120, 9)
    assert none.nll <= -truth.sum()
    assert -truth.sum() - none.nll < 12  # chi-square of 9 parameters, and the coarser decisions
    learning = fits.fit_subject(
        simulated, "outcome", MEMBERSHIPS, MEMBERSHIPS, decisions, start=none
    )
    assert learning.k == 11
    assert learning.nll <= none.nll + 1e-3
    assert learning.bic > none.bic  # it did not learn
    assert none.aic == pytest.approx(18 + 2 * none.nll)
    assert none.bic == pytest.approx(9 * np.log(120) + 2 * none.nll)


def fit(model, nll, k):
    return fits.HumanFit(model, 100, k, nll, TABLE[None], np.nan, np.nan, np.nan, 0)


NLL = [
    (500, 480, 470, 475, 490, 495, 450),
    (500, 470, 455, 460, 490, 495, 460),
    (500, 499.9, 499.5, 499.6, 500, 500, 499.8),
]
"""Negative log-likelihoods of three subjects, in the order of the models."""


def fits_of(shuffled=(), nll=NLL):
    """Fits of three subjects, and of hindsight on shuffled outcomes: a tuple per shuffle."""
    logged = (
        (str(subject), 0, fit(model, value, 9 if model == "none" else 11))
        for subject, values in enumerate(nll)
        for model, value in zip(likelihood.MODELS, values, strict=True)
    )
    control = (
        (str(subject), number, fit(model, value, 11))
        for number, values in enumerate(shuffled, start=1)
        for subject, value in enumerate(values)
        for model in likelihood.FROM_OUTCOMES
    )
    return people_table([*logged, *control])


def test_selection_counts_winners_and_sums():
    # Hindsight or serial dependence win for two; the third did not learn, and pays for parameters.
    fits = fits_of([(0, 0, 0)])
    assert fits.loc[0, "theta_0_1_2"] == TABLE[1, 2]
    selection = learning_in_people.compare_learning(fits).selection
    selection = selection.set_index(["criterion", "model"])
    assert selection.loc[("bic", "hindsight"), "n_best"] == 1
    assert selection.loc[("bic", "serial"), "n_best"] == 1
    assert selection.loc[("bic", "none"), "n_best"] == 1
    assert selection.loc[("aic", "hindsight"), "better_than_drift"] == 3
    assert selection.loc[("aic", "drift"), "better_than_none"] == 2
    assert selection.loc[("aic", "none"), "total"] == 3 * (2 * 9 + 2 * 500)
    assert selection.loc["bic"]["exceedance"].sum() == pytest.approx(1)
    assert selection.loc[("aic", "hindsight"), "better_than_serial"] == 1
    assert (selection.loc["aic", "subjects"] == 3).all()


def test_the_control_compares_each_model_with_itself_on_shuffled_outcomes():
    fits = fits_of([(455, 450, 499.85), (450, 460, 499.8)])
    control = learning_in_people.compare_learning(fits).control
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
    assert two.p == 1.0
    assert two.better_than_shuffled == 0


def test_what_outcomes_explain_is_lost_by_shuffling():
    """Ten subjects, all better as logged: the exact p of the signed-rank test is 2 / 2^10."""
    nll = [(500, 480, 470, 475, 490, 495, 450)] * 10
    fits = fits_of([tuple(460 + i for i in range(10))], nll)
    control = learning_in_people.compare_learning(fits).control.set_index("model")
    assert control.loc["hindsight", "better_than_shuffled"] == 10
    assert control.loc["hindsight", "p"] == pytest.approx(2 / 2**10)
    assert control.loc["outcome", "better_than_shuffled"] == 0


@pytest.mark.parametrize(("file", "cued"), [("Canoe_A.csv", True), ("Canoe_B.csv", False)])
def test_every_published_trial_has_a_likelihood(shared_data, file, cued):
    trials = validate(read_published(shared_data / file)).trials
    consequents = np.broadcast_to(TABLE / 3, (1 + cued, 3, 3))
    for _, own in trials.groupby("subject"):
        subject = sequence(own, cued=cued)
        for model in likelihood.MODELS:
            options = {"model": model, "learning_rate": 1e-5, "leak": 0.9}
            logs = log_likelihoods(subject, consequents, Decisions(1.0, 6), **options)
            assert np.isfinite(logs).all()
