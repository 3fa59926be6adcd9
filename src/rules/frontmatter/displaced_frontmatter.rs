//! `displaced-frontmatter`: frontmatter is not at the beginning of the file. Knows only parsed documents.

use super::{is_template, schema};
use crate::agents::files;
use crate::base::finding::{Applicability, Cause, Finding, Level};
use crate::base::kind::{Kind, Role};
use crate::base::text::Span;
use crate::parse::markdown::CodeKind;
use crate::parse::{Document, ProblemKind};
use crate::rules::{Cx, Evidence, FixAvailability, Group, Rule, RuleInfo};

/// The rule.
pub(super) struct DisplacedFrontmatter;

pub(in crate::rules) static INFO: RuleInfo = RuleInfo {
    name: "displaced-frontmatter",
    group: Group::Frontmatter,
    levels: &[Level::Warning],
    summary: "frontmatter is not at the beginning of the file",
    explanation: r#"## What it does

Reports a block that reads like frontmatter (fences, `key: value` lines, at least one field that some agent knows) but stands
after blank lines, a comment, a title or stray characters; fields at the beginning of the file that no `---` lines enclose; and a second
block of fields directly behind the first. It also
reports frontmatter of another file in the middle of a text, and a rule without frontmatter whose text says under its title which files it is for (`> **Apply To**: **/*.go`).

## Why is this bad?

Frontmatter counts only at the first byte of a file. Anywhere else agents take it for text: a path-scoped rule applies to
every file, a skill has no name. A byte order mark before it is enough for some: OpenAI Codex and Gemini CLI drop such a skill.

## Example

```markdown
<!-- synced from the handbook -->
---
paths: src/**
---
```

## How to fix

Move the block to the beginning of the file.
"#,
    evidence: &[
        Evidence { source: "Claude Code 2.1.329, observed", checked: "2026-11" },
        Evidence { source: "openai/codex codex-rs/core/src/skills/loader.rs 006b3dac, read", checked: "2026-11" },
        Evidence { source: "google-gemini/gemini-cli skillLoader.ts 04fbf507, read", checked: "2026-11" },
    ],
    fix: FixAvailability::Sometimes,
    aliases: &[],
};

impl Rule for DisplacedFrontmatter {
    fn info(&self) -> &'static RuleInfo {
        &INFO
    }

    fn check(&self, document: &Document, _cx: &Cx<'_>, findings: &mut Vec<Finding>) {
        findings.extend(behind_mark(document));
        findings.extend(without_fences(document).or_else(|| scope_in_text(document)));
        let problem = document.problems.iter().find(|problem| problem.kind == ProblemKind::DisplacedFrontmatter);
        let Some(problem) = problem else {
            findings.extend(behind_the_first(document).or_else(|| in_the_middle(document)));
            return;
        };
        let block = problem.span;
        let line = document.slice(block).lines().next().unwrap_or("").len();
        let message = "this frontmatter is not at the beginning of the file, so agents read it as text";
        let place = Span::new(block.start, block.start + line);
        let finding = Finding::new(INFO.name, Level::Warning, &document.path, place, message);
        if schema::of(document.kind).is_none_or(|schema| schema.fields.is_empty()) {
            findings.push(finding.help("delete the block: agents read no fields in this file"));
            return;
        }
        let finding = finding.help("move the block to the first line of the file");
        // The block, from its own line's start to the end of its last line, goes before all that precedes it.
        let line_start = document.lines.line_span(document.lines.line_of(block.start)).start;
        // On the first line the file's own byte order mark stands before the body, and stays where it is.
        let start = line_start.max(document.body);
        let end = document.lines.line_span(document.lines.line_of(block.end.saturating_sub(1))).end;
        let newline = if document.slice(block).contains("\r\n") { "\r\n" } else { "\n" };
        let lines: Vec<&str> = document.slice(block).lines().map(str::trim_end).collect();
        let before = document.text[document.body..start].trim_matches(['\u{200b}', '\u{2060}', '\n', '\r', ' ', '\t']);
        let gap = if before.is_empty() { String::new() } else { format!("{before}{newline}") };
        let moved = format!("{}{newline}{gap}", lines.join(newline));
        findings.push(finding.fix(Applicability::Unsafe, Span::new(document.body, end), moved));
    }
}

