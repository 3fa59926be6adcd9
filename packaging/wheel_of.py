"""Prints the wheel of a Rust target. Usage: wheel_of.py FOLDER TARGET"""

import pathlib
import sys

folder, target = sys.argv[1:]
processor, _, rest = target.partition("-")
system, processors = {
    "unknown-linux-gnu": ("manylinux", [processor]),
    "unknown-linux-musl": ("musllinux", [processor]),
    "apple-darwin": ("macosx", [processor, {"aarch64": "arm64"}.get(processor, processor)]),
    "pc-windows-msvc": ("win", [{"x86_64": "amd64"}.get(processor, processor)]),
}[rest]
wheels = [
    wheel
    for wheel in pathlib.Path(folder).glob("*.whl")
    if f"-{system}" in wheel.name and any(wheel.stem.endswith(f"_{name}") for name in processors)
]
if len(wheels) != 1:
    sys.exit(f"{len(wheels)} wheels for {target}")
print(wheels[0])
