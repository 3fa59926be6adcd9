//! `invalid-glob`: a path pattern that can match nothing. Knows only parsed documents.

use crate::base::finding::{Applicability, Finding, Level};
use crate::parse::Document;
use crate::parse::braces::{self, BraceRefusal};
use crate::parse::patterns::{PathPattern, patterns};
use crate::rules::{Cx, Evidence, FixAvailability, Group, Rule, RuleInfo};

/// The rule.
pub(super) struct InvalidGlob;

static INFO: RuleInfo = RuleInfo {
    name: "invalid-glob",
    group: Group::Globs,
    levels: &[Level::Error],
    summary: "a path pattern that can match nothing",
    explanation: r#"## What it does

Reports patterns in `paths`, `globs`, `applyTo`, `fileMatchPattern` and `applies_to` that are broken in the language of the agent that reads
them: a `{` or `[` that is never closed, a `}` that nothing opens, a `\` between folders. Strings are split at commas outside
braces, as the agents do. Also reports patterns that are too large to match: longer than 4096 bytes, with braces that expand to more
than 1000 patterns, or too many in one field. Patterns that are well formed and still match nothing are for `conditional-never-applies`.

## Why is this bad?

Agents drop a broken pattern silently: the rule is never loaded for the files it was written for.

## Example

```yaml
paths: ./src/**/*.{ts,tsx
```

## How to fix

Close the bracket, write `/` between folders.
"#,
    evidence: &[
        Evidence { source: "Claude Code 2.1.329, observed", checked: "2026-11" },
        Evidence { source: "https://git-scm.com/docs/gitignore", checked: "2026-11" },
        Evidence { source: "https://cursor.com/docs/context/rules", checked: "2026-11" },
        Evidence {
            source: "https://docs.github.com/en/copilot/how-tos/configure-custom-instructions",
            checked: "2026-11",
        },
    ],
    fix: FixAvailability::Sometimes,
    aliases: &[],
};

impl Rule for InvalidGlob {
    fn info(&self) -> &'static RuleInfo {
        &INFO
    }

    fn check(&self, document: &Document, _cx: &Cx<'_>, findings: &mut Vec<Finding>) {
        for field in document.frontmatter.iter().flat_map(|frontmatter| &frontmatter.fields) {
            if !document.kind.patterns().contains(&field.key.as_str()) {
                continue;
            }
            let patterns = patterns(document, &field.value);
            findings.extend(refused(document, &field.key, &patterns));
            findings.extend(patterns.iter().filter_map(|pattern| check_pattern(document, pattern)));
        }
    }
}

/// Patterns that are too much to be matched. In fields whose braces agents open, all patterns together count, too.
fn refused(document: &Document, key: &str, patterns: &[PathPattern]) -> Vec<Finding> {
    let refused = match key {
        "paths" | "applies_to" => braces::expand_all(patterns.iter().map(|pattern| pattern.text.as_str())).refused,
        _ => {
            let alone = |(index, pattern): (usize, &PathPattern)| Some((index, braces::refusal(&pattern.text)?));
            patterns.iter().enumerate().filter_map(alone).collect()
        }
    };
    let finding = |(index, why): (usize, BraceRefusal)| {
        let pattern: &PathPattern = &patterns[index];
        let (message, help) = match why {
            BraceRefusal::FieldTooLarge => {
                let shown = braces::beginning(&pattern.text);
                (format!("the patterns from `{shown}` on are not matched: {why}"), "write fewer or wider patterns")
            }
            _ => (braces::not_matched(&pattern.text, &why), "write a shorter or wider pattern"),
        };
        Finding::new(INFO.name, Level::Error, &document.path, pattern.span, message).help(help)
    };
    refused.into_iter().map(finding).collect()
}

fn check_pattern(document: &Document, pattern: &PathPattern) -> Option<Finding> {
    let text = pattern.text.as_str();
    let finding = |message: String| Finding::new(INFO.name, Level::Error, &document.path, pattern.span, message);
    let replace = |finding: Finding, better: String| match pattern.exact {
        true => finding.fix(Applicability::Unsafe, pattern.span, better),
        false => finding,
    };
    if let Some(why) = broken_brackets(text) {
        return Some(finding(format!("the pattern `{text}` {why}")).help("close it, or escape it with `\\`"));
    }
    if !has_backslash_folders(text) {
        return None;
    }
    let better = text.replace('\\', "/");
    let message = format!("`\\` in the pattern `{text}` escapes the next character; it does not separate folders");
    Some(replace(finding(message).help(format!("write `{better}`")), better))
}

/// What is wrong with the brackets of a pattern.
fn broken_brackets(text: &str) -> Option<&'static str> {
    let mut depth = 0_usize;
    let mut chars = text.char_indices();
    while let Some((at, c)) = chars.next() {
        match c {
            '\\' => drop(chars.next()),
            '{' => depth += 1,
            '}' if depth == 0 => return Some("has a `}` that nothing opens"),
            '}' => depth -= 1,
            '[' => {
                // `]` right after `[`, `[!` or `[^` is a member of the class.
                let inner = &text[at + 1..];
                let lead = inner.len() - inner.strip_prefix(['!', '^']).unwrap_or(inner).len();
                let first = lead + usize::from(inner[lead..].starts_with(']'));
                let Some(close) = inner[first..].find(']') else { return Some("has a `[` that is never closed") };
                let end = at + 1 + first + close;
                while chars.clone().next().is_some_and(|(next, _)| next <= end) {
                    chars.next();
                }
            }
            _ => {}
        }
    }
    (depth > 0).then_some("has a `{` that is never closed")
}

/// `src\components\*.ts`: a backslash between names. Escapes such as `\[` and the classes of regular expressions do not count.
fn has_backslash_folders(text: &str) -> bool {
    let parts: Vec<&str> = text.split('\\').collect();
    parts.len() > 1 && parts.windows(2).all(|pair| {
        let before = pair[0].chars().last();
        let after: Vec<char> = pair[1].chars().take(2).collect();
        let name_before = before.is_some_and(|c| c.is_alphanumeric() || matches!(c, '*' | '_' | '-' | '}'));
        let name_after = matches!(after[..], [c, d, ..] if (c.is_alphanumeric() || c == '*' || c == '_') && d != '+')
            || matches!(after[..], ['*'] | ['*', ..]);
        name_before && name_after
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::kind::Kind;
    use crate::rules::testing::{check, fixed, places};

    #[test]
    fn broken_patterns_are_marked_exactly() {
        for (kind, line, place) in [
            (Kind::of_agent("claude-rule"), "paths: \"src/**/*.{ts,tsx\"", "src/**/*.{ts,tsx"),
            (Kind::of_agent("cursor-rule"), "globs: **/*.ts, src/[a/*", "src/[a/*"),
            (Kind::of_agent("copilot-scoped"), "applyTo: \"a}/**,b\"", "a}/**"),
            (Kind::of_agent("cursor-rule"), "globs: src\\app\\*.ts", "src\\app\\*.ts"),
            (Kind::of_agent("kiro-steering"), "fileMatchPattern: 'a{'", "a{"),
        ] {
            let text = format!("---\n{line}\n---\n");
            assert_eq!(places(&InvalidGlob, kind, &text), [place], "{line}");
        }
    }

    #[test]
    fn patterns_that_stand_for_too_many_are_refused() {
        let bomb = "{a,b}".repeat(40);
        for (kind, key) in [
            (Kind::of_agent("claude-rule"), "paths"),
            (Kind::of_agent("cursor-rule"), "globs"),
            (Kind::of_agent("copilot-scoped"), "applyTo"),
            (Kind::of_agent("kiro-steering"), "fileMatchPattern"),
            (Kind::LibraryHint, "applies_to"),
        ] {
            let found = check(&InvalidGlob, kind, &format!("---\n{key}: \"{bomb}, src/*.{{a,b}}\"\n---\n"));
            let [finding] = &found[..] else { panic!("{key}: {found:?}") };
            assert!(finding.message.ends_with("it stands for 1099511627776 patterns, more than 1000"), "{finding:?}");
            assert_eq!(finding.span.len(), bomb.len(), "{key}");
        }
        let many: String = (0..1001).map(|n| format!("  - a{n}\n")).collect();
        let text = format!("---\npaths:\n{many}---\n");
        assert_eq!(places(&InvalidGlob, Kind::of_agent("claude-rule"), &text), ["a1000"]);
        let enough = text.replace("  - a1000\n", "");
        assert_eq!(check(&InvalidGlob, Kind::of_agent("claude-rule"), &enough), []);
    }

    #[test]
    fn what_matches_is_left_alone() {
        for (kind, line) in [
            (Kind::of_agent("cursor-rule"), "globs: **/*"),
            (Kind::of_agent("cursor-rule"), "globs: *.ts, *.{js,jsx}, "),
            (Kind::of_agent("cursor-rule"), "globs: \"a.ts\", \"b.ts\""),
            (Kind::of_agent("claude-rule"), "paths: [./src/**, \"!a\"]"),
            (Kind::of_agent("claude-rule"), "paths: \"app/[id]/page.tsx, [!a]b, []x]y, {a,b/{c,d}}, \\\\[x, !z\""),
            (Kind::of_agent("claude-rule"), "globs: \"{\""),
            (Kind::AgentsMd, "globs: \"{\""),
            (Kind::of_agent("copilot-scoped"), "applyTo: '**'"),
        ] {
            assert_eq!(check(&InvalidGlob, kind, &format!("---\n{line}\n---\n")), [], "{line}");
        }
    }

    #[test]
    fn slips_are_mended() {
        let text = "---\nglobs: src\\app\\*.ts\n---\n";
        let want = "---\nglobs: src/app/*.ts\n---\n";
        assert_eq!(fixed(&InvalidGlob, Kind::of_agent("cursor-rule"), text, Applicability::Unsafe), want);
    }
}
