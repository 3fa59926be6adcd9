"""Prints a version's section of CHANGELOG.md. Usage: notes.py VERSION"""

import pathlib
import re
import sys

text = (pathlib.Path(__file__).parent.parent / "CHANGELOG.md").read_text(encoding="utf-8")
section = re.search(rf"^## \[?{re.escape(sys.argv[1])}\b.*?\n(.*?)(?=^## |\Z)", text, re.M | re.S)
if not section:
    sys.exit(f"CHANGELOG.md has no section {sys.argv[1]}")
print(section[1].strip())
