//! Random edits, saves and renames against a fresh check after each hundred. `HINTLINT_TEST_EDITS` says how many; `.ci/run` asks
//! for ten thousand.

use std::collections::BTreeMap;

use hintlint::base::sanitize;
use serde_json::{Value, json};

use super::client::Client;
use crate::support::Repo;

/// Edits where nobody says how many.
const EDITS: usize = 300;
/// Edits between two fresh checks.
const ROUND: usize = 100;

/// What random texts are made of.
const PIECES: &[&str] = &[
    "@docs/a.md",
    " @docs/gone.md ",
    "[a](docs/a.md)",
    "[b](b.md#two)",
    "`src/x.ts`",
    "`src/gone.ts`",
    "# Title\n",
    "\n\n## Two\n\n",
    "```\n",
    "---\n",
    "paths: src/**\n",
    "- [ ] open\n",
    "- [x] done\n",
    "\u{200b}",
    "🙂",
    "ü",
    "\r\n",
    "\n",
    " ",
    "<!-- ",
    " -->",
    "<!-- hintlint-ignore stale-path: yes -->\n",
    "Be brief.",
    "npm run build",
    "<<<<<<< HEAD\n",
    "\u{e0041}\u{e0042}",
    "* [ ]x",
    "\t",
    "\u{202e}",
    "@../x.md",
    "`docs/`",
    "name: x\n",
    "",
];

/// A sequence that is the same on every machine.
struct Dice(u64);

impl Dice {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).expect("31 bits") % end.max(1)
    }
}

/// Where lines begin: behind `\n`, `\r\n` and `\r`.
fn starts(text: &str) -> Vec<usize> {
    let bytes = text.as_bytes();
    let ends =
        (0..bytes.len()).filter(|&at| bytes[at] == b'\n' || bytes[at] == b'\r' && bytes.get(at + 1) != Some(&b'\n'));
    std::iter::once(0).chain(ends.map(|at| at + 1)).collect()
}

fn place(text: &str, offset: usize) -> Value {
    let starts = starts(text);
    let line = starts.partition_point(|&start| start <= offset) - 1;
    json!({"line": line, "character": text[starts[line]..offset].encode_utf16().count()})
}

fn offset(text: &str, place: &Value) -> usize {
    let line = usize::try_from(place["line"].as_u64().expect("a line")).expect("small");
    let mut units = place["character"].as_u64().expect("a character");
    let start = starts(text).get(line).copied().unwrap_or(text.len());
    for (at, c) in text[start..].char_indices() {
        if units == 0 {
            return start + at;
        }
        units -= c.len_utf16() as u64;
    }
    text.len()
}

/// An editor: the texts that it has open, and the repository.
struct Editor {
    repo: Repo,
    client: Client,
    open: BTreeMap<String, String>,
    dice: Dice,
}

impl Editor {
    fn open(&mut self, path: &str) {
        let text = String::from_utf8(self.repo.read(path)).expect("UTF-8");
        let document = json!({"uri": self.client.uri(path), "languageId": "markdown", "version": 0, "text": text});
        self.client.tell("textDocument/didOpen", &json!({"textDocument": document}));
        self.open.insert(path.to_owned(), text);
    }

    fn close(&mut self, path: &str) {
        // What is not saved is lost.
        self.client.tell("textDocument/didClose", &json!({"textDocument": {"uri": self.client.uri(path)}}));
        self.open.remove(path);
    }

    fn save(&mut self, path: &str) {
        self.repo.write(path, &self.open[path]);
        self.client.tell("textDocument/didSave", &json!({"textDocument": {"uri": self.client.uri(path)}}));
    }

    fn any_open(&mut self) -> String {
        let at = self.dice.below(self.open.len());
        self.open.keys().nth(at).expect("one is open").clone()
    }

