"""The public names, for editors and type checkers; ``__init__.py`` imports them on first use."""

from fuzzybounds.classifier import FuzzyClassifier as FuzzyClassifier
from fuzzybounds.core.errors import InputError as InputError
from fuzzybounds.core.results import Results as Results
from fuzzybounds.core.results import find_results as find_results
from fuzzybounds.datasets import Dataset as Dataset
from fuzzybounds.datasets import fetch as fetch
from fuzzybounds.datasets import load as load
from fuzzybounds.datasets import simulate_cohort as simulate_cohort
from fuzzybounds.fits.boundary import BoundaryFit as BoundaryFit
from fuzzybounds.fits.comparison import compare as compare
from fuzzybounds.fits.comparison import fit_population as fit_population
from fuzzybounds.fits.comparison import recover as recover
from fuzzybounds.fits.dispatch import fit as fit
from fuzzybounds.fits.dispatch import models as models
from fuzzybounds.fits.fuzzy import FuzzyFit as FuzzyFit
from fuzzybounds.fits.stopping import StoppingFit as StoppingFit
from fuzzybounds.stopping.sequences import Decisions as Decisions
from fuzzybounds.stopping.sequences import HazardModel as HazardModel
from fuzzybounds.stopping.sequences import parameter as parameter

__version__: str
__all__: list[str]
