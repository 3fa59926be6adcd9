#!/usr/bin/env node
// Starts the program of the package for this platform, which npm installed beside this one.
"use strict";

const { spawnSync } = require("node:child_process");

const packages = require("./package.json").optionalDependencies;
const platform = `@hintlint/${process.platform}-${process.arch}`;
const program = process.platform === "win32" ? "hintlint.exe" : "hintlint";

function find() {
  // npm leaves out the C library that is not this system's; where it cannot tell, glibc comes first.
  for (const name of Object.keys(packages)) {
    if (name !== platform && !name.startsWith(`${platform}-`)) continue;
    try {
      return require.resolve(`${name}/${program}`);
    } catch {
      // The next one.
    }
  }
  return undefined;
}

const file = find();
if (file === undefined) {
  console.error(
    `hintlint: no package for ${process.platform} on ${process.arch} is installed.\n` +
      "  help: run npm install without --omit=optional, or install hintlint by other means: " +
      "https://github.com/hintlint/hintlint/blob/main/docs/install.md",
  );
  process.exit(2);
}
const run = spawnSync(file, process.argv.slice(2), { stdio: "inherit" });
if (run.error) {
  console.error(`hintlint: ${file} cannot be started: ${run.error.message}`);
  process.exit(2);
}
if (run.signal) process.kill(process.pid, run.signal);
process.exitCode = run.status;
