import os
import subprocess
from pathlib import Path
from tempfile import TemporaryDirectory


def git(*arguments):
    """What git prints; what it complains of is shown."""
    done = subprocess.run(
        ["git", *map(str, arguments)], stdout=subprocess.PIPE, text=True, check=True
    )
    return done.stdout.strip()


def copied(source):
    """The workflow's folder in a copy of the project at the commit that Snakemake reads from git."""
    repository = getattr(source, "repo_path", None) or source.hosted_repo.repo_clone
    commit = git("-C", repository, "rev-parse", f"{source.ref}^{{commit}}")
    folder = Path(".snakemake/fuzzybounds", commit)
    folder.parent.mkdir(parents=True, exist_ok=True)
    if not folder.is_dir():
        with TemporaryDirectory(dir=folder.parent) as temporary:
            git("clone", "--quiet", repository, f"{temporary}/copy")
            git("-C", f"{temporary}/copy", "checkout", "--quiet", commit)
            os.rename(f"{temporary}/copy", folder)
    return f"{folder.resolve()}/workflow/"


# A module may be read from git file by file, but jobs need the library and the notebooks as well.
HERE = (
    copied(workflow.current_basedir) if hasattr(workflow.current_basedir, "ref") else ""
)
