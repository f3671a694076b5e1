"""What changes the digest of code: all that runs, and nothing that only readers see."""

from __future__ import annotations

import pytest

from fuzzybounds.core import source_graph

MODULE = '''"""Words."""

from fuzzybounds import helper

LIMIT = 3
"""The limit."""


class Model:
    """A model."""

    def fit(self, x):
        """Fit it."""
        if x > LIMIT:
            raise ValueError(f"{x} is too large")
        if not x:
            raise TooFew("no trials")
        return f"{helper.scaled(x)} units"  # a comment
'''
FILES = {
    "__init__.py": "",
    "model.py": MODULE,
    "helper.py": "TABLE = read('helper.yaml')\n\ndef scaled(x):\n    return 2 * x\n",
    "helper.yaml": "a: 1\n",
    "other.yaml": "a: 1\n",
    "other.py": "",
}


@pytest.fixture
def digest_of(tmp_path):
    """The digest of the module with some texts of its files replaced."""

    def digest(file="model.py", old="", new=""):
        assert old in FILES[file]
        # A folder of its own: what was read is remembered by its path.
        source = tmp_path / str(len(list(tmp_path.iterdir())))
        (source / "fuzzybounds").mkdir(parents=True)
        for name, text in FILES.items():
            changed = text.replace(old, new, 1) if name == file else text
            (source / "fuzzybounds" / name).write_text(changed)
        return source_graph.digest(source / "fuzzybounds/model.py", source=source)

    return digest


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Words", "Other words"),
        ("The limit", "A limit"),
        ("Fit it", "Fit"),
        ("# a comment", ""),
        ("is too large", "is above the limit"),
        ("x > LIMIT", "(x   >   LIMIT)"),
    ],
)
def test_what_only_readers_see_is_not_code(digest_of, old, new):
    assert digest_of("model.py", old, new) == digest_of()


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        ("model.py", "LIMIT = 3", "LIMIT = 4"),
        ("model.py", "LIMIT = 3", "LIMIT = 3.0"),
        ("model.py", "units", "parts"),
        ("model.py", "ValueError", "TypeError"),
        ("model.py", "x > LIMIT", "x < LIMIT"),
        # Figures and tables show it.
        ("model.py", "no trials", "too few trials"),
        ("helper.py", "2 * x", "3 * x"),
        ("helper.yaml", "a: 1", "a: 2"),
    ],
)
def test_what_runs_is_code(digest_of, file, old, new):
    assert digest_of(file, old, new) != digest_of()


@pytest.mark.parametrize(
    ("file", "old", "new"), [("other.py", "", "x = 1"), ("other.yaml", "1", "2")]
)
def test_what_is_not_used_does_not_count(digest_of, file, old, new):
    assert digest_of(file, old, new) == digest_of()
