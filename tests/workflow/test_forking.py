"""Jobs in forks of one process: the same bytes, exit codes and messages as in their own."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace

import pytest
from snakemake.benchmark import BenchmarkRecord

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="jobs are forked on Linux only")


@pytest.fixture
def forks(project_root, tmp_path, monkeypatch):
    """A process that forks, with a library and a script's helper of its own."""
    monkeypatch.syspath_prepend(str(project_root / "workflow"))
    from support.forking import Forks

    source, scripts = tmp_path / "src", tmp_path / "scripts"
    for folder in (source / "library", scripts):
        folder.mkdir(parents=True)
    (source / "library/__init__.py").write_text("")
    (source / "library/slow.py").write_text("import os\nimported_by = os.getpid()\n")
    (scripts / "helper.py").write_text("from library import slow\n")
    monkeypatch.setenv("PYTHONPATH", str(source))
    forks = Forks(source, scripts)
    yield forks
    if forks.control:
        forks.control.close()


@pytest.fixture
def run(forks, tmp_path):
    """A way to run the text of a script as a job; it returns whether that was possible."""

    def run(text: str, **resources) -> bool:
        path = tmp_path / "tmp1.job.py"
        path.write_text(text)
        files = [forks.source / "library/slow.py", forks.scripts / "helper.py"]
        job = SimpleNamespace(
            input={"code": [str(file) for file in files]},
            resources=resources,
            bench_record=BenchmarkRecord(),
        )
        done = forks.run(job, str(path))
        run.record = job.bench_record
        return done

    return run


REPORT = """
import os, sys
from pathlib import Path
known = {name: name in sys.modules for name in ("helper", "library.slow")}
import helper
ids = [os.getppid(), os.getpid(), helper.slow.imported_by]
Path(sys.argv[0]).with_name("said").write_text(repr((known, ids, __name__, __file__, os.getcwd())))
"""


def test_a_job_has_its_imports_and_a_process_of_its_own(run, tmp_path):
    said = []
    for _ in range(2):
        assert run(REPORT)
        said.append(eval((tmp_path / "said").read_text()))
    for known, (parent, own, imported_by), name, file, folder in said:
        assert known == {"helper": True, "library.slow": True}
        assert own != parent == imported_by
        assert (name, file, folder) == ("__main__", str(tmp_path / "tmp1.job.py"), os.getcwd())
    assert said[0][1][0] == said[1][1][0]
    assert said[0][1][1] != said[1][1][1]
    assert run.record.running_time > 0


@pytest.mark.parametrize(
    ("text", "status"),
    [
        ("import sys; sys.exit(3)", 3),
        ("import sys; sys.exit('a reason')", 1),
        ("1 / 0", 1),
        ("not python", 1),
        ("import os; os.kill(os.getpid(), 9)", -9),
    ],
)
def test_a_failure_has_the_status_of_a_process(run, text, status, capfd):
    with pytest.raises(subprocess.CalledProcessError) as failed:
        run(text)
    assert failed.value.returncode == status
    assert run("pass")
    if "reason" in text:
        assert capfd.readouterr().err == "a reason\n"


def test_no_job_runs_in_an_older_form_of_its_sources(run, forks):
    assert run("pass")
    module = forks.source / "library/slow.py"
    module.write_text(module.read_text() + "edited = True\n")
    assert not run("raise AssertionError")


def test_what_cannot_be_imported_is_told_by_the_job(run, forks, capfd):
    (forks.source / "library/slow.py").write_text("1 / 0\n")
    with pytest.raises(subprocess.CalledProcessError):
        run("import library.slow")
    assert "ZeroDivisionError" in capfd.readouterr().err


def test_without_the_server_jobs_are_started_plainly(run, tmp_path):
    assert run(REPORT)
    server = eval((tmp_path / "said").read_text())[1][0]
    os.kill(server, signal.SIGKILL)
    while Path(f"/proc/{server}").exists() and "Z" not in state_of(server):
        time.sleep(0.01)
    assert not run("raise AssertionError")


def state_of(process: int) -> str:
    return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]


def test_the_server_ends_with_the_run(run, forks, tmp_path):
    assert run(REPORT)
    server = eval((tmp_path / "said").read_text())[1][0]
    forks.control.close()
    forks.control = None
    assert os.waitpid(server, 0)[1] == 0


def test_a_job_gets_the_folder_for_temporary_files(run, tmp_path):
    assert run(f"import os; assert os.environ['TMPDIR'] == {str(tmp_path)!r}", tmpdir=tmp_path)


@pytest.mark.workflow
def test_forked_and_plain_jobs_write_the_same_bytes(new_project):
    targets = [f"results/tiny/{name}" for name in ("fuzzy_fits.parquet", "figures/fig08.png")]
    forked, plain = new_project(), new_project()
    forked.run(*targets)
    plain.run(*targets, env={"FUZZYBOUNDS_FORK": "0"})
    assert forked.hashes() == plain.hashes()
    lines = [
        (project.root / "logs/tiny/split_subjects.log").read_text().splitlines()[-1]
        for project in (forked, plain)
    ]
    seconds = [float(line.split()[2]) for line in lines]
    assert seconds[0] < seconds[1] / 2
