from __future__ import annotations

import dataclasses

import numpy as np
import pandas as pd
import pytest

from fuzzybounds.canoe import task
from fuzzybounds.cohort.fuzzy_subjects import (
    Subject,
    three_session_subject,
)
from fuzzybounds.cohort.sessions import TRIALS_A_BLOCK, draw_cohort, simulate_logs
from fuzzybounds.core.tables import read_json, write_csv, write_json, write_parquet
from fuzzybounds.logs import recordings
from fuzzybounds.logs.reading import read_tidy
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


@pytest.fixture(scope="module")
def read_back(cohort, tmp_path_factory):
    """The cohort as read from its truth file."""
    path = tmp_path_factory.mktemp("truth") / "truth.json"
    write_json([subject.to_json() for subject in cohort], path)
    return [Subject.from_json(entry) for entry in read_json(path)]


class TestTruth:
    def test_it_comes_back_whole(self, cohort, read_back):
        for written, subject in zip(read_back, cohort, strict=True):
            assert written.to_json() == subject.to_json()
            for field in dataclasses.fields(subject):
                if field.name != "policies":
                    assert getattr(written, field.name) == getattr(subject, field.name)

    def test_who_is_read_back_does_as_before(self, read_back, simulated):
        logs, _ = simulate_logs(short(read_back[0]), SEED, DATASET)
        pd.testing.assert_frame_equal(logs, simulated["S01"][0])

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


class TestPractice:
    def test_it_stretches_the_position_labels_and_nothing_else(self, cohort):
        for subject in cohort:
            policy = subject.policies["easy"]
            centers = np.array(
                [subject.controller("easy", b).position.centers for b in range(1, 41)]
            )
            steps = np.diff(centers[:, 1:], axis=0)
            assert (np.sign(steps) == np.sign(np.log(policy.stretch))).all()
            after = policy.controller(1.0)
            np.testing.assert_allclose(
                after.position.centers, policy.position.centers * policy.stretch
            )
            np.testing.assert_allclose(
                after.position.widths, policy.position.widths * policy.stretch
            )
            np.testing.assert_array_equal(after.time.centers, policy.time.centers)
            np.testing.assert_array_equal(after.rules.consequents, policy.rules.consequents)


class TestLogs:
    def test_same_seed_same_bytes(self, cohort, simulated, tmp_path):
        for run in ("1", "2"):
            logs, paths = (
                simulated["T1"] if run == "1" else simulate_logs(short(cohort[3]), SEED, DATASET)
            )
            write_csv(logs, tmp_path / run / "T1.csv")
            write_parquet(paths, tmp_path / run / "T1.parquet")
        for name in ("T1.csv", "T1.parquet"):
            assert (tmp_path / "1" / name).read_bytes() == (tmp_path / "2" / name).read_bytes()

    def test_blocks_last_their_minute_and_end_with_the_trial_that_was_running(self, simulated):
        for logs, _ in simulated.values():
            for _, block in logs.groupby("block"):
                assert block["total"].sum() >= task.BLOCK
                assert block["total"].iloc[:-1].sum() < task.BLOCK

    def test_the_fullest_block_fits(self):
        """A subject who responds at once needs no more trials per block than are simulated."""
        quickest = task.FRAME + task.OVERHEAD
        assert (TRIALS_A_BLOCK - 1) * quickest < task.BLOCK <= TRIALS_A_BLOCK * quickest

    def test_they_pass_every_check_and_so_do_their_paths(self, simulated, tmp_path):
        for name, (logs, paths) in simulated.items():
            write_csv(logs, tmp_path / f"{name}.csv")
            if paths is not None:
                write_parquet(paths.assign(subject=name), tmp_path / f"{name}.parquet")
        strict = {check.name: "error" for check in CHECKS} | {"missed_deadline": "keep"}
        result = validate(read_tidy(tmp_path.glob("*.csv")), strict)
        assert result.exclusions.empty
        assert len(result.trials) == sum(len(logs) for logs, _ in simulated.values())
        paths = recordings.validate(recordings.read(tmp_path.glob("*.parquet")), result.trials)
        recorded = paths.groupby("subject")["trial"].nunique().to_dict()
        assert recorded == {name: len(simulated[name][0]) for name in ("T1", "T2")}

    def test_recorded_paths_have_a_row_a_frame(self, simulated):
        logs, paths = simulated["T2"]
        watched = logs["rt"].where(logs["rt"] > 0, task.DEADLINE)
        frames = (watched * 60).round().astype(int) + 1
        assert paths.groupby("trial").size().tolist() == frames.tolist()
        np.testing.assert_allclose(paths.groupby("trial")["time"].max(), watched, atol=1e-5)

    def test_who_stops_sooner_is_whose_rules_say_so(self, simulated):
        """The hasty subject responds nearer to the centre than the cautious one."""
        medians = {
            name: logs.loc[(logs["condition"] == "easy") & (logs["rt"] > 0), "position"]
            .abs()
            .median()
            for name, (logs, _) in simulated.items()
        }
        assert medians["T1"] < medians["T2"]
