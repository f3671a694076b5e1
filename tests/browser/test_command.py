"""``fuzzybounds task``, as it is typed."""

from __future__ import annotations

import socket
import stat
import tomllib
from contextlib import closing

import pytest
import yaml

from fuzzybounds import cli
from fuzzybounds.browser.command import token_of


def test_the_default_configuration_is_printed(capsys):
    assert cli.main(["task", "--print-config"]) == 0
    assert yaml.safe_load(capsys.readouterr().out)["blocks"] == 40


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["task"], "fuzzybounds task my_lab"),
        (["task", "../x"], "not a name"),
        (["task", "simulated"], "the name of another data set"),
        (["task", "x", "--config", "missing.yaml"], "missing.yaml: not a readable YAML document"),
        (["task", "x", "--expert"], "unknown option '--expert'"),
    ],
)
def test_mistakes_are_one_message(capsys, tmp_path, monkeypatch, arguments, expected):
    monkeypatch.chdir(tmp_path)
    try:
        code = cli.main(arguments)
    except SystemExit as left:
        code = left.code
    assert code in (1, 2)
    assert expected in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_the_page_is_installed_with_the_package(project_root):
    package = project_root / "src/fuzzybounds/browser"
    declared = tomllib.loads((project_root / "pyproject.toml").read_text())
    patterns = declared["tool"]["setuptools"]["package-data"]["fuzzybounds.browser"]
    installed = {path for pattern in patterns for path in package.glob(pattern)}
    needed = {path for path in package.rglob("*") if path.suffix not in (".py", ".pyc", "")}
    assert needed == installed
    assert len(needed) > 12


def test_a_port_in_use_is_named(capsys, tmp_path):
    with closing(socket.socket()) as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        options = ["--data", str(tmp_path), "--port", str(port), "--no-open"]
        assert cli.main(["task", "my_lab", *options]) == 1
    assert f"port {port}: cannot be used" in capsys.readouterr().err


def test_the_secret_stays_and_is_nobody_elses(tmp_path):
    token = token_of(tmp_path)
    assert token_of(tmp_path) == token
    assert len(token) >= 32
    assert stat.S_IMODE((tmp_path / ".task/token").stat().st_mode) == 0o600
    assert token_of(tmp_path / "other") != token
