from __future__ import annotations

import pytest

from fuzzybounds.core.documents import check, read_yaml
from fuzzybounds.core.errors import InputError

SCHEMA = {
    "type": "object",
    "additionalProperties": False,
    "required": ["seed"],
    "properties": {
        "seed": {"type": "integer", "minimum": 0},
        "mirror": {"type": ["string", "null"]},
        "action": {"enum": ["error", "keep"]},
        "samples": {
            "type": "object",
            "additionalProperties": False,
            "properties": {"draws": {"type": "integer", "minimum": 1}},
        },
    },
}


def problems(document, schema=SCHEMA):
    with pytest.raises(InputError) as error:
        check(document, schema, "config.yaml")
    return error.value.problems


@pytest.mark.parametrize(
    "text", ["n: 1\nm: 2\nn: 3\n", "m: {k: 1}\nn: {k: 2}\nn: {}", "- {n: 1, n: 2}"]
)
def test_a_key_that_stands_twice_is_refused(tmp_path, text):
    path = tmp_path / "some.yaml"
    path.write_text(text)
    with pytest.raises(InputError, match=r"some\.yaml.*line \d, column \d+: n occurs twice"):
        read_yaml(path)


@pytest.mark.parametrize("text", ["- " * 50_000 + "1\n", "[" * 50_000 + "]" * 50_000])
def test_a_document_that_is_nested_too_deeply_is_refused(tmp_path, text):
    path = tmp_path / "deep.yaml"
    path.write_text(text)
    with pytest.raises(InputError, match=r"deep\.yaml.*nested.*\n.*at most 100 levels"):
        read_yaml(path)
    path.write_text("- " * 99 + "1\n")
    assert read_yaml(path)


@pytest.mark.parametrize(
    ("document", "expected"),
    [
        ({"seed": 1, "miror": "x"}, "miror: unknown key; did you mean 'mirror'?"),
        ({"seed": 1, "zzz": 1}, "zzz: unknown key; known: seed, mirror, action, samples"),
        ({"seed": True}, "seed: True; expected integer"),
        ({"seed": 1, "action": "drop"}, "action: 'drop'; expected one of error, keep"),
        (None, "document: None; expected object"),
    ],
)
def test_what_does_not_fit_is_named_with_what_was_expected(document, expected):
    check({"seed": 0, "mirror": None, "action": "keep", "samples": {"draws": 1}}, SCHEMA, "-")
    assert problems(document) == [expected]
