"""hintlint over bare mirrors: `run` writes Parquet, `ask` answers questions. See README.md."""

from __future__ import annotations

import argparse
import json
import os
import pathlib
import shutil
import subprocess
import sys

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
from distributed import Client, LocalCluster, as_completed

from inspect_mirror import Inspected, inspect
from questions import QUESTIONS

SCHEMAS = {
    "repositories": pa.schema(
        {"repository": pa.string(), "state": pa.string(), "reason": pa.string(), "seconds": pa.float64(), "hint_files": pa.int64()}
    ),
    "findings": pa.schema(
        {
            "repository": pa.string(),
            "rule": pa.string(),
            "group": pa.string(),
            "level": pa.string(),
            "path": pa.string(),
            "line": pa.int64(),
            "message": pa.string(),
            "agents": pa.list_(pa.string()),
            "fixable": pa.bool_(),
        }
    ),
    "contexts": pa.schema(
        {"repository": pa.string(), "agent": pa.string(), "directory": pa.string(), "bytes": pa.int64(), "lines": pa.int64()}
    ),
    "rules": pa.schema({"rule": pa.string(), "group": pa.string()}),
}


def is_mirror(folder: pathlib.Path) -> bool:
    return (folder / "HEAD").is_file() and (folder / "objects").is_dir() and (folder / "refs").is_dir()


def mirrors(root: pathlib.Path) -> dict[str, str]:
    """Bare repositories below `root` by their names, which are their paths from there. Links are not followed."""
    found = {}
    for folder, names, _ in os.walk(root):
        path = pathlib.Path(folder)
        if is_mirror(path):
            names.clear()
            found[path.relative_to(root).as_posix()] = str(path)
        names.sort()
    return found


def failed(repository: str, error: BaseException) -> Inspected:
    return Inspected(repository, "failed", f"{type(error).__name__}: {error}"[:500])


class Tables:
    """Parquet files that grow as repositories come in, so that memory does not grow with the fleet."""

    def __init__(self, folder: pathlib.Path):
        folder.mkdir(parents=True, exist_ok=True)
        self.writers = {name: pq.ParquetWriter(folder / f"{name}.parquet", schema) for name, schema in SCHEMAS.items()}

    def add(self, name: str, rows: list[dict]) -> None:
        if rows:
            self.writers[name].write_table(pa.Table.from_pylist(rows, schema=SCHEMAS[name]))

    def add_all(self, batch: list[Inspected]) -> None:
        columns = SCHEMAS["repositories"].names
        self.add("repositories", [{key: getattr(one, key) for key in columns} for one in batch])
        for name in ("findings", "contexts"):
            self.add(name, [{"repository": one.repository, **row} for one in batch for row in getattr(one, name)])

    def close(self) -> None:
        for writer in self.writers.values():
            writer.close()


def run(found: dict[str, str], output: pathlib.Path, program: str, timeout: float, client: Client, batch_size: int = 200) -> dict[str, int]:
    """Inspect all mirrors and write the tables; the answer counts states. A worker that dies fails what it held, after retries."""
    states: dict[str, int] = {}
    tables = Tables(output)
    try:
        rules = json.loads(subprocess.run([program, "rules", "--format", "json"], check=True, capture_output=True).stdout)
        tables.add("rules", [{"rule": rule["name"], "group": rule["group"]} for rule in rules])
        # Not pure: the same mirror may hold something else tomorrow.
        futures = {
            client.submit(inspect, repository, mirror, program, timeout, pure=False, retries=2): repository
            for repository, mirror in found.items()
        }
        waiting = as_completed(list(futures))
        batch: list[Inspected] = []
        for future in waiting:
            repository = futures.pop(future)
            one = future.result() if future.status == "finished" else failed(repository, future.exception())
            states[one.state] = states.get(one.state, 0) + 1
            batch.append(one)
            if len(batch) >= batch_size:
                tables.add_all(batch)
                batch = []
        tables.add_all(batch)
    finally:
        tables.close()
    return states


def ask(folder: pathlib.Path) -> dict[str, duckdb.DuckDBPyRelation]:
    """The answers, by question."""
    database = duckdb.connect()
    for name in SCHEMAS:
        path = str(folder / f"{name}.parquet").replace("'", "''")
        database.execute(f"create view {name} as select * from read_parquet('{path}')")
    return {question: database.sql(query) for question, query in QUESTIONS.items()}


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="hintlint over bare mirrors")
    commands = parser.add_subparsers(dest="command", required=True)
    running = commands.add_parser("run", help="inspect mirrors, write Parquet")
    running.add_argument("mirrors", type=pathlib.Path)
    running.add_argument("--output", type=pathlib.Path, default=pathlib.Path("fleet.d"))
    running.add_argument("--program", default="hintlint")
    running.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    running.add_argument("--scheduler", help="address of a running Dask scheduler, instead of workers of our own")
    running.add_argument("--timeout", type=float, default=120, help="seconds for one repository")
    asking = commands.add_parser("ask", help="answer the questions")
    asking.add_argument("output", type=pathlib.Path)
    asked = parser.parse_args(arguments)
    if asked.command == "ask":
        for question, answer in ask(asked.output).items():
            print(f"\n# {question}\n{answer}")
        return 0
    program = shutil.which(asked.program)
    if program is None:
        sys.exit(f"there is no program {asked.program}")
    found = mirrors(asked.mirrors)
    if not found:
        sys.exit(f"no bare repository below {asked.mirrors}")
    if asked.scheduler:
        with Client(asked.scheduler) as client:
            states = run(found, asked.output, program, asked.timeout, client)
    else:
        with LocalCluster(n_workers=asked.workers, threads_per_worker=1, dashboard_address=None) as cluster, Client(cluster) as client:
            states = run(found, asked.output, program, asked.timeout, client)
    print(", ".join(f"{count} {state}" for state, count in sorted(states.items())))
    return 0


if __name__ == "__main__":
    sys.exit(main())
