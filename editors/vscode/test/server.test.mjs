// The real program, spoken to through the protocol library that the extension uses. `HINTLINT` names the program.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtempSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { contextsHtml, statusText } from "../out/contexts.js";

const require = createRequire(import.meta.url);
const { createMessageConnection, StreamMessageReader, StreamMessageWriter } = require("vscode-jsonrpc/node");
const program = process.env.HINTLINT ?? "hintlint";

test("the server's contexts become the page and the status bar", async () => {
  const root = mkdtempSync(join(tmpdir(), "hintlint-vscode-"));
  mkdirSync(join(root, "src"));
  writeFileSync(join(root, "CLAUDE.md"), "# Top\n\nBe <b>brief</b>\u200b.\n");
  writeFileSync(join(root, "src", "x.ts"), "1\n");
  const child = spawn(program, ["server"], { cwd: root, stdio: ["pipe", "pipe", "inherit"] });
  const connection = createMessageConnection(new StreamMessageReader(child.stdout), new StreamMessageWriter(child.stdin));
  connection.listen();
  try {
    const uri = pathToFileURL(root).href;
    const options = { showContextCommand: true };
    await connection.sendRequest("initialize", { processId: null, capabilities: {}, workspaceFolders: [{ uri, name: "x" }], initializationOptions: options });
    await connection.sendNotification("initialized", {});
    const contexts = await connection.sendRequest("hintlint/contexts", { textDocument: { uri: `${uri}/src/x.ts` } });
    assert.equal(contexts.directory, "src");
    assert.match(statusText(contexts), /^claude: \d+ tokens$/);
    const html = contextsHtml(contexts, "claude", "n");
    assert.match(html, /CLAUDE\.md:3<\/td><td class="text">Be &lt;b&gt;brief&lt;\/b&gt;<mark>U\+200B<\/mark>\./);
    const lenses = await connection.sendRequest("textDocument/codeLens", { textDocument: { uri: `${uri}/CLAUDE.md` } });
    assert.equal(lenses[0].command.command, "hintlint.showContext");
    await connection.sendRequest("shutdown");
    await connection.sendNotification("exit");
    const code = await new Promise((resolve) => child.on("exit", resolve));
    assert.equal(code, 0);
  } finally {
    connection.dispose();
    child.kill();
    rmSync(root, { recursive: true, force: true });
  }
});
