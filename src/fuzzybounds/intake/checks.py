"""Everything that can be wrong with a row of a log, and how it is handled by default."""

from __future__ import annotations

from dataclasses import dataclass

from fuzzybounds.canoe.paths import TOLERANCE
from fuzzybounds.canoe.task import DEADLINE, EDGE, OVERHEAD, SPEED

ERROR, EXCLUDE, KEEP = "error", "exclude", "keep"
ACTIONS = (ERROR, EXCLUDE, KEEP)

TIME_SLACK = 0.002
"""Seconds by which logged sums of times may differ: they are printed with five digits."""


@dataclass(frozen=True)
class Check:
    """Something that can be wrong with a row, and how it is handled by default."""

    name: str
    column: str
    expected: str
    action: str
    reason: str
    keepable: bool = False
    """Whether such a row can still be used as it is."""
    fix: str = "correct the rows"
    """What fixes such a row."""

    @property
    def actions(self) -> tuple[str, ...]:
        """What can be done about it."""
        return ACTIONS if self.keepable else (ERROR, EXCLUDE)

    def remedy(self, most: bool = False) -> str:
        """What a person can do about it; to exclude `most` rows is no remedy."""
        actions = [action for action in self.actions[1:] if not (most and action == EXCLUDE)]
        if not actions:
            return self.fix
        return f"{self.fix}, or set `validation.{self.name}: {' or '.join(actions)}` in config.yaml"


CHECKS = (
    Check(
        "not_a_number",
        "",
        "a finite number",
        ERROR,
        "a cell that is not a number cannot be used, and its cause is worth knowing",
        fix="correct the cells",
    ),
    Check(
        "unknown_condition",
        "condition",
        "easy or hard (1 or 2)",
        ERROR,
        "payoffs and P0 follow from it",
        fix="correct the cells, or map other names by `conditions` with `fuzzybounds import`",
    ),
    Check(
        "unknown_outcome",
        "correct",
        "0 or 1",
        ERROR,
        "accuracy follows from it",
        fix="correct the cells, or map other names by `outcomes` with `fuzzybounds import`",
    ),
    Check(
        "wrong_units",
        "position",
        "positions in px from the centre, most of them where the canoe can be at that time",
        ERROR,
        "positions in another unit look like px, and every boundary computed from them is wrong",
        keepable=True,
        fix="import the files with the right `units.position` in the mapping",
    ),
    Check(
        "time_out_of_range",
        "rt",
        f"0 to {DEADLINE:g} s",
        ERROR,
        "no trial lasts longer than the deadline",
        fix="correct the times",
    ),
    Check(
        "off_screen",
        "position",
        f"-{EDGE:g} to {EDGE:g} px",
        ERROR,
        "the canoe stops at the edge of the screen",
        fix="correct the positions",
    ),
    Check(
        "out_of_reach",
        "position",
        f"at most {SPEED:g} px for each second of rt",
        ERROR,
        "the canoe cannot be further away than its speed allows",
        fix="correct the positions",
    ),
    Check(
        "off_lattice",
        "position",
        f"within {TOLERANCE:g} px of a position that the canoe can reach",
        KEEP,
        "dropped frames slow the canoe: the response is real, but its path cannot be "
        "reconstructed, so the trial is left out of everything that needs a path",
        keepable=True,
    ),
    Check(
        "reward_mismatch",
        "reward",
        "+20 or -20 on easy, +1 or -1 on hard trials, positive when correct",
        ERROR,
        "either the reward, the condition or the outcome is wrong",
        keepable=True,
    ),
    Check(
        "total_mismatch",
        "total",
        f"rt + {OVERHEAD:g} s + 3 s after an incorrect easy trial",
        ERROR,
        "reward rates follow from it",
        keepable=True,
    ),
    Check(
        "missed_deadline",
        "rt",
        "a response before the deadline",
        KEEP,
        "the subject watched until the end without responding",
        keepable=True,
    ),
    Check(
        "missed_but_correct",
        "correct",
        "0 where the deadline was missed",
        ERROR,
        "a trial without a response is scored incorrect",
        fix="correct the outcomes",
        keepable=True,
    ),
    Check(
        "missed_without_wait",
        "total",
        f"{DEADLINE:g} s of watching included",
        KEEP,
        "the published logs leave the 15 s out; they are added, and the blocks' lengths agree",
        keepable=True,
    ),
    Check(
        "repeated_trial",
        "trial",
        "one row per trial, numbered continuously through blocks and sessions",
        ERROR,
        "one of the two rows is mislabelled",
        fix="number the trials of each subject continuously, or omit the column",
    ),
    Check(
        "repeated_row",
        "",
        "a row that differs from the others of its block",
        KEEP,
        "without trial numbers two equal trials look like one logged twice; in the published logs "
        "most of the blocks would be too short without them",
        keepable=True,
    ),
    Check(
        "blocks_out_of_order",
        "block",
        "not less than in the subject's rows before",
        ERROR,
        "trial order matters for learning",
        fix="sort the rows, and number blocks continuously through the sessions",
        keepable=True,
    ),
)
DEFAULT_ACTIONS = {check.name: check.action for check in CHECKS}
