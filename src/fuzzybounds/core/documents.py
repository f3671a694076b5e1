"""Read and check YAML documents, with errors that tell the user what to do."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from fuzzybounds.core.errors import InputError, counted
from fuzzybounds.core.suggestions import suggestion

DEEPEST = 100
"""Levels up to which a document may be nested."""


def read_yaml(path: str | Path) -> Any:
    """Read a YAML document as plain data; anything else in it is an :class:`InputError`.

    So is a duplicated key, of which YAML would take the last.
    """
    try:
        text = Path(path).read_text(encoding="utf-8")
    except (ValueError, OSError) as error:
        raise InputError(f"{path}: not a readable YAML document ({_reason(error)})") from error
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

    try:
        # Deeper documents would overflow the compiled loader's stack; its events do not.
        depth = 0
        for event in yaml.parse(text, Loader=base):
            depth += isinstance(event, yaml.CollectionStartEvent)
            depth -= isinstance(event, yaml.CollectionEndEvent)
            if depth > DEEPEST:
                raise RecursionError
        document = yaml.load(text, Loader=SafeLoader)
        list(_nodes(document))
    except RecursionError as error:
        expected = [f"expected at most {DEEPEST} levels"]
        raise InputError(
            f"{where}: not a readable YAML document (endlessly nested)", expected
        ) from error
    except (yaml.YAMLError, ValueError, TypeError) as error:
        raise InputError(f"{where}: not a readable YAML document ({_reason(error)})") from error
    return document


def with_lines(problems: Iterable[str], text: str) -> list[str]:
    """Begin each problem, ``key.key: ...``, with the line of a YAML document where its key is."""
    import yaml

    document = yaml.compose(text, Loader=yaml.SafeLoader)
    return [f"{_line(document, problem)}{problem}" for problem in problems]


def _line(node: Any, problem: str) -> str:
    words = ""
    for key in problem.partition(":")[0].split("."):
        pairs = node.value if getattr(node, "id", "") == "mapping" else []
        name, node = next((pair for pair in pairs if pair[0].value == key), (None, None))
        if name:
            words = f"line {name.start_mark.line + 1}: "
    return words


def _reason(error: Exception) -> str:
    """Return in one line where and why a document cannot be read."""
    mark, problem = getattr(error, "problem_mark", None), getattr(error, "problem", None)
    if mark is not None and problem:
        return f"line {mark.line + 1}, column {mark.column + 1}: {problem}"
    return " ".join(str(error).split()) or type(error).__name__


def _nodes(document: Any, where: str = "") -> Iterator[tuple[str, Any]]:
    """Every value of a document with the path that leads to it."""
    yield where, document
    if isinstance(document, dict | list):
        pairs = document.items() if isinstance(document, dict) else enumerate(document)
        for key, value in pairs:
            yield from _nodes(value, f"{where}.{key}" if where else str(key))


def check(document: Any, schema: dict[str, Any], source: str) -> None:
    """Raise an :class:`InputError` that lists everything in which a document breaks a JSON schema.

    An unknown key is answered with the nearest known one; `source` is the name of the file.
    """
    errors = _validator(schema).iter_errors(document)
    in_order = sorted(errors, key=lambda error: list(map(str, error.path)))
    problems = [problem for error in in_order for problem in _problems(error)]
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

    base = jsonschema.Draft202012Validator
    strict = base.TYPE_CHECKER.redefine(
        "integer", lambda _, value: isinstance(value, int) and not isinstance(value, bool)
    )
    return jsonschema.validators.extend(base, type_checker=strict)(schema)


def _kind(schema: dict[str, Any]) -> str:
    """What a schema allows, in a few words."""
    if "enum" in schema:
        return f"one of {', '.join(map(str, schema['enum']))}"
    if "properties" in schema:
        return f"the keys {', '.join(schema['properties'])}"
    if "items" in schema:
        return f"a list of {_kind(schema['items'])}"
    kinds = schema.get("type", "anything")
    return kinds if isinstance(kinds, str) else " or ".join(kinds)


def _problems(error: Any) -> Iterator[str]:
    where = ".".join(map(str, error.absolute_path))
    options = error.context if error.validator == "anyOf" else ()
    if error.validator == "additionalProperties" and error.validator_value is False:
        known = list(error.schema.get("properties", {}))
        for key in sorted(set(map(str, error.instance)) - set(known)):
            yield f"{where + '.' if where else ''}{key}: unknown key; {suggestion(key, known)}"
    # Of alternatives the one of the same kind is explained; where there is none, all are named.
    elif kinds := [one for one in options if one.validator not in ("type", "enum")]:
        yield from (problem for one in kinds for problem in _problems(one))
    elif error.validator in ("enum", "type", "anyOf"):
        known = error.validator_value if options else [{error.validator: error.validator_value}]
        allowed = " or ".join(map(_kind, known))
        yield f"{where or 'document'}: {error.instance!r}; expected {allowed}"
    else:
        yield f"{where or 'document'}: {error.message}"
