"""Makes repositories and their pages for check.mjs. Usage: worlds.py HINTLINT SHOP FOLDER"""

import os
import shutil
import subprocess
import sys

HINTLINT, SHOP, WORK = sys.argv[1:]
ENV = {**os.environ, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull, "HOME": WORK}
for who in ("AUTHOR", "COMMITTER"):
    ENV |= {f"GIT_{who}_NAME": "a", f"GIT_{who}_EMAIL": "a@b.c"}
HOSTILE = (
    "</script><script>alert(1)</script><img src=x onerror=alert(2)><svg onload=alert(3)> <!-- &lt;b&gt; ${alert(4)} {{7*7}} "
    "[x](javascript:alert(5)) \u2028\u202etxt\u2066\u200b\U000e0041\x00\x1b[31m ]]> ' \" `"
)


class World:
    def __init__(self, name):
        self.root = os.path.join(WORK, name)
        self.name, self.calls = name, 0
        os.makedirs(self.root, exist_ok=True)
        self.git("init", "-q", "-b", "main")

    def git(self, *args):
        self.calls += 1
        date = f"{1767225600 + 86400 * self.calls} +0000"
        env = {**ENV, "GIT_AUTHOR_DATE": date, "GIT_COMMITTER_DATE": date}
        subprocess.run(["git", *args], cwd=self.root, env=env, check=True, stdout=subprocess.DEVNULL)

    def write(self, path, text):
        path = os.path.join(self.root, path)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)

    def commit(self, message):
        self.git("add", "-A")
        self.git("commit", "-q", "-m", message)

    def page(self, *args):
        page = os.path.join(WORK, f"{self.name}.html")
        subprocess.run([HINTLINT, "explore", "--output", page, *args], cwd=self.root, env=ENV, check=True, stderr=subprocess.DEVNULL)


def shop():
    world = World("shop")
    shutil.copytree(SHOP, world.root, dirs_exist_ok=True)
    world.commit("start")
    world.page("--rev", "HEAD", "packages/api")


def full():
    """Everything that a page can show."""
    world = World("full")
    shutil.copytree(SHOP, world.root, dirs_exist_ok=True)
    world.commit("start")
    world.write("AGENTS.md", "# Shop\n\n" + "".join(f"- Rule {n}: keep this part of the shop small and tested.\n" for n in range(30)))
    world.commit("Add rules")
    rules = "".join(f"- Rule {n}: keep this part of the shop small and tested, and say why.\n" for n in range(600))
    world.write("packages/web/AGENTS.md", "# Web\n\n" + rules)
    world.write("packages/web/CLAUDE.md", "@AGENTS.md\n@../../docs/gone.md\n")
    world.write(".cursor/rules/web.mdc", "---\nglobs: packages/web/**\n---\n\nUse signals.\n")
    world.write("packages/web/index.ts", "")
    world.commit("Add the web shop")
    world.write("docs/plans/release.md", "# Release\n\n## Build\n\n- [x] tests\n- [x] docs\n\n## Ship\n\n- [x] tag\n- [ ] announce\n")
    world.write("CLAUDE.md", "@AGENTS.md\n@docs/architecture.md\n\nNever log card numbers.\n")
    world.commit("Mend an import")
    world.write("packages/api/AGENTS.md", "# API\n\n- Each route has a test beside it.\n- Answers are JSON.\n")
    world.page("--since", "HEAD~2", "--history", "20")


def hostile():
    world = World("hostile")
    # A name cannot hold NUL or `/`, and a file system that takes no other byte is not what is tested here.
    name = HOSTILE.replace("\x00", "").replace("/", "")[:200]
    world.write("CLAUDE.md", f"{HOSTILE}\n")
    world.commit("start")
    world.write("CLAUDE.md", f"# {HOSTILE}\n\n@{HOSTILE}\n@docs/{name}.md\n")
    world.write(f"docs/{name}.md", HOSTILE)
    world.write(f"{name[:80]}/CLAUDE.md", HOSTILE)
    world.write("AGENTS.md", "y" * 500_000 + HOSTILE + "z" * 500_000 + "\n")
    world.write(".claude/rules/x.md", f"---\npaths: [\"</script>*.py\"]\n---\n{HOSTILE}\n")
    world.write("docs/plans/plan.md", f"# {HOSTILE}\n\n- [ ] {HOSTILE}\n")
    world.commit(HOSTILE.replace("\x00", ""))
    world.page("--since", "HEAD~1", "--history", "5")


def big():
    """2,000 directories for all agents."""
    world = World("big")
    for n in range(2000):
        body = "".join(f"- {' '.join(f'w{(n * 31 + line * 9 + at) * 2654435761 % 1000003:x}' for at in range(9))}.\n" for line in range(20))
        world.write(f"group{n % 40}/module{n}/AGENTS.md", f"# Module {n}\n\n{body}")
    world.write("AGENTS.md", "# All\n\n- One rule.\n")
    world.commit("start")
    world.page("--rev", "HEAD")


for make in (shop, full, hostile, big):
    make()
