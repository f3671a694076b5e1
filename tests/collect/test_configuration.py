"""``fuzzybounds task`` and its configuration: the paper's by default, and every mistake named."""

from __future__ import annotations

import json
import stat

import pytest
import yaml

from fuzzybounds import cli
from fuzzybounds.collect.command import token_of
from fuzzybounds.collect.configuration import load_study, packaged
from fuzzybounds.collect.folder import StudyFolder
from fuzzybounds.collect.messages import LOG_COLUMNS, header
from fuzzybounds.collect.offline import FORMAT, single_file
from fuzzybounds.core.errors import InputError
from fuzzybounds.logs.files import TAKEN
from fuzzybounds.logs.study_design import departures, from_document


def of(tmp_path, **options):
    file = tmp_path / "study.yaml"
    file.write_text(yaml.safe_dump(options))
    return load_study("my_lab", file)


def test_the_default_is_the_papers_design(capsys):
    study = load_study("my_lab")
    assert departures(from_document(study.design, "design")) == []
    assert cli.main(["task", "config"]) == 0
    assert yaml.safe_load(capsys.readouterr().out) == study.options


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({"block": 40}, "block: unknown key; did you mean 'blocks'"),
        ({"canoe": {"step_s": 1}}, "canoe.step_s: 0.5 was expected"),
        ({"deadline_s": 20}, "deadline_s: 20 is greater than the maximum of 15"),
        ({"texts": "de.yaml"}, "de.yaml: not a readable YAML document"),
        ({"keys": {"left": "c", "right": "c"}}, "two different letters for left and right"),
    ],
)
def test_mistakes_are_named(tmp_path, options, expected):
    with pytest.raises(InputError, match=expected):
        of(tmp_path, **options)


EARLY = {"distribution": "uniform", "earliest_s": 0.3, "latest_s": 6, "ungated": 0.2}


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"latest_s": 15}, r"line 5: gate.latest_s: 15; expected .* and the deadline \(15 s\)"),
        ({"earliest_s": 7}, r"line 5: gate.latest_s: 6; expected a time between earliest_s \(7\)"),
        ({"mean_s": 3}, "line 7: gate.mean_s: 3; a uniform gate has none: omit it"),
        (
            {"distribution": "exponential", "mean_s": 8},
            r"line 7: gate.mean_s: 8; expected a time between earliest_s .* and latest_s \(6\)",
        ),
        ({"mode": 1}, "line 7: gate.mode: unknown key"),
    ],
)
def test_a_gate_that_cannot_be_is_refused_with_its_line(tmp_path, changes, expected):
    file = tmp_path / "study.yaml"
    file.write_text(yaml.safe_dump({"blocks": 4, "gate": EARLY | changes}, sort_keys=False))
    with pytest.raises(InputError, match=expected):
        load_study("my_lab", file)


def test_texts_of_the_signal_are_needed_only_with_a_gate(tmp_path):
    texts = yaml.safe_load(packaged("texts.en.yaml"))
    del texts["signal"]
    (tmp_path / "de.yaml").write_text(yaml.safe_dump(texts))
    assert "Wait for the signal" not in str(of(tmp_path, texts="de.yaml").texts)
    with pytest.raises(InputError, match=r"signal\.go: missing"):
        of(tmp_path, texts="de.yaml", gate=EARLY)
    assert "Wait for the signal" in str(of(tmp_path, gate=EARLY).texts["instructions"])


def test_texts_have_the_keys_of_the_english_ones(tmp_path):
    texts = yaml.safe_load(packaged("texts.en.yaml"))
    section = next(name for name, text in texts.items() if isinstance(text, dict))
    key = next(iter(texts[section]))
    texts |= {"more": "x", section: texts[section] | {key: ""}}
    (tmp_path / "de.yaml").write_text(yaml.safe_dump(texts))
    with pytest.raises(InputError) as error:
        of(tmp_path, texts="de.yaml")
    assert error.value.problems == ["more: unknown", f"{section}.{key}: expected a text"]
    for pages in ([], [{"title": "only"}]):
        (tmp_path / "de.yaml").write_text(yaml.safe_dump({**texts, "instructions": pages}))
        with pytest.raises(InputError) as error:
            of(tmp_path, texts="de.yaml")
        assert "instructions: expected a text" in error.value.problems
    # Only the pages of the experiment are shown.
    for experiment, other in ("AB", "BA"):
        pages = load_study("my_lab", experiment=experiment).texts["instructions"]
        assert {experiment, other} & {page.get("experiment") for page in pages} == {experiment}


@pytest.mark.parametrize(
    "name", ["", "../my_lab", "a\\b", ".hidden", "a\n", "x" * 65, "CON", "lpt1", *TAKEN]
)
def test_a_study_cannot_leave_its_folder(name):
    with pytest.raises(InputError):
        load_study(name)


