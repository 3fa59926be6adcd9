#!/usr/bin/env python3
"""Make a deterministic git repository with a long history, to measure what asking it costs.

    python3 make_history.py OUT [--commits 40000] [--files 4000] [--ask 60] [--seed 1]

Each commit edits a few files, or moves one, moves one and changes it, deletes one, adds one, moves a directory or merges a
side branch of a few commits. CLAUDE.md of the last commit names `--ask` paths that are not there any more: deleted ones,
moved ones, and some that never were. Written through `git fast-import`. Standard library and git only.
"""
import argparse
import random
import shutil
import subprocess
import sys
from pathlib import Path

WORDS = ("service module handler request cache index parser build test deploy config schema token user order invoice "
         "queue worker retry metric trace").split()


class History:
    def __init__(self, out, seed):
        self.rnd = random.Random(seed)
        self.put = out.write
        self.mark = 0
        self.gone = []

    def text(self):
        lines = (" ".join(self.rnd.choices(WORDS, k=8)) for _ in range(self.rnd.randint(10, 40)))
        return "\n".join(lines) + "\n"

    def commit(self, branch, changes, parent=None, merged=None):
        self.mark += 1
        message = b"change"
        self.put(b"commit refs/heads/%s\nmark :%d\ncommitter bench <bench@example.invalid> %d +0000\n"
                 % (branch, self.mark, 1_600_000_000 + 600 * self.mark))
        self.put(b"data %d\n%s\n" % (len(message), message))
        if parent:
            self.put(b"from :%d\n" % parent)
        if merged:
            self.put(b"merge :%d\n" % merged)
        for change in changes:
            self.put(change)
        self.put(b"\n")
        return self.mark


def modify(path, text):
    data = text.encode()
    return b"M 100644 inline %s\ndata %d\n%s\n" % (path.encode(), len(data), data)


def delete(path):
    return b"D %s\n" % path.encode()


def rename(old, new):
    return b"R %s %s\n" % (old.encode(), new.encode())


def step(history, tree, number):
    """The changes of one ordinary commit; `tree` follows them."""
    rnd = history.rnd
    kind = rnd.random()
    path = rnd.choice(tree.names)
    if kind < 0.80:
        paths = {rnd.choice(tree.names) for _ in range(rnd.randint(1, 4))}
        changes = []
        for path in sorted(paths):
            lines = tree.texts[path].splitlines()
            lines[rnd.randrange(len(lines))] = " ".join(rnd.choices(WORDS, k=8))
            tree.texts[path] = "\n".join(lines) + "\n"
            changes.append(modify(path, tree.texts[path]))
        return changes
    if kind < 0.88:
        new = f"{rnd.choice(tree.dirs)}/n{number}.py"
        tree.add(new, history.text())
        return [modify(new, tree.texts[new])]
    if kind < 0.93:
        history.gone.append(path)
        tree.remove(path)
        return [delete(path)]
    if kind < 0.995:
        new = f"{rnd.choice(tree.dirs)}/r{number}.py"
        history.gone.append(path)
        text = tree.remove(path)
        tree.add(new, text if kind < 0.96 else text + "one more line\n")
        return [delete(path), modify(new, tree.texts[new])]
    old, new = rnd.choice(tree.dirs), f"src/moved{number}"
    inside = [name for name in tree.names if name.startswith(old + "/")]
    if not inside:
        return []
    for name in inside:
        history.gone.append(name)
        tree.add(new + name[len(old):], tree.remove(name))
    tree.dirs[tree.dirs.index(old)] = new
    return [rename(old, new)]


def merge(history, tree, head):
    """A side branch of a few commits that add files, one commit beside it, and the merge of both."""
    rnd, side, added = history.rnd, head, []
    for _ in range(rnd.randint(1, 3)):
        path, text = f"{rnd.choice(tree.dirs)}/s{history.mark}.py", history.text()
        added.append(modify(path, text))
        side = history.commit(b"side", added[-1:], side)
        tree.add(path, text)
    path = rnd.choice(tree.names[:200])
    tree.texts[path] = history.text()
    beside = history.commit(b"main", [modify(path, tree.texts[path])], head)
    return history.commit(b"main", added, beside, side)


class Tree:
    def __init__(self):
        self.texts, self.names, self.places, self.dirs = {}, [], {}, []

    def add(self, path, text):
        if path not in self.texts:
            self.places[path] = len(self.names)
            self.names.append(path)
        self.texts[path] = text

    def remove(self, path):
        at, last = self.places.pop(path), self.names.pop()
        if last != path:
            self.names[at] = last
            self.places[last] = at
        return self.texts.pop(path)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path)
    parser.add_argument("--commits", type=int, default=40_000)
    parser.add_argument("--files", type=int, default=4_000)
    parser.add_argument("--ask", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    shutil.rmtree(options.out, ignore_errors=True)
    subprocess.run(["git", "init", "-q", "-b", "main", str(options.out)], check=True)
    program = subprocess.Popen(["git", "-C", str(options.out), "fast-import", "--quiet"], stdin=subprocess.PIPE)
    history, tree = History(program.stdin, options.seed), Tree()
    tree.dirs = [f"src/m{n // 16:02d}/d{n % 16:02d}" for n in range(max(1, options.files // 16))]
    for number in range(options.files):
        tree.add(f"{tree.dirs[number % len(tree.dirs)]}/f{number}.py", history.text())
    head = history.commit(b"main", [modify(path, text) for path, text in tree.texts.items()])
    while history.mark < options.commits - 1:
        if history.rnd.random() < 0.03:
            head = merge(history, tree, head)
            continue
        head = history.commit(b"main", step(history, tree, history.mark), head)
    gone = sorted(set(history.gone) - tree.texts.keys())
    history.rnd.shuffle(gone)
    never = options.ask // 10
    named = gone[:options.ask - never] + [f"src/never/was{number}.py" for number in range(never)]
    text = "# Notes\n\n" + "".join(f"- Look into `{path}` first.\n" for path in named)
    history.commit(b"main", [modify("CLAUDE.md", text)], head)
    program.stdin.close()
    if program.wait():
        sys.exit("git fast-import failed")
    # As old repositories are: chains of differences, and no commit graph beside them.
    subprocess.run(["git", "-C", str(options.out), "repack", "-adfq"], check=True)
    subprocess.run(["git", "-C", str(options.out), "reset", "-q", "--hard", "main"], check=True)
    print(f"{options.out}: {len(tree.names)} files, {history.mark} commits, {len(named)} paths asked of {len(gone)}")


if __name__ == "__main__":
    main()
