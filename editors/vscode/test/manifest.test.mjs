import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

const manifest = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
const source = readFileSync(new URL("../src/extension.ts", import.meta.url), "utf8");

test("every setting and command that is offered is obeyed", () => {
  const properties = manifest.contributes.configuration.properties;
  for (const [name, schema] of Object.entries(properties)) {
    assert.ok("default" in schema && (schema.description || schema.markdownDescription), name);
    // The client library reads the trace setting itself.
    const short = name.replace(/^hintlint\./, "");
    assert.ok(short === "trace.server" || source.includes(`"${short}"`), name);
  }
  for (const { command } of manifest.contributes.commands) {
    assert.ok(source.includes(`registerCommand("${command}"`), command);
  }
});

test("a workspace cannot name a program to run", () => {
  assert.equal(manifest.contributes.configuration.properties["hintlint.path"].scope, "machine");
});

test("the version is the program's", () => {
  const cargo = readFileSync(new URL("../../../Cargo.toml", import.meta.url), "utf8");
  assert.equal(manifest.version, /^version = "(.*)"$/m.exec(cargo)[1]);
});