def test_a_consent_of_the_labs_own_cannot_end_the_script_that_holds_it(tmp_path):
    html = "<p></script><script>alert(1)</script></p>"
    (tmp_path / "consent.html").write_text(html)
    study = of(tmp_path, consent={"file": "consent.html", "version": "2026-03"})
    assert (study.consent["version"], study.consent["html"]) == ("2026-03", html)
    text = single_file(study)
    assert text.count("</script>") == 3
    assert "<\\/script>" in text


def test_an_exported_page_has_the_design_that_the_study_was_begun_with(
    tmp_path, monkeypatch, capsys
):
    monkeypatch.chdir(tmp_path)
    short = of(tmp_path, blocks=3, experiment="B", deadline_s=10)
    StudyFolder(tmp_path / "data/raw/my_lab", short)
    assert cli.main(["task", "export", "my_lab", "page.html"]) == 0
    text = (tmp_path / "page.html").read_text()
    exported = json.loads(text.split('id="study">')[1].split("</script>")[0])
    assert exported["design"] == short.design
    assert exported["texts"] == short.texts
    # Another design is refused before anybody plays it.
    assert cli.main(["task", "export", "my_lab", "other.html", "--experiment", "A"]) == 1
    assert "blocks: 3 in the data, 40 now" in capsys.readouterr().err
    assert not (tmp_path / "other.html").exists()
    (tmp_path / "data/raw/my_lab/design.json").write_text("[]")
    assert cli.main(["task", "export", "my_lab", "other.html"]) == 1


class Server:
    """Stands in for the server, and ends at once."""

    address = "a window"

    def __init__(self, folder, *others):
        self.served.append(folder.study)

    __enter__ = __exit__ = serve_forever = shutdown = lambda *_, **__: None


def test_a_server_has_the_design_that_the_study_was_begun_with(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("fuzzybounds.collect.server.TaskServer", Server)
    monkeypatch.setattr("signal.signal", lambda *_: None)
    Server.served = []
    short = of(tmp_path, blocks=3, experiment="B", deadline_s=10)
    StudyFolder(tmp_path / "data/raw/my_lab", short)
    assert cli.main(["task", "serve", "my_lab", "--no-open"]) == 0
    assert [study.design for study in Server.served] == [short.design]
    printed = capsys.readouterr().out
    assert "experiment B: data/raw/my_lab/" in printed
    assert "note: the consent is an example" in printed
    assert "note: the deadline is 10 s" in printed
    # Once there are data, another design is refused before anybody plays it.
    (tmp_path / "data/raw/my_lab/7.csv").write_text(header(LOG_COLUMNS))
    assert cli.main(["task", "serve", "my_lab", "--no-open", "--experiment", "A"]) == 1
    assert "blocks: 3 in the data, 40 now" in capsys.readouterr().err
    (tmp_path / "consent.html").touch()
    of(tmp_path, consent={"file": "consent.html"})
    assert cli.main(["task", "serve", "other", "--no-open", "--config", "study.yaml"]) == 0
    assert "consent" not in capsys.readouterr().out
    assert len(Server.served) == 2


def test_files_of_another_study_are_added_by_the_command_that_the_error_names(
    tmp_path, monkeypatch, capsys, start_request, trial_message
):
    monkeypatch.chdir(tmp_path)
    pilot = of(tmp_path, blocks=3)
    messages = [{"kind": "start", **start_request()}, trial_message()]
    content = {"format": FORMAT, "study": "pilot", "design": pilot.design, "messages": messages}
    (tmp_path / "p.json").write_text(json.dumps(content))
    StudyFolder(tmp_path / "data/raw/same", load_study("same", tmp_path / "study.yaml"))
    StudyFolder(tmp_path / "data/raw/long", load_study("long"))
    for study, remedy, target in (
        ("same", "or to this one all the same: ", "same"),
        # Its design is another one.
        ("long --from pilot", "keep it as a study of another name: ", "long_2"),
    ):
        assert cli.main(["task", "add", *study.split()[:1], "p.json", *study.split()[1:]]) == 1
        command = capsys.readouterr().err.split(remedy)[1].splitlines()[0]
        assert cli.main(command.split()[1:]) == 0
        assert "p.json: 1 trials added, 0 were there before" in capsys.readouterr().out
        assert cli.main(["validate", target]) == 0
        assert "1 trial of 1 subject can be used." in capsys.readouterr().out


def test_the_secret_stays_and_is_nobody_elses(tmp_path):
    assert token_of(tmp_path) == token_of(tmp_path) != token_of(tmp_path / "other")
    assert stat.S_IMODE((tmp_path / ".task/token").stat().st_mode) == 0o600