/// Whether the rule says that the fields of `document` do not stand where agents read them.
pub(in crate::rules) fn is_displaced(document: &Document) -> bool {
    document.problems.iter().any(|problem| problem.kind == ProblemKind::DisplacedFrontmatter)
        || without_fences(document).is_some()
        || scope_in_text(document).is_some()
}

/// Fields at the beginning of a file, without the `---` lines that would make them frontmatter.
fn without_fences(document: &Document) -> Option<Finding> {
    let schema = schema::of(document.kind).filter(|_| !is_template(&document.path))?;
    let is_reported =
        |kind: &ProblemKind| matches!(kind, ProblemKind::DisplacedFrontmatter | ProblemKind::UnterminatedFrontmatter);
    if document.frontmatter.is_some() || document.problems.iter().any(|problem| is_reported(&problem.kind)) {
        return None;
    }
    let body = &document.text[document.body..];
    let start = document.body + (body.len() - body.trim_start().len());
    let field = |line: &str| {
        let (name, value) = line.split_once(':')?;
        (value.is_empty() || value.starts_with(' ')).then(|| schema.fields.iter().find(|field| field.name == name))?
    };
    let mut lines = document.text[start..].lines();
    let line = lines.next()?;
    let first = field(line)?;
    // `description:` may begin a sentence; `applyTo:` does not, nor do two fields.
    let is_certain = ["applyTo", "alwaysApply", "allowed-tools", "argument-hint", "globs"].contains(&first.name);
    if !is_certain && lines.find(|line| !line.trim().is_empty()).and_then(field).is_none() {
        return None;
    }
    let name = first.name;
    let message = format!("this file begins with the field `{name}` and no `---` line, so agents read it as text");
    let finding =
        Finding::new(INFO.name, Level::Warning, &document.path, Span::new(start, start + line.len()), message);
    Some(finding.help("put the fields between two `---` lines, the first of them at the beginning of the file"))
}

/// Fields that no text has by chance.
const SCOPES: [&str; 4] = ["alwaysApply:", "applyTo:", "fileMatchPattern:", "globs:"];
/// Lines of a second block behind the first, at most.
const MAX_SECOND: usize = 40;
/// Lines of frontmatter that was put into a text, at most.
const MAX_FIELDS: usize = 8;

/// A second block of fields directly behind the first, whether or not a `---` line begins it.
fn behind_the_first(document: &Document) -> Option<Finding> {
    let schema = schema::of(document.kind)?;
    let first = document.frontmatter.as_ref().filter(|frontmatter| frontmatter.valid)?;
    let known = |name: &str| schema.fields.iter().any(|field| field.name == name) || first.get(name).is_some();
    let (mut at, mut place) = (first.span.end.max(document.body), None);
    let (mut fields, mut is_known, mut is_begun) = (0, false, false);
    for line in document.text[at..].split_inclusive('\n').take(MAX_SECOND) {
        let (start, said) = (at, line.trim_end());
        at += line.len();
        let name = said.split_once(':').map(|(name, _)| name);
        let is_field = name.is_some_and(|name| {
            !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'))
        });
        match said {
            "" if place.is_none() => {}
            "---" if place.is_none() => (place, is_begun) = (Some(Span::new(start, start + said.len())), true),
            "---" if is_known && (is_begun || fields > 1) => {
                let message = "this second block of fields is not frontmatter, so agents read it as text";
                let finding = Finding::new(INFO.name, Level::Warning, &document.path, place?, message);
                return Some(finding.help("put the fields that are meant into the first block, and delete this one"));
            }
            _ if is_field => {
                place = place.or(Some(Span::new(start, start + said.len())));
                fields += 1;
                is_known |= name.is_some_and(known);
            }
            // A value that goes on.
            _ if fields > 0 && said.starts_with([' ', '\t', '-']) && said != "---" => {}
            _ => return None,
        }
    }
    None
}