    /// A boundary between characters that is no half of a line end.
    fn boundary(&mut self, text: &str) -> usize {
        let mut at = self.dice.below(text.len() + 1);
        while !text.is_char_boundary(at) || at > 0 && text[..at].ends_with('\r') && text[at..].starts_with('\n') {
            at -= 1;
        }
        at
    }

    fn edit(&mut self) {
        let path = self.any_open();
        let text = self.open[&path].clone();
        let start = self.boundary(&text);
        let end = match self.dice.below(3) {
            0 => start,
            _ => {
                let end = self.boundary(&text);
                if end.abs_diff(start) > 40 { start } else { end }
            }
        };
        let (start, end) = (start.min(end), start.max(end));
        let piece = PIECES[self.dice.below(PIECES.len())];
        let range = json!({"start": place(&text, start), "end": place(&text, end)});
        let new = format!("{}{piece}{}", &text[..start], &text[end..]);
        // So that no text grows for ever.
        let change = if new.len() > 1500 {
            json!({"text": "# Title\n\nBe brief.\n"})
        } else {
            json!({"range": range, "text": piece})
        };
        let new = if new.len() > 1500 { "# Title\n\nBe brief.\n".to_owned() } else { new };
        self.client.edit(&path, &json!([change]));
        self.open.insert(path, new);
    }

    /// Rename a file as an editor does: ask for edits, apply them, move it.
    fn rename(&mut self) {
        let files = ["docs/a.md", "docs/b.md", "src/x.ts", "docs/moved.md", "lib/y.ts", "notes/c.md"];
        let there: Vec<&str> = files.into_iter().filter(|path| self.repo.at(path).is_file()).collect();
        let absent: Vec<&str> = files.into_iter().filter(|path| !self.repo.at(path).is_file()).collect();
        let (from, to) = (there[self.dice.below(there.len())], absent[self.dice.below(absent.len())]);
        let params = json!({"files": [{"oldUri": self.client.uri(from), "newUri": self.client.uri(to)}]});
        let edit = self.client.ask("workspace/willRenameFiles", &params);
        for change in edit["documentChanges"].as_array().cloned().unwrap_or_default() {
            let uri = change["textDocument"]["uri"].as_str().expect("an address").to_owned();
            let path = uri.strip_prefix(&self.client.uri("")).expect("a file of the repository").to_owned();
            self.apply(&path, &change["edits"]);
        }
        let was_open = self.open.contains_key(from);
        if was_open {
            self.save(from);
            self.close(from);
        }
        std::fs::create_dir_all(self.repo.at(to).parent().expect("a parent")).expect("folders");
        std::fs::rename(self.repo.at(from), self.repo.at(to)).expect("it moves");
        self.client.tell("workspace/didRenameFiles", &params);
        if was_open {
            self.open(to);
        }
    }

    fn apply(&mut self, path: &str, edits: &Value) {
        let is_open = self.open.contains_key(path);
        let text = match self.open.get(path) {
            Some(text) => text.clone(),
            None => String::from_utf8(self.repo.read(path)).expect("UTF-8"),
        };
        let mut spans: Vec<(usize, usize, String)> = edits
            .as_array()
            .expect("edits")
            .iter()
            .map(|edit| {
                let range = &edit["range"];
                let new = edit["newText"].as_str().expect("a text").to_owned();
                (offset(&text, &range["start"]), offset(&text, &range["end"]), new)
            })
            .collect();
        spans.sort();
        let mut new = text;
        for (start, end, replacement) in spans.into_iter().rev() {
            new.replace_range(start..end, &replacement);
        }
        if is_open {
            self.client.edit(path, &json!([{"text": new}]));
            self.open.insert(path.to_owned(), new);
        } else {
            self.repo.write(path, new);
        }
    }

