//! `conditional-never-applies`: a rule whose patterns can match no file, as Claude Code reads them. Knows only parsed documents.

use crate::base::finding::{Applicability, Cause, Finding, Level};
use crate::base::path;
use crate::parse::Document;
use crate::parse::frontmatter::Field;
use crate::parse::patterns::{PathPattern, patterns};
use crate::rules::frontmatter::displaced_frontmatter;
use crate::rules::{Cx, Evidence, FixAvailability, Group, Rule, RuleInfo};

/// The rule.
pub(super) struct ConditionalNeverApplies;

static INFO: RuleInfo = RuleInfo {
    name: "conditional-never-applies",
    group: Group::Context,
    levels: &[Level::Warning],
    summary: "a path-scoped rule has patterns that match no file",
    explanation: r#"## What it does

Reports `paths` of files in `.claude/rules` that are valid but match nothing. Claude Code reads them as git reads
`.gitignore`, relative to the directory that holds `.claude`: a pattern that begins with `./` or `../`, or has `/../` in it, never
matches, nor does one that begins with `~/`; and a list of nothing but `!` patterns only excludes. Also reports rules in
`.cursor/rules` that have no frontmatter and that no other hint file names as a file: Cursor applies them only when a user names them; and files
in `.github/instructions` without `applyTo` and `description` that no other hint file names: Copilot in editors and on GitHub applies
those to nothing by itself.

## Why is this bad?

The rule is never sent, and nothing says so.

## Example

```yaml
paths: ./src/**/*.ts
```

## How to fix

Write `src/**/*.ts`, or `/a.ts` for a file that stands in that directory itself. Put a pattern without `!` before those with one.
"#,
    evidence: &[
        Evidence { source: "Claude Code 2.1.329, observed", checked: "2026-11" },
        Evidence { source: "https://code.claude.com/docs/en/memory", checked: "2026-11" },
        Evidence {
            source: "https://code.visualstudio.com/docs/copilot/customization/custom-instructions",
            checked: "2026-11",
        },
    ],
    fix: FixAvailability::Sometimes,
    aliases: &[],
};

const AGENT: &str = "claude";
const CURSOR: &str = "cursor";
const COPILOT: &str = "copilot";

impl Rule for ConditionalNeverApplies {
    fn info(&self) -> &'static RuleInfo {
        &INFO
    }

    fn check_workspace(&self, cx: &Cx<'_>, findings: &mut Vec<Finding>) {
        bare_rules(cx, findings);
    }

    fn check(&self, document: &Document, cx: &Cx<'_>, findings: &mut Vec<Finding>) {
        let own = memchr::memmem::find(document.path.as_bytes(), b".claude/rules/").is_some();
        if document.kind.name() != "claude-rule" || !own {
            return;
        }
        let Some(claude) = cx.workspace.dialects().find(|dialect| dialect.id == AGENT) else { return };
        let Some(paths) = document.frontmatter.as_ref().and_then(|frontmatter| frontmatter.get("paths")) else {
            return;
        };
        let patterns = patterns(document, &paths.value);
        let dead = patterns.iter().filter(|pattern| why(&pattern.text).is_some()).count();
        let excluding = patterns.iter().filter(|pattern| pattern.text.starts_with('!')).count();
        let never = dead + excluding == patterns.len();
        if never && excluding > 0 && dead == 0 {
            findings.push(only_excludes(document, paths, &claude.versioned()));
        }
        for pattern in &patterns {
            if let Some(why) = why(&pattern.text) {
                findings.push(dead_pattern(document, pattern, why, never, &claude.versioned()));
            }
        }
    }
}

/// Rules without frontmatter beyond these are reported without looking for who names them.
const MAX_LOOKED_FOR: usize = 100;

/// Report the rules of Cursor's and the instructions of Copilot's that nothing makes them apply.
fn bare_rules(cx: &Cx<'_>, findings: &mut Vec<Finding>) {
    let is_enabled = |agent: &str| cx.workspace.dialects().any(|dialect| dialect.id == agent);
    // Of fields that stand in the wrong place another rule says more.
    let yields = cx.selected.is_empty() || cx.selected.contains(displaced_frontmatter::INFO.name);
    let is_read = |document: &Document| {
        let is_told = yields && displaced_frontmatter::is_displaced(document);
        document.problems.is_empty() && !document.text.trim().is_empty() && !is_told
    };
    let of_cursor = |document: &&Document| {
        document.kind.name() == "cursor-rule"
            && document.path.as_bytes().ends_with(b".mdc")
            && document.frontmatter.is_none()
            && is_read(document)
    };
    let of_copilot = |document: &&Document| {
        let has = |name: &str| document.frontmatter.as_ref().is_some_and(|fields| fields.get(name).is_some());
        document.kind.name() == "copilot-scoped" && !has("applyTo") && !has("description") && is_read(document)
    };
    let documents = || cx.workspace.documents.iter();
    if is_enabled(CURSOR) {
        let bare: Vec<&Document> = documents().filter(of_cursor).collect();
        let words = |rule: &Document| {
            let why = "this rule has no frontmatter, so Cursor applies it only when a user names it".to_owned();
            bare_rule(rule, CURSOR, why, "are rules without frontmatter")
                .help("begin it with frontmatter that has `alwaysApply`, `globs` or `description`")
        };
        findings.extend(unnamed(cx, &bare, b".mdc").map(words));
    }
    if is_enabled(COPILOT) {
        let bare: Vec<&Document> = documents().filter(of_copilot).collect();
        let words = |rule: &Document| {
            let why = "this file has no `applyTo`, so Copilot in editors and on GitHub applies it to nothing by itself";
            bare_rule(rule, COPILOT, why.to_owned(), "have no `applyTo`")
                .help("begin it with frontmatter that has `applyTo`, such as `applyTo: \"**\"`")
        };
        findings.extend(unnamed(cx, &bare, b".md").map(words));
    }
}

