"""Takes the software bill of materials (CycloneDX) out of the wheels of a folder and writes the one of the first.
Usage: sbom.py FOLDER FILE"""

import json
import pathlib
import sys
import zipfile

folder, file = sys.argv[1:]
wheel = sorted(pathlib.Path(folder).glob("*.whl"))[0]
with zipfile.ZipFile(wheel) as archive:
    (name,) = [name for name in archive.namelist() if name.endswith(".cyclonedx.json")]
    bill = json.loads(archive.read(name))
if not bill["components"]:
    sys.exit(f"the bill in {wheel} is empty")
pathlib.Path(file).write_text(json.dumps(bill, indent=1) + "\n", encoding="utf-8")
