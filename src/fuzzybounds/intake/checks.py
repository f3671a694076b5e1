"""Everything that can be wrong with a row of a log, and how it is handled by default.

``config.yaml`` gives the reason for each default.
"""

from __future__ import annotations

from typing import NamedTuple

from fuzzybounds.canoe.paths import TOLERANCE
from fuzzybounds.canoe.task import DEADLINE, EDGE, OVERHEAD, SPEED

ERROR, EXCLUDE, KEEP = ACTIONS = ("error", "exclude", "keep")
STRICT, KEEPABLE, KEPT = (ERROR, EXCLUDE), (ERROR, EXCLUDE, KEEP), (KEEP, ERROR, EXCLUDE)
"""What can be done about a row, first what is done by default; some rows cannot be used as they
are."""

TIME_SLACK = 0.002
"""Seconds by which logged sums of times may differ: they are printed with five digits."""


class Check(NamedTuple):
    """Something that can be wrong with a row, and what can be done about it."""

    name: str
    column: str
    expected: str
    actions: tuple[str, ...] = STRICT
    fix: str = "correct the rows"

    @property
    def action(self) -> str:
        """What is done by default."""
        return self.actions[0]

    @property
    def keepable(self) -> bool:
        """Whether such a row can still be used as it is."""
        return KEEP in self.actions

    def remedy(self, most: bool = False) -> str:
        """What a person can do about it; to exclude `most` rows is no remedy."""
        actions = [
            own for own in ACTIONS[1:] if own in self.actions and not (most and own == EXCLUDE)
        ]
        if not actions:
            return self.fix
        return f"{self.fix}, or set `validation.{self.name}: {' or '.join(actions)}` in config.yaml"


_REACH = f"at most {SPEED:g} px for each second of rt"
_LATTICE = f"within {TOLERANCE:g} px of a position that the canoe can reach"
_PX = "positions in px from the centre, most of them where the canoe can be at that time"
_REWARD = "+20 or -20 on easy, +1 or -1 on hard trials, positive when correct"
_TOTAL = f"rt + {OVERHEAD:g} s + 3 s after an incorrect easy trial"
_TRIALS = "one row per trial, numbered continuously through blocks and sessions"
_IMPORT = "correct the cells, or map other names by `{}` with `fuzzybounds import`"
_UNIT = "import the files with the right `units.position` in the mapping"
_NUMBER = "number the trials of each subject continuously, or omit the column"
_SORT = "sort the rows, and number blocks continuously through the sessions"
CHECKS = (
    Check("not_a_number", "", "a finite number", fix="correct the cells"),
    Check(
        "unknown_condition",
        "condition",
        "easy or hard (1 or 2)",
        STRICT,
        _IMPORT.format("conditions"),
    ),
    Check("unknown_outcome", "correct", "0 or 1", STRICT, _IMPORT.format("outcomes")),
    Check("wrong_units", "position", _PX, KEEPABLE, _UNIT),
    Check("time_out_of_range", "rt", f"0 to {DEADLINE:g} s", STRICT, "correct the times"),
    Check("off_screen", "position", f"-{EDGE:g} to {EDGE:g} px", STRICT, "correct the positions"),
    Check("out_of_reach", "position", _REACH, STRICT, "correct the positions"),
    # Dropped frames slow the canoe: the response is real, but has no path.
    Check("off_lattice", "position", _LATTICE, KEPT),
    Check("reward_mismatch", "reward", _REWARD, KEEPABLE),
    Check("total_mismatch", "total", _TOTAL, KEEPABLE),
    Check("missed_deadline", "rt", "a response before the deadline", KEPT),
    Check(
        "missed_but_correct",
        "correct",
        "0 where the deadline was missed",
        KEEPABLE,
        "correct the outcomes",
    ),
    # The published logs leave the 15 s out; they are added.
    Check("missed_without_wait", "total", f"{DEADLINE:g} s of watching included", KEPT),
    Check("repeated_trial", "trial", _TRIALS, STRICT, _NUMBER),
    # Without trial numbers two equal trials look like one logged twice.
    Check("repeated_row", "", "a row that differs from the others of its block", KEPT),
    Check(
        "blocks_out_of_order",
        "block",
        "not less than in the subject's rows before",
        KEEPABLE,
        _SORT,
    ),
)
DEFAULT_ACTIONS = {check.name: check.action for check in CHECKS}