/// Those of `bare` that no other hint file names as a file.
fn unnamed<'d>(cx: &'d Cx<'_>, bare: &'d [&'d Document], ending: &'d [u8]) -> impl Iterator<Item = &'d Document> {
    let is_named = move |rule: &Document| {
        let file = rule.path.file_name();
        let name = memchr::memmem::Finder::new(file.strip_suffix(ending).unwrap_or(file));
        let mut others = cx.workspace.documents.iter().filter(|other| other.path != rule.path);
        bare.len() <= MAX_LOOKED_FOR && others.any(|other| names_as_file(other, rule, &name, ending))
    };
    bare.iter().copied().filter(move |rule| !is_named(rule))
}

/// Whether `other` has the `name` of `rule` as that of a file: behind an `@` or a folder, or with its `ending`. A list of the rules of
/// a folder that stands in that folder sends nobody to them.
fn names_as_file(other: &Document, rule: &Document, name: &memchr::memmem::Finder<'_>, ending: &[u8]) -> bool {
    let text = other.text.as_bytes();
    let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
    let folder = path::file_name(rule.path.parent());
    let is_beside = other.path.parent() == rule.path.parent();
    name.find_iter(text).any(|at| {
        let (before, behind) = (&text[..at], &text[at + name.needle().len()..]);
        let (is_ended, rest) = behind.strip_prefix(ending).map_or((false, behind), |rest| (true, rest));
        let is_whole = !before.last().is_some_and(is_word) && !rest.first().is_some_and(is_word);
        let in_folder = before.strip_suffix(b"/").is_some_and(|above| above.ends_with(folder));
        let is_sent = before.ends_with(b"@") || in_folder || before.ends_with(b":") && is_ended;
        is_whole && !rest.starts_with(b"/") && (is_sent || is_ended && (!is_beside || before.ends_with(b"/")))
    })
}

fn bare_rule(rule: &Document, agent: &'static str, message: String, many: &'static str) -> Finding {
    let line = rule.lines.line_span(rule.lines.line_of(rule.body));
    let cause =
        Cause { key: format!("{many} {agent}"), subject: format!("`{}`", rule.path.to_str_lossy()), many, help: None };
    Finding::new(INFO.name, Level::Warning, &rule.path, line, message).agents([agent]).cause(cause)
}

fn only_excludes(document: &Document, paths: &Field, agent: &str) -> Finding {
    let message = format!("this rule never applies: {agent} takes a list of only `!` patterns to match nothing");
    Finding::new(INFO.name, Level::Warning, &document.path, paths.value.span, message)
        .help("put a pattern without `!` before them, such as `**`")
        .agents([AGENT])
}

fn dead_pattern(document: &Document, pattern: &PathPattern, why: &str, never: bool, agent: &str) -> Finding {
    let text = &pattern.text;
    let consequence = if never { "this rule never applies" } else { "this pattern never matches" };
    let message = format!("{consequence}: `{text}` {why}, so {agent} matches no file with it");
    let finding = Finding::new(INFO.name, Level::Warning, &document.path, pattern.span, message).agents([AGENT]);
    let Some(better) = better(text) else {
        return finding.help("write it relative to the directory that holds `.claude`");
    };
    let finding = finding.help(format!("write `{better}`"));
    if pattern.exact { finding.fix(Applicability::Unsafe, pattern.span, better) } else { finding }
}

/// Why a pattern can match nothing, if so.
fn why(pattern: &str) -> Option<&'static str> {
    match pattern {
        _ if pattern.starts_with("./") => Some("begins with `./`"),
        _ if pattern.starts_with("../") => Some("begins with `../`"),
        _ if pattern.starts_with("~/") => Some("begins with `~/`"),
        _ if pattern.contains("/../") || pattern.contains("/./") => Some("has a `.` or `..` as a folder"),
        _ => None,
    }
}

