"""The fleet with a program that answers as hintlint does, fails, hangs, dies and floods; and with hintlint itself, if it is there."""

import json
import os
import pathlib
import shutil
import stat
import subprocess
import sys

import pytest
from distributed import Client, LocalCluster

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent))

import fleet
import inspect_mirror

RULES = [{"name": "hidden-tags", "group": "unicode"}, {"name": "context-truncated", "group": "context"}]

FINDING = {
    "rule": "hidden-tags", "group": "unicode", "level": "error", "path": "CLAUDE.md", "message": "it's hidden",
    "start": {"line": 3}, "agents": ["claude"], "fix": {"applicability": "safe"},
}  # fmt: skip

STAND_IN = f"""#!{sys.executable}
import json, os, sys, time
if sys.argv[1] == "rules":
    print({json.dumps(json.dumps(RULES))})
    raise SystemExit(0)
behaviour = open("behaviour").read().strip()
if behaviour == "hang":
    time.sleep(60)
if behaviour == "fail":
    sys.exit("hintlint: HEAD is broken")
if behaviour == "garbage":
    print("no JSON")
elif sys.argv[1] == "check":
    findings = [{FINDING!r}] if behaviour == "hidden" else []
    print(json.dumps({{"summary": {{"files": 0 if behaviour == "empty" else 1}}, "findings": findings}}))
else:
    sys.stdout.write("diff --git a/x b/x\\n--- /dev/null\\n+++ b/.hintlint/context/api/claude.md\\n@@ -0,0 +1,2 @@\\n+++ b/forged.md\\n+ab\\n")
"""


def mirror(folder, behaviour):
    for part in ("objects", "refs"):
        (folder / part).mkdir(parents=True)
    (folder / "HEAD").write_text("ref: refs/heads/main\n")
    (folder / "behaviour").write_text(behaviour)


@pytest.fixture
def program(tmp_path):
    file = tmp_path / "stand-in"
    file.write_text(STAND_IN)
    file.chmod(file.stat().st_mode | stat.S_IXUSR)
    return str(file)


@pytest.fixture(scope="module")
def client():
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster, Client(cluster) as client:
        yield client


def test_what_fails_costs_itself_alone(tmp_path, program, client):
    root = tmp_path / "mirrors"
    for name in ("hidden", "plain", "empty", "fail", "garbage", "hang"):
        mirror(root / "org" / f"{name}.git", name)
    found = fleet.mirrors(root)
    assert len(found) == 6 and "org/plain.git" in found
    states = fleet.run(found, tmp_path / "out", program, 3, client)
    assert states == {"ok": 3, "failed": 2, "timeout": 1}
    answers = [answer.fetchall() for answer in fleet.ask(tmp_path / "out").values()]
    assert answers[0] == [("org/hidden.git", 1, ["hidden-tags"], "CLAUDE.md")]
    assert answers[1] == []
    assert answers[2] == [("hidden-tags", 1, 1), ("context-truncated", 0, 0)]
    assert ("claude", 3, 3, 18, 18) == answers[3][0][:5]
    reasons = {(state, count) for state, _, count, _ in answers[4]}
    assert reasons == {("ok", 1), ("failed", 1), ("timeout", 1)}


def test_a_worker_that_dies_fails_its_repository_alone(tmp_path, program, client, monkeypatch):
    root = tmp_path / "mirrors"
    for name in ("a", "b"):
        mirror(root / name, "plain")
    (root / "b" / "deadly").touch()
    monkeypatch.setattr(fleet, "inspect", deadly)
    states = fleet.run(fleet.mirrors(root), tmp_path / "out", program, 10, client)
    assert states == {"ok": 1, "failed": 1}


def deadly(repository, mirror, program, timeout):
    if os.path.exists(os.path.join(mirror, "deadly")):
        os._exit(9)
    return inspect_mirror.inspect(repository, mirror, program, timeout)


def test_no_text_passes_for_another_context():
    patch = b"diff --git a/x b/x\n--- /dev/null\n+++ b/.hintlint/context/merged.md\n@@ -0,0 +1,3 @@\n+a\n+++ b/y\n+diff --git\n"
    assert inspect_mirror.contexts(patch, "merged") == [{"agent": "merged", "directory": ".", "bytes": 20, "lines": 3}]


def test_a_flood_is_a_failure(tmp_path, program, monkeypatch):
    mirror(tmp_path / "m", "hidden")
    monkeypatch.setattr(inspect_mirror, "MAX_OUTPUT", 10)
    one = inspect_mirror.inspect("m", str(tmp_path / "m"), program, 10)
    assert (one.state, one.findings) == ("failed", [])


def test_folders_that_are_no_mirrors_are_passed_over(tmp_path):
    (tmp_path / "src" / "objects").mkdir(parents=True)
    mirror(tmp_path / "a" / "b.git", "plain")
    (tmp_path / "link").symlink_to(tmp_path / "a")
    assert list(fleet.mirrors(tmp_path)) == ["a/b.git"]


@pytest.mark.skipif(shutil.which("hintlint") is None, reason="hintlint is not installed")
def test_with_the_program_itself(tmp_path, client):
    work = tmp_path / "work"
    work.mkdir()
    git = ["git", "-c", "user.name=Ada", "-c", "user.email=ada@example.invalid", "-C", str(work)]
    subprocess.run([*git, "init", "--quiet"], check=True)
    (work / "CLAUDE.md").write_text("# Shop\U000e0041\U000e0042\n")
    (work / "AGENTS.md").write_text("x" * 40000 + "\n")
    (work / "AGENTS.override.md").write_text("x" * 40000 + "\n")
    subprocess.run([*git, "add", "--all"], check=True)
    subprocess.run([*git, "commit", "--quiet", "--message", "start"], check=True)
    root = tmp_path / "mirrors"
    subprocess.run(["git", "clone", "--quiet", "--bare", str(work), str(root / "shop.git")], check=True)
    (root / "broken.git" / "objects").mkdir(parents=True)
    (root / "broken.git" / "refs").mkdir()
    (root / "broken.git" / "HEAD").write_text("nonsense\n")
    states = fleet.run(fleet.mirrors(root), tmp_path / "out", shutil.which("hintlint"), 60, client)
    assert states == {"ok": 1, "failed": 1}
    hidden, cut, rules, read, silent = (answer.fetchall() for answer in fleet.ask(tmp_path / "out").values())
    assert [row[0] for row in hidden] == ["shop.git"]
    assert "AGENTS.override.md" in {row[1] for row in cut}
    assert ("hidden-tags", 1, 1) in rules
    assert {"claude", "merged"} <= {row[0] for row in read}
    assert silent[0][0] == "failed"
