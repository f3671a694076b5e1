"""The public names, for editors and type checkers; ``__init__.py`` imports them on first use."""

from fuzzybounds.classifier import FuzzyClassifier as FuzzyClassifier
from fuzzybounds.core.results import Results as Results
from fuzzybounds.core.results import find_results as find_results
from fuzzybounds.datasets import Dataset as Dataset
from fuzzybounds.datasets import fetch as fetch
from fuzzybounds.datasets import load as load
from fuzzybounds.datasets import simulate_cohort as simulate_cohort
from fuzzybounds.other_models import BoundaryFit as BoundaryFit
from fuzzybounds.other_models import StoppingFit as StoppingFit
from fuzzybounds.other_models import fit_boundary as fit_boundary
from fuzzybounds.other_models import fit_stopping as fit_stopping
from fuzzybounds.subject_model import draw as draw
from fuzzybounds.subject_model import fit as fit
from fuzzybounds.subject_model import log_likelihood as log_likelihood
from fuzzybounds.subject_model import response_scale as response_scale
from fuzzybounds.subject_model import simulate as simulate

__version__: str
__all__: list[str]
