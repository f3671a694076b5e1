"""Information criteria of a fitted model."""

from __future__ import annotations

from math import log
from typing import Protocol


class _Fitted(Protocol):
    @property
    def nll(self) -> float: ...
    @property
    def k(self) -> int: ...
    @property
    def n(self) -> int: ...


class InformationCriteria:
    """AIC and BIC of a fit with a negative log-likelihood, k parameters and n responses."""

    @property
    def aic(self: _Fitted) -> float:
        """Akaike's criterion, 2 NLL + 2 k."""
        return 2 * self.nll + 2 * self.k

    @property
    def bic(self: _Fitted) -> float:
        """Schwarz's criterion, 2 NLL + k log n."""
        return 2 * self.nll + self.k * log(self.n)