/// The pattern that was meant: without `./`, but still for that one place.
fn better(pattern: &str) -> Option<String> {
    let mut rest = pattern.strip_prefix("./")?;
    while let Some(next) = rest.strip_prefix("./") {
        rest = next;
    }
    if rest.is_empty() || why(rest).is_some() {
        return None;
    }
    // A slash inside anchors a pattern by itself.
    let anchored = rest.trim_end_matches('/').contains('/');
    Some(if anchored { rest.to_owned() } else { format!("/{rest}") })
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::repository;

    fn check(paths: &str) -> Vec<String> {
        let rule = format!("---\npaths: {paths}\n---\nText.\n");
        let found = repository("conditional-never-applies", "", &[(".claude/rules/r.md", &rule)]);
        found.iter().map(|finding| finding.message.split(&[':', ','][..]).take(2).collect::<String>()).collect()
    }

    #[test]
    fn patterns_that_match_nothing() {
        assert_eq!(check("./src/a.ts"), ["this rule never applies `./src/a.ts` begins with `./`"]);
        assert_eq!(check("[../x/**]"), ["this rule never applies `../x/**` begins with `../`"]);
        assert_eq!(check("[src/**, ./lib/**]"), ["this pattern never matches `./lib/**` begins with `./`"]);
        assert_eq!(check("~/x"), ["this rule never applies `~/x` begins with `~/`"]);
        assert_eq!(check("a/../b"), ["this rule never applies `a/../b` has a `.` or `..` as a folder"]);
        assert_eq!(
            check("'!x'"),
            ["this rule never applies Claude Code 2.1.330 takes a list of only `!` patterns to match nothing"]
        );
        assert_eq!(check("['!x', ./a]"), ["this rule never applies `./a` begins with `./`"]);
    }

    #[test]
    fn a_rule_of_cursor_needs_frontmatter() {
        let found = |files: &[(&str, &str)]| {
            let found = repository("conditional-never-applies", "", files);
            found.iter().map(|finding| finding.path.to_str_lossy().into_owned()).collect::<Vec<_>>()
        };
        let bare = (".cursor/rules/style.mdc", "# Style\n\nUse tabs.\n");
        assert_eq!(found(&[bare, ("AGENTS.md", "x\n")]), [bare.0]);
        assert_eq!(found(&[bare, ("AGENTS.md", "Follow .cursor/rules/style.mdc.\n")]), [""; 0]);
        assert_eq!(found(&[(bare.0, "---\nalwaysApply: true\n---\nx\n"), (".cursor/rules/e.mdc", "\n")]), [""; 0]);
        // The word is no name of the file; a list beside it names it, and sends nobody there.
        for word in [
            "Mind the style of code.\n",
            "Read lifestyle.mdc.\n",
            "A style: terse. Run `cd /style`.\n",
            "Use @style/ui.\n",
        ] {
            assert_eq!(found(&[bare, ("AGENTS.md", word)]), [bare.0], "{word}");
        }
        for sent in ["Apply @style.\n", "Read `rules/style`.\n", "Read `style.mdc`.\n"] {
            assert_eq!(found(&[bare, ("AGENTS.md", sent)]), [""; 0], "{sent}");
        }
        let index = |text| (".cursor/rules/all.mdc", text);
        assert_eq!(found(&[bare, index("---\nalwaysApply: true\n---\n- **style.mdc**: all\n")]), [bare.0]);
        assert_eq!(found(&[bare, index("---\nalwaysApply: true\n---\n[x](mdc:style.mdc)\n")]), [""; 0]);
    }

    #[test]
    fn patterns_that_may_match() {
        for paths in ["src/**", "/a.ts", "['**', '!x']", "[]", "'{a,b}/*.ts'", ".github/**", "'...'", "a./b"] {
            assert_eq!(check(paths), [""; 0], "{paths}");
        }
    }

    #[test]
    fn the_place_is_kept_when_it_is_mended() {
        for (before, after) in [
            ("./src/a.ts", Some("src/a.ts")),
            ("././a.ts", Some("/a.ts")),
            ("./../a.ts", None),
            ("./src/", Some("/src/")),
        ] {
            assert_eq!(super::better(before).as_deref(), after, "{before}");
        }
    }

    #[test]
    fn other_agents_read_patterns_otherwise() {
        let rule = "---\npaths: ./a\n---\nx\n";
        let config = "agents = [\"copilot\"]\n";
        assert_eq!(repository("conditional-never-applies", config, &[(".claude/rules/r.md", rule)]), []);
        assert_eq!(repository("conditional-never-applies", "", &[("CLAUDE.md", "x"), (".qwen/rules/r.md", rule)]), []);
    }

    #[test]
    fn instructions_need_to_say_for_what() {
        let found = |files: &[(&str, &str)]| {
            let found = repository("conditional-never-applies", "", files);
            found.iter().map(|finding| finding.path.to_str_lossy().into_owned()).collect::<Vec<_>>()
        };
        let at = |name: &str| format!(".github/instructions/{name}.instructions.md");
        let (go, ts, js, rs) = (at("go"), at("ts"), at("js"), at("rs"));
        let files = [
            (".github/copilot-instructions.md", "Rust: rs.instructions.md.\n"),
            (&*go, "# Go\n\nText.\n"),
            (&*ts, "---\napplyTo: '**/*.ts'\n---\nText.\n"),
            (&*js, "---\ndescription: For JavaScript\n---\nText.\n"),
            (&*rs, "Text.\n"),
        ];
        assert_eq!(found(&files), [go]);
    }
}
