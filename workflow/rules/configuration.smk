import os
import sys
from pathlib import Path

# Relative paths, so that a run in another folder is the same run.
WORKFLOW = Path(os.path.relpath(Path(workflow.current_basedir).parent))
SOURCE = WORKFLOW.parent / "src"
sys.path[:0] = [str(WORKFLOW.resolve()), str(SOURCE.resolve())]

from fuzzybounds.storage.errors import InputError
from fuzzybounds.storage.schemas import read_yaml

try:
    # Before Snakemake reads it, whose message about a broken file has no line number.
    if Path("config.yaml").is_file():
        read_yaml("config.yaml")
except InputError as error:
    sys.exit(f"error: {error}")
