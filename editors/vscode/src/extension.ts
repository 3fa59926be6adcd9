// The extension: starts the server, shows contexts, counts tokens.

import { randomBytes } from "node:crypto";
import { accessSync, constants } from "node:fs";
import * as vscode from "vscode";
import { LanguageClient, type LanguageClientOptions, type ServerOptions } from "vscode-languageclient/node";
import { type Contexts, contextsHtml, statusDetails, statusText } from "./contexts";
import { findProgram } from "./program";

const FILES = "**/{.dexhints,.goosehints,.cursorrules,.windsurfrules,.clinerules,hint.yaml,*.mdc,*.md}";

let client: LanguageClient | undefined;
let panel: vscode.WebviewPanel | undefined;

function canRun(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function wishes(): object {
  const settings = vscode.workspace.getConfiguration("hintlint");
  return {
    minLevel: settings.get("minLevel"),
    select: settings.get("select"),
    ignore: settings.get("ignore"),
    showContextCommand: true,
  };
}

async function start(context: vscode.ExtensionContext): Promise<void> {
  const setting = vscode.workspace.getConfiguration("hintlint").get<string>("path") ?? "";
  const machine = { platform: process.platform, path: process.env.PATH ?? "", canRun };
  const program = findProgram(setting, context.extensionPath, machine);
  if ("problem" in program) {
    void vscode.window.showErrorMessage(`hintlint: ${program.problem}`);
    return;
  }
  const server: ServerOptions = { command: program.file, args: ["server"] };
  const options: LanguageClientOptions = {
    documentSelector: [{ scheme: "file", pattern: FILES }],
    initializationOptions: wishes(),
  };
  client = new LanguageClient("hintlint", "hintlint", server, options);
  await client.start();
}

async function stop(): Promise<void> {
  const running = client;
  client = undefined;
  await running?.stop();
}

async function contextsOf(uri: vscode.Uri): Promise<Contexts | undefined> {
  if (client === undefined || uri.scheme !== "file") {
    return undefined;
  }
  const params = { textDocument: { uri: uri.toString() } };
  return (await client.sendRequest<Contexts | null>("hintlint/contexts", params)) ?? undefined;
}

async function showContext(target?: string | vscode.Uri, agent?: string): Promise<void> {
  const named = typeof target === "string" ? vscode.Uri.parse(target, true) : target;
  const uri = named ?? vscode.window.activeTextEditor?.document.uri;
  const contexts = uri === undefined ? undefined : await contextsOf(uri);
  if (contexts === undefined) {
    void vscode.window.showInformationMessage("hintlint: open a file of a folder that hintlint checks");
    return;
  }
  panel ??= vscode.window.createWebviewPanel("hintlint.context", "What agents load", vscode.ViewColumn.Beside, {
    enableScripts: false,
    localResourceRoots: [],
  });
  panel.onDidDispose(() => {
    panel = undefined;
  });
  panel.webview.html = contextsHtml(contexts, agent, randomBytes(16).toString("hex"));
  panel.reveal(undefined, true);
}

async function count(item: vscode.StatusBarItem): Promise<void> {
  const uri = vscode.window.activeTextEditor?.document.uri;
  const isWanted = vscode.workspace.getConfiguration("hintlint").get<boolean>("statusBar") ?? true;
  const contexts = uri === undefined || !isWanted ? undefined : await contextsOf(uri).catch(() => undefined);
  // Another file may have been opened meanwhile.
  if (uri !== vscode.window.activeTextEditor?.document.uri) {
    return;
  }
  item.text = contexts === undefined ? "" : statusText(contexts);
  item.tooltip = contexts === undefined ? "" : statusDetails(contexts);
  if (item.text === "") {
    item.hide();
  } else {
    item.show();
  }
}

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const item = vscode.window.createStatusBarItem("hintlint.tokens", vscode.StatusBarAlignment.Right, 90);
  item.name = "hintlint";
  item.command = "hintlint.showContext";
  const recount = (): void => void count(item);
  context.subscriptions.push(
    item,
    vscode.commands.registerCommand("hintlint.showContext", showContext),
    vscode.commands.registerCommand("hintlint.restart", async () => {
      await stop();
      await start(context);
      recount();
    }),
    vscode.window.onDidChangeActiveTextEditor(recount),
    vscode.workspace.onDidSaveTextDocument(recount),
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration("hintlint")) {
        void client?.sendNotification("workspace/didChangeConfiguration", { settings: { hintlint: wishes() } });
        recount();
      }
    }),
  );
  await start(context);
  recount();
}

export async function deactivate(): Promise<void> {
  await stop();
}
