// Which program serves: the one that the user names, the one that the extension brings, or the one on the path.

import * as path from "node:path";

/** What the choice depends on; given by the extension, or by a test. */
export interface Machine {
  platform: string;
  /** The variable PATH. */
  path: string;
  /** Whether a file is there and can be run. */
  canRun(file: string): boolean;
}

/** The program to start, or why there is none. */
export type Program = { file: string } | { problem: string };

export function findProgram(setting: string, extensionFolder: string, machine: Machine): Program {
  const paths = machine.platform === "win32" ? path.win32 : path.posix;
  const name = machine.platform === "win32" ? "hintlint.exe" : "hintlint";
  const wanted = setting.trim();
  if (wanted !== "") {
    // A relative path would depend on the folder that happens to be open.
    if (!paths.isAbsolute(wanted)) {
      return { problem: `hintlint.path is no absolute path: ${wanted}` };
    }
    return machine.canRun(wanted) ? { file: wanted } : { problem: `hintlint.path names no program: ${wanted}` };
  }
  const folders = machine.path.split(paths.delimiter).filter((folder) => paths.isAbsolute(folder));
  const places = [paths.join(extensionFolder, "bin", name), ...folders.map((folder) => paths.join(folder, name))];
  const file = places.find((place) => machine.canRun(place));
  return file === undefined ? { problem: "the program hintlint is not installed; hintlint.path can name it" } : { file };
}