    /// `path line rule message` of what the server told, and of what a fresh check tells.
    fn compare(&mut self, edits: usize) {
        for path in self.open.keys().cloned().collect::<Vec<_>>() {
            self.save(&path);
        }
        // An answer comes when all of it was checked.
        let path = self.any_open();
        self.client.ask("textDocument/documentSymbol", &json!({"textDocument": {"uri": self.client.uri(&path)}}));
        let mut told: Vec<String> = Vec::new();
        let root = self.client.uri("");
        for (uri, diagnostics) in &self.client.diagnostics {
            for one in diagnostics.as_array().expect("diagnostics").iter().filter(|one| one["severity"] != 4) {
                let message = one["message"].as_str().expect("a message").lines().next().unwrap_or_default();
                let line = one["range"]["start"]["line"].as_u64().expect("a line") + 1;
                let path = uri.strip_prefix(&root).expect("a file of the repository");
                told.push(format!("{path} {line} {} {message}", one["code"].as_str().unwrap_or_default()));
            }
        }
        let run = self.repo.run(&["--format", "json"]);
        let report: Value = serde_json::from_str(&run.stdout).expect("JSON");
        let show = |finding: &Value| {
            let text = |key: &str| finding[key].as_str().expect("a text").to_owned();
            // A diagnostic spells hidden characters out; JSON escapes them, and so keeps them.
            let message = sanitize::line(&text("message")).into_owned();
            format!("{} {} {} {message}", text("path"), finding["start"]["line"], text("rule"))
        };
        let mut fresh: Vec<String> = report["findings"].as_array().expect("findings").iter().map(show).collect();
        told.sort();
        fresh.sort();
        assert_eq!(told, fresh, "after {edits} edits");
    }
}

#[test]
fn random_edits_end_as_a_fresh_check_does() {
    let files = [
        ("CLAUDE.md", "# Title\n\nRead @docs/a.md and [b](docs/b.md#two).\n"),
        ("AGENTS.md", "See `src/x.ts`.\n"),
        ("docs/a.md", "# A\n\nBe brief.\n"),
        ("docs/b.md", "# B\n\n## Two\n"),
        ("notes/PLAN.md", "x\n"),
        ("PLAN.md", "- [ ] one\n- [x] two\n"),
        (".claude/rules/r.md", "---\npaths: src/**\n---\nSee `src/x.ts`.\n"),
        ("src/x.ts", "1\n"),
    ];
    let repo = Repo::with_files(files);
    let mut client = Client::run(repo.hintlint(repo.root()), &repo);
    client.greet(&json!({"capabilities": {"workspace": {"workspaceEdit": {"documentChanges": true},
        "didChangeWatchedFiles": {"dynamicRegistration": true}}}}));
    let mut editor = Editor { repo, client, open: BTreeMap::new(), dice: Dice(20_261_123) };
    for path in ["CLAUDE.md", "AGENTS.md", "docs/a.md", ".claude/rules/r.md", "PLAN.md"] {
        editor.open(path);
    }
    let edits: usize = std::env::var("HINTLINT_TEST_EDITS").ok().and_then(|text| text.parse().ok()).unwrap_or(EDITS);
    let mut early = 0;
    for number in 1..=edits {
        match editor.dice.below(40) {
            0 => {
                let path = editor.any_open();
                editor.save(&path);
            }
            1 => editor.rename(),
            2 if editor.open.len() > 2 => {
                let path = editor.any_open();
                editor.close(&path);
            }
            3 => {
                let paths = ["CLAUDE.md", "AGENTS.md", "docs/a.md", "docs/b.md", ".claude/rules/r.md", "PLAN.md"];
                let path = paths[editor.dice.below(paths.len())];
                if editor.repo.at(path).is_file() && !editor.open.contains_key(path) {
                    editor.open(path);
                }
            }
            _ => editor.edit(),
        }
        if number % ROUND == 0 {
            editor.compare(number);
            editor.client.others.clear();
        }
        if number == edits / 5 {
            early = editor.client.memory();
        }
    }
    let late = editor.client.memory();
    assert!(
        late < early + early / 4 + 16 * 1024,
        "memory grew from {early} to {late} kB in {} edits",
        edits - edits / 5
    );
    editor.client.stop();
}
