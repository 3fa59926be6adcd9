"""Writes the files of one section of docs/install.md: each block that begins with `# NAME` or follows such a line. What is tried
is what the page says. Usage: snippets.py SECTION FOLDER"""

import pathlib
import re
import sys

section, folder = sys.argv[1:]
page = (pathlib.Path(__file__).parent.parent / "docs/install.md").read_text(encoding="utf-8")
text = re.search(rf"^## {section}$(.*?)(?=^## |\Z)", page, re.M | re.S)[1]
written = 0
for name, block in re.findall(r"^```\w+\n# (\S+)\n(.*?)^```", text, re.M | re.S):
    path = pathlib.Path(folder, name)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(block, encoding="utf-8")
    path.chmod(0o755)
    written += 1
if not written:
    sys.exit(f"no file in section {section}")
