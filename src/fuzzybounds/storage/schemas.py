"""Read and check YAML documents, with errors that tell the user what to do."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from fuzzybounds.storage.errors import InputError, counted, suggestion

LARGEST = 100_000
"""Most values of a document, with aliases expanded: a few lines can stand for billions."""


def read_yaml(path: str | Path) -> Any:
    """Read a YAML document as plain data; anything else in it is an :class:`InputError`.

    So is a duplicated key, of which YAML would take the last.
    """
    try:
        text = Path(path).read_text(encoding="utf-8")
    except (ValueError, OSError) as error:
        reason = " ".join(str(error).split()) or type(error).__name__
        raise InputError(f"{path}: not a readable YAML document ({reason})") from error
    return parse_yaml(text, str(path))


def parse_yaml(text: str, where: str) -> Any:
    """Parse a YAML document as plain data; `where` names it in errors."""
    import yaml

    # The compiled safe loader: some documents are read at every start of the workflow.
    base: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

    class SafeLoader(base):
        def construct_mapping(self, node: Any, deep: bool = False) -> dict[Any, Any]:
            pairs = node.value if isinstance(node, yaml.MappingNode) else []
            seen: set[str] = set()
            for key in (key for key, _ in pairs if isinstance(key, yaml.ScalarNode)):
                if key.value in seen:
                    problem = f"{key.value} occurs twice"
                    raise yaml.constructor.ConstructorError(None, None, problem, key.start_mark)
                seen.add(key.value)
            return super().construct_mapping(node, deep)

        merged = 0

        def flatten_mapping(self, node: Any) -> None:
            super().flatten_mapping(node)
            self.merged += len(node.value)
            if self.merged > LARGEST:
                problem = f"more than {LARGEST} keys with those of << written out"
                raise yaml.constructor.ConstructorError(None, None, problem, node.start_mark)

    try:
        document = yaml.load(text, Loader=SafeLoader)
    except (yaml.YAMLError, ValueError, TypeError, RecursionError) as error:
        raise InputError(f"{where}: not a readable YAML document ({_reason(error)})") from error
    if sum(1 for _ in itertools.islice(_nodes(document), LARGEST + 1)) > LARGEST:
        raise InputError(f"{where}: more than {LARGEST} values", ["expected a small document"])
    return document


def _reason(error: Exception) -> str:
    """Return in one line where and why a document cannot be parsed."""
    mark, problem = getattr(error, "problem_mark", None), getattr(error, "problem", None)
    if mark is not None and problem:
        return f"line {mark.line + 1}, column {mark.column + 1}: {problem}"
    return " ".join(str(error).split()) or type(error).__name__


def _nodes(document: Any) -> Iterator[tuple[str, Any]]:
    """Every value of a document with the path that leads to it, without recursion."""
    waiting: list[tuple[str, Any]] = [("", document)]
    while waiting:
        where, node = waiting.pop()
        yield where, node
        if isinstance(node, dict):
            items: Iterable[tuple[Any, Any]] = node.items()
        elif isinstance(node, list | tuple | set):
            items = enumerate(node)
        else:
            continue
        waiting += [(f"{where}.{key}" if where else str(key), own) for key, own in items]


def check(document: Any, schema: dict[str, Any], source: str) -> None:
    """Raise an :class:`InputError` that lists everything in which a document breaks its schema.

    An unknown key is answered with the nearest known one.

    Parameters
    ----------
    document
        Plain data, as read from YAML or JSON.
    schema : dict
        A JSON schema (draft 2020-12).
    source : str
        Name of the file, for the message.
    """
    found = sorted(_validator(schema).iter_errors(document), key=lambda error: _path(error.path))
    problems = [problem for error in found for problem in _problems(error)]
    problems += [
        f"{where}: {node!r}; expected a finite number"
        for where, node in _nodes(document)
        if isinstance(node, float) and not math.isfinite(node)
    ]
    if problems:
        raise InputError(f"{source}: {counted(problems)}", problems)


def _validator(schema: dict[str, Any]) -> Any:
    """Return a validator that does not accept 20.0 as an integer."""
    import jsonschema

    strict = jsonschema.Draft202012Validator.TYPE_CHECKER.redefine(
        "integer", lambda _, value: isinstance(value, int) and not isinstance(value, bool)
    )
    return jsonschema.validators.extend(jsonschema.Draft202012Validator, type_checker=strict)(
        schema
    )


def _kind(schema: dict[str, Any]) -> str:
    """What a schema allows, in a few words."""
    if "enum" in schema:
        return f"one of {', '.join(map(str, schema['enum']))}"
    if schema.get("type") == "object":
        return f"the keys {', '.join(schema.get('properties', {}))}"
    if schema.get("type") == "array":
        return f"a list of {_kind(schema['items'])}"
    kinds = schema.get("type", "anything")
    return kinds if isinstance(kinds, str) else " or ".join(kinds)


def _path(parts: Any) -> list[str]:
    return list(map(str, parts))


def _problems(error: Any) -> Iterator[str]:
    where = ".".join(map(str, error.absolute_path))
    if error.validator == "additionalProperties" and error.validator_value is False:
        known = list(error.schema.get("properties", {}))
        for key in sorted(set(map(str, error.instance)) - set(known)):
            yield f"{where + '.' if where else ''}{key}: unknown key; {suggestion(key, known)}"
    elif error.validator == "enum":
        allowed = ", ".join(map(str, error.validator_value))
        yield f"{where}: {error.instance!r}; expected one of {allowed}"
    elif error.validator == "anyOf":
        # Of alternatives the one of the same kind is explained; where there is none, all are named.
        kinds = [own for own in error.context if own.validator not in ("type", "enum")]
        if kinds:
            yield from (problem for own in kinds for problem in _problems(own))
        else:
            allowed = " or ".join(map(_kind, error.validator_value))
            yield f"{where}: {error.instance!r}; expected {allowed}"
    elif error.validator == "type":
        kinds = error.validator_value
        expected = kinds if isinstance(kinds, str) else " or ".join(kinds)
        yield f"{where or 'document'}: {error.instance!r}; expected {expected}"
    else:
        yield f"{where or 'document'}: {error.message}"