/// The frontmatter of another file that was put into the text with it.
fn in_the_middle(document: &Document) -> Option<Finding> {
    let is_hint = matches!(document.kind.role(), Some(Role::Main | Role::Legacy | Role::Rule))
        || matches!(document.kind, Kind::AgentsMd | Kind::OtherRules);
    if !is_hint || !SCOPES.iter().any(|field| document.text.contains(field)) {
        return None;
    }
    let text = &document.text[document.body..];
    let mut at = document.body;
    let mut fields: Option<(usize, usize, bool)> = None;
    for line in text.split_inclusive('\n') {
        let (start, said) = (at, line.trim_end());
        at += line.len();
        let is_field = said.split_once(':').is_some_and(|(name, _)| {
            !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_'))
        });
        fields = match (fields, said == "---") {
            (Some((first, _, true)), true) => {
                let message = "this frontmatter is in the middle of the file, so agents read it as text";
                let place = Span::new(first, first + "---".len());
                let finding = Finding::new(INFO.name, Level::Warning, &document.path, place, message);
                return Some(finding.help("delete it, or move the text below it into a rule of its own"));
            }
            (_, true) if !document.markdown.in_code(start) => Some((start, 0, false)),
            (Some((first, count, scoped)), false) if is_field && count < MAX_FIELDS => {
                Some((first, count + 1, scoped || SCOPES.iter().any(|field| said.starts_with(field))))
            }
            _ => None,
        };
    }
    None
}

/// Lines at the beginning of a rule in which it may say what it is for.
const HEAD: usize = 12;

/// A line of the text that says which files the rule is for, where frontmatter would have to.
fn scope_in_text(document: &Document) -> Option<Finding> {
    let field =
        document.kind.patterns().first().filter(|_| document.frontmatter.is_none() && document.problems.is_empty())?;
    let bare = |text: &str| text.chars().filter(|c| c.is_alphanumeric()).collect::<String>().to_lowercase();
    let wanted = bare(field);
    let mut at = document.body;
    for line in document.text[document.body..].split_inclusive('\n').take(HEAD) {
        let start = at;
        at += line.len();
        let said = line.trim_end();
        let Some((name, value)) = said.split_once(':') else { continue };
        let value = value.trim_start_matches(['*', '_', ' ']);
        let is_meant =
            bare(name) == wanted && value.contains(['/', '.']) && (said.contains("**/") || value.starts_with('`'));
        let content = start + (said.len() - said.trim_start().len());
        if !is_meant || document.markdown.code_at(content).is_some_and(|code| code.kind != CodeKind::Span) {
            continue;
        }
        let message = format!("agents do not read this scope: they read `{field}` in the frontmatter");
        let place = Span::new(content, start + said.len());
        let finding = Finding::new(INFO.name, Level::Warning, &document.path, place, message).cause(Cause {
            key: format!("scope in text {field}"),
            subject: format!("`{}`", document.path.to_str_lossy()),
            many: "say in their text which files they are for, where no agent reads it",
            help: None,
        });
        return Some(finding.help(format!("begin the file with a `---` line, `{field}: …` and a `---` line")));
    }
    None
}

