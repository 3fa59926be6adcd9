"""Writes SHA256SUMS for the archives of the current folder."""

import hashlib
import pathlib

archives = sorted(pathlib.Path(".").glob("*.tar.gz"))
lines = [f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in archives]
pathlib.Path("SHA256SUMS").write_text("".join(lines), encoding="ascii", newline="\n")
