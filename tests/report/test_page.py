"""The page as text: escaped, complete, on its own, and the same from run to run."""

from __future__ import annotations

import re
from base64 import urlsafe_b64encode
from dataclasses import replace

import pytest

from fuzzybounds.report.figures import Figure
from fuzzybounds.report.page import VERDICTS, Results, Run, claims_of, counts, render
from fuzzybounds.report.provenance import Cost


@pytest.fixture(scope="module")
def text(report) -> str:
    return report.read_text(encoding="utf-8")


@pytest.fixture
def results() -> Results:
    claim = {"id": "C01", "claim": "c", "where": "Fig. 1", "paper": "p", "ours": "o"}
    claim |= {"experiment_a": "7 fast (reproduced)", "interval": "[0, 1]"}
    return Results(
        dataset={"name": "tiny", "kind": "own", "title": "", "source": "", "files": {}},
        claims=[claim | {"verdict": "reproduced", "note": "n", "tolerance": "t"}],
        errata=[{"id": "A01", "what": "w", "choice": "c", "evidence": "e"}],
        specification=[{"quantity": "q", "value": "1"}],
        selection=[],
        design=[{"quantity": "q", "value": "1"}],
        figures=[Figure("fig01", "Fig. 1", "First")],
        configuration="seed: 1",
    )


def without_run(page: str) -> str:
    return re.sub(r'<section id="run".*?</section>', "", page, flags=re.S)


def test_cells_and_texts_are_escaped(text):
    assert "a &lt;b&gt;bold&lt;/b&gt; claim &amp; more" in text
    assert "Tiny &lt;cohort&gt;" in text
    assert "Says so &amp; so." in text
    assert "<script>alert" not in text
    assert '<td data-name="what">&lt;i&gt;</td>' in text


def test_remarks_about_the_data_are_shown(text):
    assert "P0 of &lt;easy&gt; trials is 0.7" in text


def test_a_first_look_is_said_in_the_title_the_head_and_the_scorecard(results):
    looked = {"first_look": "First look", "subjects_found": 26, "subjects_used": 7}
    page = render(replace(results, dataset={**results.dataset, **looked}), Run("abc", "no"))
    assert "<title>First look: fuzzybounds: tiny</title>" in page
    assert "<strong>First look (7 of 26 subjects).</strong>" in page.split("<nav")[0]
    assert ">Scorecard of a first look</h2>" in page
    assert "irst look" not in render(results, Run("abc", "no")).split("<body>")[1]


def test_nothing_is_loaded_from_anywhere(text):
    assert not re.search(r"https?://", text)
    sources = re.findall(r"(?:src|srcset)=\"([^\"]{0,30})", text)
    assert len(sources) == 3
    assert all(source.startswith("data:image/png;base64,") for source in sources)
    assert not re.search(r"@import|url\((?!#)", text)
    assert re.findall(r"<link[^>]*>", text) == ['<link rel="icon" href="data:,">']


def test_every_link_within_the_page_leads_somewhere(text):
    ids = set(re.findall(r'id="([^"]+)"', text))
    # The two sections that name a figure by number name ones that this small report lacks.
    targets = set(re.findall(r'href="#([^"]+)"', text)) - {"figS2", "figS4"}
    assert targets <= ids


def test_a_figure_on_request_says_how_to_draw_it(text):
    article = text.split('id="figS3"')[1].split("</article>")[0]
    assert "<img" not in article
    assert "make supplement DATASET=tiny" in article


def test_figures_show_the_verdicts_of_their_claims(text, results):
    article = text.split('id="fig02"')[1].split("</article>")[0]
    assert "not reproduced" in article
    assert "C01" not in article
    figure = Figure("fig01", "Fig. 1", "First")
    assert claims_of(figure, results.claims) == results.claims
    assert claims_of(replace(figure, id="fig02"), results.claims) == []


def test_rows_about_single_subjects_are_left_to_the_table(text):
    design = text.split('<section id="design"')[1].split("</section>")[0]
    assert "p0" in design
    assert "reward_rate" not in design


def test_every_verdict_has_a_sign_of_its_own():
    from fuzzybounds.paper.claims.claim import ELSEWHERE, FEW, NOT, REPRODUCED, WITHHELD

    assert set(VERDICTS) == {*ELSEWHERE, *ELSEWHERE.values(), FEW, WITHHELD}
    assert len({VERDICTS[verdict] for verdict in ELSEWHERE}) == len(ELSEWHERE)
    for verdict, elsewhere in ELSEWHERE.items():
        assert VERDICTS[verdict] == VERDICTS[elsewhere]
    rows = [{"verdict": NOT}, {"verdict": REPRODUCED}, {"verdict": NOT}]
    assert counts(rows) == {REPRODUCED: 1, NOT: 2}


def test_only_one_section_differs_between_runs(results):
    first = render(results, Run("abc", "no", {"Python": "3.11"}, [Cost("fit", 1, 2.0, 3.0)]))
    again = render(results, Run("abc", "no", {"Python": "3.11"}, [Cost("fit", 1, 2.0, 3.0)]))
    other = render(results, Run("def", "yes", {"Python": "3.12"}, [Cost("fit", 2, 9.0, 9.0)]))
    assert first == again
    assert first != other
    assert without_run(first) == without_run(other)
    assert "abc" not in without_run(first)


def test_a_table_without_rows_says_so_and_hidden_columns_stay_hidden(text, results):
    assert render(results, Run("a", "no")).count("This data set has none.") == 1
    selection = text.split('<section id="selection"')[1].split("</section>")[0]
    assert "protected exceedance" in selection
    assert "omnibus" not in selection


def test_an_unknown_verdict_is_not_passed_over(results):
    wrong = replace(results, claims=[{**results.claims[0], "verdict": "perhaps"}])
    with pytest.raises(ValueError, match="perhaps"):
        render(wrong, Run("a", "no"))


def test_the_job_of_a_file_may_have_made_the_folder_around_it(make_report, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / ".snakemake/metadata"
    folder.mkdir(parents=True)
    name = urlsafe_b64encode(b"results/tiny/shards").decode()
    (folder / name).write_text('{"rule": "split_subjects", "input": ["trials.parquet"]}')
    job = make_report.job_of("results/tiny/shards/s_1/trials.parquet")
    assert job == ("split_subjects", ("trials.parquet",))
    assert make_report.job_of("results/tiny/other.csv") is None
