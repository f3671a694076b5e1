from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from fuzzybounds.canoe import task
from fuzzybounds.cohort.fuzzy_subjects import three_session_subject
from fuzzybounds.cohort.sessions import draw_cohort, simulate_logs
from fuzzybounds.core.tables import write_csv, write_parquet
from fuzzybounds.logs import recordings
from fuzzybounds.logs.reading import read_logs
from fuzzybounds.logs.validation import CHECKS, validate

SEED, DATASET = 3, "test"
BLOCKS = 6


def short(subject, blocks=BLOCKS):
    return dataclasses.replace(subject, blocks=blocks, blocks_a_session=2)


@pytest.fixture(scope="module")
def cohort():
    return draw_cohort(SEED, DATASET, one_session=3, three_session=2, follow="rules")


@pytest.fixture(scope="module")
def simulated(cohort):
    """Logs and paths of the first blocks of S01, T1 and T2."""
    chosen = [cohort[0], *cohort[3:]]
    return {subject.name: simulate_logs(short(subject), SEED, DATASET) for subject in chosen}


def test_a_new_subject_changes_no_other(cohort):
    more = draw_cohort(SEED, DATASET, one_session=5, three_session=3, follow="rules")
    by_name = {subject.name: subject.to_json() for subject in more}
    for subject in cohort:
        assert by_name[subject.name] == subject.to_json()


class TestTruth:
    def test_the_mean_controller_is_the_one_halfway_in_other_units(self, cohort):
        t, x = np.linspace(0, 1, 7), np.linspace(0, 1, 9)
        for subject in cohort:
            mean = subject.mean_controller("easy", range(5, 6), (15.0, 420.0))
            expected = subject.controller("easy", 5).output_grid(15 * t, 420 * x)
            np.testing.assert_allclose(mean.output_grid(t, x), expected, rtol=1e-9)
            between = subject.mean_controller("easy", range(1, 21), (1.0, 1.0)).position.centers[-1]
            ends = [subject.controller("easy", block).position.centers[-1] for block in (1, 20)]
            assert min(ends) < between < max(ends)

    @pytest.mark.parametrize(("hasty", "continues"), [(True, 1), (False, 4)])
    def test_three_session_subjects_go_on_as_often_as_in_the_paper(self, hasty, continues):
        """C15: subject 1 goes on only for (S, S), subject 2 by four rules."""
        subject = three_session_subject(SEED, DATASET, "T1", hasty)
        consequents = subject.policies["easy"].rules.consequents
        assert consequents.shape == (3, 3)
        assert (consequents == 0).sum() == continues


def test_practice_stretches_the_position_labels_and_nothing_else(cohort):
    for subject in cohort:
        policy = subject.policies["easy"]
        centers = np.array([subject.controller("easy", b).position.centers for b in range(1, 41)])
        steps = np.diff(centers[:, 1:], axis=0)
        assert (np.sign(steps) == np.sign(np.log(policy.stretch))).all()
        after, stretched = policy.controller(1.0), policy.position.scaled(policy.stretch)
        np.testing.assert_allclose(after.position.centers, stretched.centers)
        np.testing.assert_allclose(after.position.widths, stretched.widths)
        assert after.time is policy.time
        assert after.rules is policy.rules


class TestLogs:
    def test_blocks_last_their_minute_and_end_with_the_trial_that_was_running(self, simulated):
        for logs, _ in simulated.values():
            for _, block in logs.groupby("block"):
                assert block["total"].sum() >= task.BLOCK
                assert block["total"].iloc[:-1].sum() < task.BLOCK

    def test_they_pass_every_check_and_so_do_their_paths(self, simulated, tmp_path):
        for name, (logs, paths) in simulated.items():
            write_csv(logs, tmp_path / f"{name}.csv")
            if paths is not None:
                write_parquet(paths.assign(subject=name), tmp_path / f"{name}.parquet")
        strict = {check.name: "error" for check in CHECKS} | {"missed_deadline": "keep"}
        result = validate(read_logs(tmp_path.glob("*.csv")).raw, strict)
        assert result.exclusions.empty
        assert len(result.trials) == sum(len(logs) for logs, _ in simulated.values())
        paths = recordings.validate(recordings.read(tmp_path.glob("*.parquet")), result.trials)
        recorded = paths.groupby("subject")["trial"].nunique().to_dict()
        assert recorded == {name: len(simulated[name][0]) for name in ("T1", "T2")}
