"""A study's configuration: the paper's by default, and every mistake named."""

from __future__ import annotations

import pytest
import yaml

from fuzzybounds.browser.configuration import RESERVED, load_study, packaged
from fuzzybounds.canoe import task
from fuzzybounds.intake.study_design import PAPER, departures, from_document
from fuzzybounds.storage.errors import InputError


def of(tmp_path, **options):
    file = tmp_path / "study.yaml"
    file.write_text(yaml.safe_dump(options))
    return load_study("my_lab", file)


def test_the_default_is_the_papers_design():
    design = from_document(load_study("my_lab").design, "design")
    assert design.conditions == task.CONDITIONS
    assert (design.speed, design.deadline, design.block) == (90, 15, 60)
    assert design.overhead == pytest.approx(4.05, abs=1e-12)
    assert departures(design) == departures(PAPER) == []


def test_experiment_b_shows_no_cue_and_says_so():
    study = load_study("my_lab", experiment="B")
    assert study.design["experiment"] == "B"
    titles = [page.get("experiment") for page in study.texts["instructions"]]
    assert "B" in titles
    assert "A" not in titles
    assert "without cues" in departures(from_document(study.design, "design"))[0]


def test_a_file_changes_single_keys_within_sections(tmp_path):
    study = of(tmp_path, conditions={"easy": {"p0": 0.7}}, blocks=10)
    assert study.design["conditions"]["easy"] == {"p0": 0.7, "payoff": 20, "penalty_s": 3}
    assert study.design["conditions"]["hard"]["p0"] == 0.51
    assert study.design["blocks"] == 10


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({"block": 40}, "block: unknown key; did you mean 'blocks'"),
        ({"blocks": 0}, "blocks: 0 is less than the minimum"),
        ({"canoe": {"step_s": 1}}, "canoe.step_s: 0.5 was expected"),
        ({"conditions": {"easy": {"p0": 1.5}}}, "conditions.easy.p0"),
        ({"keys": {"left": "m"}}, "two different letters"),
        ({"texts": "de.yaml"}, "de.yaml: not a readable YAML document"),
        ({"consent": {"file": "consent.html"}}, "consent.html: not a readable HTML file"),
    ],
)
def test_mistakes_are_named(tmp_path, options, expected):
    with pytest.raises(InputError, match=expected.replace("(", r"\(")):
        of(tmp_path, **options)


@pytest.mark.parametrize(
    "name",
    ["", "..", "../my_lab", "a/b", "a\\b", ".hidden", "a b", "a\n", "x" * 65, *sorted(RESERVED)],
)
def test_a_study_cannot_leave_its_folder(name):
    with pytest.raises(InputError):
        load_study(name)


def test_another_language_is_another_file(tmp_path):
    texts = yaml.safe_load(packaged("texts.en.yaml"))
    texts["go"]["continue"] = "Weiter"
    (tmp_path / "de.yaml").write_text(yaml.safe_dump(texts))
    study = of(tmp_path, language="de", texts="de.yaml")
    assert study.for_page()["texts"]["go"]["continue"] == "Weiter"
    del texts["go"]["continue"]
    texts["break"]["extra"] = "x"
    (tmp_path / "de.yaml").write_text(yaml.safe_dump(texts))
    with pytest.raises(InputError, match=r"(?s)go\.continue: missing.*break\.extra: unknown"):
        of(tmp_path, texts="de.yaml")


def test_the_labs_own_consent_has_a_version_and_a_digest(tmp_path):
    (tmp_path / "consent.html").write_text("<h1>Ours</h1>")
    consent = of(tmp_path, consent={"file": "consent.html", "version": "2026-03"}).consent
    assert (consent["version"], consent["html"]) == ("2026-03", "<h1>Ours</h1>")
    assert len(consent["sha256"]) == 64


def test_values_that_analyses_assume_are_named_when_they_change(tmp_path):
    study = of(
        tmp_path,
        conditions={"easy": {"p0": 0.7, "payoff": 10, "penalty_s": 5}},
        canoe={"speed": 120},
        deadline_s=10,
        phases={"cue": 2.0},
        block_s=120,
        blocks=20,
        hard_share=0.3,
    )
    said = departures(from_document(study.design, "design"))
    assert len(said) == 9
    assert "P0 of easy trials is 0.7, not the paper's 0.65: C01 and the optimum" in said[0]
    assert any("paths that were not recorded" in line for line in said)
    assert all("assume" in line for line in said)
