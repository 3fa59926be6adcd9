"""One mirror: what hintlint says of it. Runs in a worker; knows no Dask and no Parquet.

A mirror is hostile: its names and texts are data. The program gets a fixed list of arguments, a clean environment, a limit of time
and one of output, and whatever it does costs this mirror alone.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import tempfile
import time
from dataclasses import dataclass, field

#: More output than this is a failure: a report of a million findings helps nobody.
MAX_OUTPUT = 256 * 1024 * 1024
AGENTS = ("claude", "codex", "copilot", "gemini", "merged")


class Failed(Exception):
    """The program could not do its job; the text says why."""


class TimedOut(Exception):
    """The program took too long and was ended."""


@dataclass
class Inspected:
    """What came of one mirror."""

    repository: str
    state: str = "ok"
    reason: str = ""
    seconds: float = 0.0
    hint_files: int = 0
    head: str = ""
    findings: list[dict] = field(default_factory=list)
    contexts: list[dict] = field(default_factory=list)


def environment() -> dict[str, str]:
    """Nothing of the caller's but the path, so that no setting of theirs changes what is found."""
    return {"PATH": os.environ.get("PATH", os.defpath), "LC_ALL": "C.UTF-8", "HINTLINT_NO_CACHE": "1"}


def run(program: str, arguments: list[str], mirror: str, deadline: float, good: tuple[int, ...]) -> bytes:
    """The standard output of a call in the mirror. Its process group is ended when the time is up."""
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        process = subprocess.Popen(
            [program, *arguments],
            cwd=mirror,
            env=environment(),
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=err,
            start_new_session=True,
        )
        try:
            code = process.wait(max(0.0, deadline - time.monotonic()))
        except subprocess.TimeoutExpired:
            raise TimedOut(" ".join(arguments[:2])) from None
        finally:
            try:
                os.killpg(process.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
            process.wait()
        err.seek(0)
        said = err.read(2000).decode("utf-8", "replace").strip()
        if code not in good:
            raise Failed(f"exit code {code}: {said}")
        if out.seek(0, os.SEEK_END) > MAX_OUTPUT:
            raise Failed(f"more than {MAX_OUTPUT} bytes of output")
        out.seek(0)
        return out.read()


def findings(report: dict) -> list[dict]:
    """The rows of a JSON report."""
    return [
        {
            "rule": finding["rule"],
            "group": finding["group"],
            "level": finding["level"],
            "path": finding["path"],
            "line": finding["start"]["line"] if finding["start"] else 0,
            "message": finding["message"],
            "agents": sorted(finding["agents"]),
            "fixable": bool(finding["fix"]) and finding["fix"]["applicability"] == "safe",
        }
        for finding in report["findings"]
    ]


def contexts(patch: bytes, agent: str) -> list[dict]:
    """The contexts in `hintlint compile --diff`, a patch that adds one file for each directory. Each line of a text begins with
    `+`, so that no text can pass for the beginning of another file."""
    rows: list[dict] = []
    in_text = False
    for line in patch.split(b"\n"):
        if line.startswith(b"diff --git "):
            in_text = False
        elif not in_text and line.startswith(b"+++ "):
            path = line[4:].removeprefix(b"b/").decode("utf-8", "replace")
            directory = os.path.dirname(path.removeprefix(".hintlint/context/"))
            rows.append({"agent": agent, "directory": directory or ".", "bytes": 0, "lines": 0})
        elif line.startswith(b"@@ "):
            in_text = True
        elif in_text and line.startswith(b"+") and rows:
            rows[-1]["bytes"] += len(line)  # The sign stands in place of the line's end.
            rows[-1]["lines"] += 1
    return rows


def inspect(repository: str, mirror: str, program: str, timeout: float) -> Inspected:
    """All that is known of a mirror. Never raises: what goes wrong is the answer."""
    began = time.monotonic()
    deadline = began + timeout
    answer = Inspected(repository)
    try:
        check = ["check", "--rev", "HEAD", "--format", "json", "--min-level", "info", "--fail-on", "never"]
        report = json.loads(run(program, check, mirror, deadline, (0,)))
        answer.hint_files = report["summary"]["files"]
        answer.findings = findings(report)
        for agent in AGENTS:
            compiled = ["compile", "--rev", "HEAD", "--diff", "--no-config", "--quiet", "--agent", agent]
            answer.contexts += contexts(run(program, compiled, mirror, deadline, (0, 1)), agent)
    except TimedOut as error:
        answer.state, answer.reason = "timeout", f"{error}: more than {timeout:g} s"
    except (Failed, OSError, ValueError, KeyError, TypeError) as error:
        answer.state, answer.reason = "failed", f"{type(error).__name__}: {error}"[:500]
    answer.seconds = time.monotonic() - began
    return answer
