"""Verdicts and conclusions explained."""

from __future__ import annotations

from fuzzybounds.scorecard.verdicts import (
    AS_PRINTED,
    DIRECTION,
    NOT,
    UNPRINTED,
    UNTESTABLE,
)

REASONS = {
    AS_PRINTED: "Nothing was chosen or changed.",
    DIRECTION: "The order or the signs agree, the printed values do not.",
    NOT: "Neither the printed values nor their order come out.",
    UNTESTABLE: "It needs data that are not published.",
    UNPRINTED: "The paper states it without a number or a test.",
}
"""Why a verdict is what it is, where a claim gives no other reason."""

POLICY = {
    "verdict": "says whether what the paper printed comes out when it is computed as the paper "
    "says, under a reading of what it leaves open, or only if a printed statement is changed",
    "conclusion": "says whether what the paper concludes survives the control that could refute it",
}
"""The policy in short, for the report and the article; ``docs/scorecard.md`` has all of it."""
