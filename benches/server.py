#!/usr/bin/env python3
"""How long the language server takes to answer one edit in a repository with a long history.

    cargo build --release --features server
    python3 benches/server.py --hintlint target/release/hintlint [--commits 8000] [--hints 40] [--edits 100] [--folder DIR]

Prints the median of `hintlint --version`, of an edit that changes words, and of one that names a path that was never asked about before;
each edit from `didChange` until its diagnostics arrive. The bar is 50 ms beyond `--version`. Standard library and git only.
"""
import argparse
import json
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path


class Server:
    def __init__(self, program, root):
        self.root = root
        self.process = subprocess.Popen([program, "server"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=root)
        self.version = 0
        capabilities = {"workspace": {"didChangeWatchedFiles": {"dynamicRegistration": True}}}
        folder = {"uri": root.as_uri(), "name": "root"}
        self.send({"id": 1, "method": "initialize", "params": {"capabilities": capabilities, "workspaceFolders": [folder]}})
        while self.receive().get("id") != 1:
            pass
        self.send({"method": "initialized", "params": {}})

    def send(self, message):
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        self.process.stdin.flush()

    def receive(self):
        length = 0
        while line := self.process.stdout.readline().strip():
            length = int(line.split(b":")[1])
        return json.loads(self.process.stdout.read(length))

    def change(self, path, text):
        """Change a text, and wait for what is found in it. Answers the seconds that it took."""
        self.version += 1
        uri = (self.root / path).as_uri()
        begin = time.perf_counter()
        if self.version == 1:
            document = {"uri": uri, "languageId": "markdown", "version": 1, "text": text}
            self.send({"method": "textDocument/didOpen", "params": {"textDocument": document}})
        else:
            document = {"uri": uri, "version": self.version}
            changes = [{"text": text}]
            self.send({"method": "textDocument/didChange", "params": {"textDocument": document, "contentChanges": changes}})
        while True:
            params = self.receive().get("params", {})
            if params.get("uri") == uri and params.get("version") == self.version:
                return time.perf_counter() - begin


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--hintlint", required=True)
    parser.add_argument("--commits", type=int, default=8000)
    parser.add_argument("--hints", type=int, default=40)
    parser.add_argument("--edits", type=int, default=100)
    parser.add_argument("--folder", type=Path)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        root = (arguments.folder or Path(temporary) / "repository").resolve()
        if not root.exists():
            maker = Path(__file__).with_name("make_history.py")
            subprocess.run([sys.executable, maker, root, "--commits", str(arguments.commits)], check=True)
        hint = (root / "CLAUDE.md").read_text()
        folders = sorted(path for path in (root / "src").rglob("*") if path.is_dir())[: arguments.hints - 1]
        # Each names forty files that are there and two that are not.
        files = sorted(path.relative_to(root) for path in (root / "src").rglob("*") if path.suffix not in ("", ".md"))
        gone = [line for line in hint.splitlines() if "`" in line]
        for number, folder in enumerate(folders):
            named = [f"- `{path}`" for path in files[number * 40 : number * 40 + 40]] + gone[number : number + 2]
            (folder / "AGENTS.md").write_text("# Files\n\n" + "\n".join(named) + "\n")
        subprocess.run(["git", "add", "-A"], cwd=root, check=True)
        program = str(Path(arguments.hintlint).resolve())
        versions = []
        for _ in range(arguments.edits):
            begin = time.perf_counter()
            subprocess.run([program, "--version"], stdout=subprocess.DEVNULL, check=True)
            versions.append(time.perf_counter() - begin)
        server = Server(program, root)
        first = server.change("CLAUDE.md", hint)
        words = [server.change("CLAUDE.md", f"{hint}\nNumber {number}.\n") for number in range(arguments.edits)]
        paths = [server.change("CLAUDE.md", f"{hint}\nSee `src/new/f{number}.ts`.\n") for number in range(arguments.edits)]
        server.process.kill()
        version = statistics.median(versions)
        print(f"{len(folders) + 1} hint files, {arguments.commits} commits; milliseconds, medians of {arguments.edits}")
        print(f"--version                 {version * 1000:8.1f}")
        print(f"first check               {first * 1000:8.1f}")
        for name, times in (("an edit of words", words), ("an edit with a new path", paths)):
            median, worst = statistics.median(times), max(times)
            print(f"{name:<26}{median * 1000:8.1f}  beyond --version {(median - version) * 1000:6.1f}  worst {worst * 1000:6.1f}")


if __name__ == "__main__":
    main()