/// Frontmatter that some reader of the file does not see, since a byte order mark stands before it.
fn behind_mark(document: &Document) -> Option<Finding> {
    let mark = Span::new(0, '\u{feff}'.len_utf8());
    let frontmatter = document.frontmatter.as_ref()?;
    if frontmatter.span.start != mark.end {
        return None;
    }
    let blind: Vec<_> = files::blind_behind_mark(document.path.as_bytes(), document.kind).collect();
    if blind.is_empty() {
        return None;
    }
    let names = blind.iter().map(|dialect| dialect.title).collect::<Vec<_>>().join(" and ");
    let message = format!("a byte order mark (U+FEFF) before the frontmatter hides it from {names}");
    let finding = Finding::new(INFO.name, Level::Warning, &document.path, mark, message)
        .help("remove the byte order mark")
        .agents(blind.iter().map(|dialect| dialect.id));
    Some(finding.fix(Applicability::Safe, mark, String::new()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::kind::Kind;
    use crate::rules::testing::{check, fixed};

    #[test]
    fn the_block_moves_to_the_top() {
        for (text, want) in [
            ("\n\n---\npaths: a\n---\nT\n", "---\npaths: a\n---\nT\n"),
            ("<!-- c -->\n\n---\npaths: a\n---\n\nT\n", "---\npaths: a\n---\n<!-- c -->\n\nT\n"),
            ("\u{200b}---\npaths: a\n---\nT\n", "---\npaths: a\n---\nT\n"),
            ("# T\r\n\r\n---\r\npaths: a\r\n---", "---\r\npaths: a\r\n---\r\n# T\r\n"),
            ("\u{feff}\u{feff}---\npaths: a\n---\nT\n", "\u{feff}---\npaths: a\n---\nT\n"),
            ("\u{feff} ---\npaths: a\n---\nT\n", "\u{feff}---\npaths: a\n---\nT\n"),
            ("\u{feff}\u{200b}---\npaths: a\n---\nT\n", "\u{feff}---\npaths: a\n---\nT\n"),
            ("\u{feff}\u{2060}\n---\npaths: a\n---\nT\n", "\u{feff}---\npaths: a\n---\nT\n"),
            ("\u{feff}\n\u{feff}---\npaths: a\n---\nT\n", "\u{feff}---\npaths: a\n---\nT\n"),
        ] {
            assert_eq!(fixed(&DisplacedFrontmatter, Kind::of_agent("claude-rule"), text, Applicability::Unsafe), want);
        }
    }

    #[test]
    fn a_block_in_a_file_without_fields_is_not_moved() {
        let of = |kind| check(&DisplacedFrontmatter, kind, "\n\n---\npaths: a\n---\nT\n");
        let help = |kind| of(kind).pop().and_then(|finding| finding.help).unwrap_or_default();
        assert!(help(Kind::of_agent("claude-md")).starts_with("delete the block"));
        assert!(help(Kind::of_agent("claude-rule")).starts_with("move the block"));
    }

    #[test]
    fn a_mark_before_the_frontmatter_goes_where_an_agent_is_blind_behind_it() {
        let skill = "\u{feff}---\nname: a\ndescription: b\n---\nT\n";
        assert_eq!(fixed(&DisplacedFrontmatter, Kind::Skill, skill, Applicability::Safe), skill[3..]);
        let blind = |path: &str, kind| {
            files::blind_behind_mark(path.as_bytes(), kind).map(|dialect| dialect.id).collect::<Vec<_>>()
        };
        assert_eq!(blind("skills/a/SKILL.md", Kind::Skill), ["codex", "gemini"]);
        assert_eq!(blind(".agents/skills/a/SKILL.md", Kind::Skill), ["codex", "gemini"]);
        assert_eq!(blind("x/.gemini/skills/a/SKILL.md", Kind::Skill), ["gemini"]);
        assert_eq!(blind(".claude/skills/a/SKILL.md", Kind::Skill), [""; 0]);
        assert_eq!(blind(".claude/rules/a.md", Kind::of_agent("claude-rule")), [""; 0]);
        for text in [&skill[3..], "\u{feff}# T\n"] {
            assert_eq!(check(&DisplacedFrontmatter, Kind::Skill, text), []);
        }
        assert_eq!(check(&DisplacedFrontmatter, Kind::of_agent("claude-rule"), skill), []);
    }

    #[test]
    fn the_scope_of_a_rule_stands_in_frontmatter() {
        let check = |kind: &'static str, text: &str| check(&DisplacedFrontmatter, Kind::of_agent(kind), text).len();
        assert_eq!(check("copilot-scoped", "# Go\n> **Apply To**: `**/*.go`\n\nUse gofmt.\n"), 1);
        assert_eq!(check("cursor-rule", "# TS\n\nGlobs: src/**/*.ts\n"), 1);
        for text in [
            "---\napplyTo: '**/*.go'\n---\n# Go\n> **Apply To**: `**/*.go`\n",
            "# Go\n\nApply to: all services in Go.\n",
            "# Go\n\nThese rules apply to: `**/*.go`\n",
            "# Go\n\n```yaml\napplyTo: '**/*.go'\n```\n",
        ] {
            assert_eq!(check("copilot-scoped", text), 0, "{text}");
        }
        assert_eq!(check("claude-md", "# Go\n> **Apply To**: `**/*.go`\n"), 0);
    }

    #[test]
    fn a_second_block_is_text() {
        let of = |kind: &'static str, text: &str| check(&DisplacedFrontmatter, Kind::of_agent(kind), text).len();
        let first = "---\ndescription: A\nalwaysApply: false\n---\n";
        for block in [
            "name: B\ndescription: A\napplies_to: [\"*.swift\"]\n---\n\n# T\n",
            "\n---\ndescription: C\n---\n# T\n",
            "---\nglobs: a\ndescription: >\n  more\n---\n# T\n",
        ] {
            assert_eq!(of("cursor-rule", &format!("{first}{block}")), 1, "{block}");
        }
        for block in [
            "# T\n\ndescription: A\nname: B\n---\n",
            "Note: read this.\n\n---\n# T\n",
            "---\n\n# T\n\n---\n",
            "description: of what follows\n---\n# T\n",
            "---\nSee: this\n---\n",
            "```yaml\n---\ndescription: A\nname: B\n---\n```\n",
        ] {
            assert_eq!(of("cursor-rule", &format!("{first}{block}")), 0, "{block}");
        }
    }

    #[test]
    fn frontmatter_of_another_file_is_text() {
        let of = |text: &str| check(&DisplacedFrontmatter, Kind::AgentsMd, text).len();
        assert_eq!(of("# A\n\nB\n\n---\ndescription: 'C'\napplyTo: '**/*.cs'\n---\n\n# C\n"), 1);
        for text in [
            "# A\n\n```\n---\napplyTo: '**/*.cs'\n---\n```\n",
            "# A\n\n---\ndescription: C\n---\n",
            "# A\n\n---\n\napplyTo: is a field\n\n---\n",
            "# A\n\n---\nSome text about applyTo: x\n---\n",
        ] {
            assert_eq!(of(text), 0, "{text}");
        }
    }

    #[test]
    fn fields_need_their_fences() {
        let check = |kind: &'static str, text: &str| check(&DisplacedFrontmatter, Kind::of_agent(kind), text).len();
        assert_eq!(check("copilot-scoped", "applyTo: \"**/*.ts\"\n\n# T\n"), 1);
        assert_eq!(check("cursor-rule", "\ndescription: a\nglobs: b\n\n# T\n"), 1);
        for text in
            ["description: a sentence\n\nMore.\n", "Note: x\n", "---\napplyTo: a\n---\nT\n", "# T\napplyTo: a\n"]
        {
            assert_eq!(check("copilot-scoped", text), 0, "{text}");
        }
    }

    #[test]
    fn breaks_and_examples_are_left_alone() {
        for text in ["# T\n\n---\n\nname: x\n\n---\n", "\n```\n---\nname: x\n---\n```\n", "---\nname: x\n---\n"] {
            assert_eq!(check(&DisplacedFrontmatter, Kind::AgentsMd, text), []);
        }
    }
}
