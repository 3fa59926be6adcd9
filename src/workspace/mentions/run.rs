//! The paths that commands read or run, in code spans and shell fences. Knows the text alone.

use crate::base::text::Span;
use crate::parse::Document;
use crate::parse::markdown::{Code, CodeKind};

/// Paths in commands of one text, at most.
const MAX_PATHS: usize = 1000;

/// Programs that read the files they are given.
const READERS: &[&str] = &[
    ".",
    "ansible-playbook",
    "awk",
    "bash",
    "bat",
    "biome",
    "bun",
    "bunx",
    "cargo",
    "cat",
    "chmod",
    "deno",
    "diff",
    "docker",
    "docker-compose",
    "dotnet",
    "env",
    "eslint",
    "fish",
    "forge",
    "go",
    "grep",
    "hardhat",
    "head",
    "java",
    "jest",
    "jq",
    "julia",
    "just",
    "kubectl",
    "less",
    "lua",
    "make",
    "mocha",
    "mypy",
    "node",
    "nodejs",
    "npm",
    "npx",
    "perl",
    "php",
    "playwright",
    "pnpm",
    "poetry",
    "powershell",
    "prettier",
    "psql",
    "pwsh",
    "py",
    "pytest",
    "python",
    "python3",
    "rg",
    "Rscript",
    "ruby",
    "ruff",
    "sed",
    "sh",
    "source",
    "sqlite3",
    "sudo",
    "tail",
    "terraform",
    "time",
    "ts-node",
    "tsc",
    "tsx",
    "uv",
    "vitest",
    "wc",
    "yarn",
    "yq",
    "zsh",
];

/// Words behind which a program is told where to write.
const WRITES: &[&str] =
    &[">", ">>", "2>", "&>", "tee", "-o", "-O", "--out", "--out-file", "--outfile", "--output", "--output-file"];

/// Where the paths of `document`'s commands stand.
pub(super) fn paths(document: &Document) -> Vec<Span> {
    let mut found = Vec::new();
    for code in &document.markdown.code {
        match &code.kind {
            CodeKind::Span => line(document, code.content, &mut found),
            CodeKind::Fence { language, .. } if is_shell(language) => fence(document, code, &mut found),
            _ => {}
        }
        if found.len() > MAX_PATHS {
            break;
        }
    }
    found
}

fn is_shell(language: &str) -> bool {
    ["bash", "console", "sh", "shell", "shell-session", "zsh"].iter().any(|shell| language.eq_ignore_ascii_case(shell))
}

/// The commands of a fence, up to one that goes elsewhere.
fn fence(document: &Document, code: &Code, found: &mut Vec<Span>) {
    let text = document.slice(code.content);
    if text.contains("git clone") {
        return;
    }
    let mut at = code.content.start;
    for text in text.split_inclusive('\n') {
        let bare = text.trim_start().trim_start_matches("$ ");
        if bare.starts_with("cd ") || bare.starts_with("pushd ") {
            return;
        }
        if !bare.starts_with('#') {
            line(document, Span::new(at, at + text.trim_end().len()), found);
        }
        at += text.len();
    }
}

/// The paths of one line of commands.
fn line(document: &Document, span: Span, found: &mut Vec<Span>) {
    let text = document.slice(span);
    if !text.trim().contains(' ') && !text.trim_start().starts_with("./") {
        return;
    }
    let text = text.split(" #").next().unwrap_or(text);
    let mut at = span.start;
    for command in text.split_inclusive(['|', ';', '&']) {
        simple(command.trim_end_matches(['|', ';', '&']), at, found);
        at += command.len();
    }
}

/// The paths of one simple command that begins at `at`.
fn simple(command: &str, at: usize, found: &mut Vec<Span>) {
    let mut words = Vec::new();
    let mut from = 0;
    for word in command.split(' ') {
        if !word.is_empty() {
            words.push((word, at + from));
        }
        from += word.len() + 1;
    }
    let is_assignment =
        |word: &str| word.split_once('=').is_some_and(|(name, _)| !name.starts_with('-') && !name.contains('/'));
    let mut rest = words.into_iter().skip_while(|(word, _)| *word == "$" || is_assignment(word)).peekable();
    let Some(&(program, _)) = rest.peek() else { return };
    let runs_a_file = program.contains('/') && !program.starts_with(['~', '/']);
    if !runs_a_file && !READERS.contains(&program) {
        return;
    }
    let mut before = "";
    for (word, at) in rest {
        let path = word.contains('/') && !word.starts_with(['~', '/', '-', '@']);
        if path && !WRITES.contains(&before) {
            found.push(Span::new(at, at + word.len()));
        }
        before = word;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::kind::Kind;

    fn of(text: &str) -> Vec<String> {
        let document = Document::parse("AGENTS.md".into(), Kind::AgentsMd, text.as_bytes().into());
        paths(&document).into_iter().map(|span| document.slice(span).to_owned()).collect()
    }

    #[test]
    fn what_commands_read_or_run() {
        assert_eq!(
            of("`node scripts/a.mjs --x` `./tools/b.sh` `FOO=1 python3 src/c.py`\n"),
            ["scripts/a.mjs", "./tools/b.sh", "src/c.py"]
        );
        let text = "```bash\n$ sudo dev/setup.sh x # y/z.sh\ncat docs/a.md | grep x > out/b.txt\nuv run pytest tests/t.py::test_x\n```\n";
        assert_eq!(of(text), ["dev/setup.sh", "docs/a.md", "tests/t.py::test_x"]);
    }

    #[test]
    fn what_commands_make_or_do_elsewhere() {
        let text = "`touch src/a.rs` `git add src/a.rs` `mkdir -p a/b` `src/a.rs` `and/or then` `node -o out/x.js` `curl https://x.y/z.sh`\n\n\
                    ```bash\n# node scripts/a.js\ncd web\nnode scripts/b.js\n```\n\n```ts\nnode scripts/c.js\n```\n\n\
                    ```sh\ngit clone x\nnode scripts/d.js\n```\n";
        assert_eq!(of(text), ["and/or"]);
    }
}
