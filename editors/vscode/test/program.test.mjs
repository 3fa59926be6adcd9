import assert from "node:assert/strict";
import { test } from "node:test";
import { findProgram } from "../out/program.js";

const machine = (files, more = {}) => ({ platform: "linux", path: "/usr/bin:/opt/bin", canRun: (file) => files.includes(file), ...more });

test("the user's program comes first, then the extension's own, then the one on the path", () => {
  const files = ["/x/hintlint", "/ext/bin/hintlint", "/usr/bin/hintlint", "/opt/bin/hintlint"];
  assert.deepEqual(findProgram("/x/hintlint", "/ext", machine(files)), { file: "/x/hintlint" });
  assert.deepEqual(findProgram("", "/ext", machine(files)), { file: "/ext/bin/hintlint" });
  assert.deepEqual(findProgram("", "/ext", machine(files.slice(2))), { file: "/usr/bin/hintlint" });
  assert.deepEqual(findProgram(" ", "/ext", machine(files.slice(3))), { file: "/opt/bin/hintlint" });
});

test("a name that depends on the open folder is refused", () => {
  assert.match(findProgram("./hintlint", "/ext", machine(["./hintlint"])).problem, /no absolute path/);
  assert.match(findProgram("/gone", "/ext", machine([])).problem, /names no program/);
  const here = machine(["hintlint", "./hintlint", "bin/hintlint"], { path: ":.:bin" });
  assert.match(findProgram("", "/ext", here).problem, /not installed/);
});

test("Windows has its own names", () => {
  const windows = machine(["C:\\ext\\bin\\hintlint.exe"], { platform: "win32", path: "C:\\a;C:\\b" });
  assert.deepEqual(findProgram("", "C:\\ext", windows), { file: "C:\\ext\\bin\\hintlint.exe" });
});
