"""Takes the program out of a wheel. Usage: unpack.py WHEEL FOLDER"""

import pathlib
import sys
import zipfile

wheel, folder = sys.argv[1:]
with zipfile.ZipFile(wheel) as archive:
    programs = [name for name in archive.namelist() if ".data/scripts/hintlint" in name]
    if len(programs) != 1:
        sys.exit(f"{wheel} should hold one program, not {programs}")
    program = pathlib.Path(folder, pathlib.PurePosixPath(programs[0]).name)
    program.write_bytes(archive.read(programs[0]))
    program.chmod(0o755)
    print(program)
