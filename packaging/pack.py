"""Packs a folder, the same bytes for the same files. Usage: pack.py ARCHIVE.tar.gz PARENT FOLDER SECONDS"""

import gzip
import pathlib
import sys
import tarfile

archive, parent, folder, seconds = sys.argv[1:]
root = pathlib.Path(parent, folder)
with open(archive, "wb") as file, gzip.GzipFile("", "wb", 9, file, 0) as packed:
    with tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as tar:
        for path in [root, *sorted(root.rglob("*"))]:
            entry = tar.gettarinfo(path, path.relative_to(parent).as_posix())
            entry.uid = entry.gid = 0
            entry.uname = entry.gname = ""
            entry.mtime = int(seconds)
            executable = path.is_dir() or path.name in ("hintlint", "hintlint.exe")
            entry.mode = 0o755 if executable else 0o644
            with open(path, "rb") if path.is_file() else open("/dev/null", "rb") as content:
                tar.addfile(entry, content if path.is_file() else None)
