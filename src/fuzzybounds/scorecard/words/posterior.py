"""What is said of a claim about rules where the exact posterior of rules was computed."""

from __future__ import annotations

import pandas as pd


def by_posterior(id_: str, rule_claims: pd.DataFrame | None) -> str:
    """Return a sentence with what the table ``rule_claims`` has about a claim, or nothing."""
    if rule_claims is None:
        return ""
    # Rows without a group or a conclusion have empty cells in the file.
    table = rule_claims.fillna({"group": "", "conclusion": ""})
    parts = []
    for row in table[table["claim"] == id_].to_dict("records"):
        where = ", ".join(part for part in (f"{row['window']} blocks", row["group"]) if part)
        conclusion = f", {row['conclusion']}" if row["conclusion"] else ""
        parts.append(
            f"{row['quantity']} ({where}) {row['value']:.2f} "
            f"[{row['low']:.2f}, {row['high']:.2f}]{conclusion}"
        )
    if not parts:
        return ""
    return f" By the exact posterior of rules with three labels: {'; '.join(parts)}."
