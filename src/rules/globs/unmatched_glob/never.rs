//! Rules none of whose patterns matches any file: they never apply as things are. Looks at judged patterns and the listing.

use super::{INFO, JudgedPattern, PatternFate, is_path, language, near};
use crate::agents::files;
use crate::base::finding::{Cause, Finding, Level};
use crate::base::kind::Role;
use crate::base::path;
use crate::parse::Document;
use crate::parse::frontmatter::Value;
use crate::parse::patterns;
use crate::rules::Cx;
use crate::source::{EntryKind, Listing};

/// So many files that are no documents or settings make a project; with fewer, rules wait for code that is yet to come.
const MIN_CODE: usize = 10;
/// So many rules that match nothing, and more than match something, are a collection for other repositories.
const COLLECTION: usize = 2;
/// Endings of documents and settings, which repositories that only hold rules have, too.
const NO_CODE: [&[u8]; 10] = [b"md", b"mdc", b"mdx", b"txt", b"json", b"jsonc", b"yaml", b"yml", b"toml", b"svg"];

/// For each rule, with its patterns, whether no file makes it apply and this is a fault of the rule.
pub(super) fn idle(listing: &Listing, rules: &[&[JudgedPattern<'_>]]) -> Vec<bool> {
    let is_idle = |rule: &&[JudgedPattern<'_>]| {
        let is_unmatched = |judged: &JudgedPattern<'_>| judged.fate == PatternFate::Unmatched;
        rule.iter().all(is_unmatched) && rule.first().is_some_and(|judged| needs_a_file(judged.document))
    };
    let mut idle: Vec<bool> = rules.iter().map(is_idle).collect();
    let is_rule = |rule: &&[JudgedPattern<'_>]| rule.first().is_some_and(|judged| is_rule(judged.document));
    let others = rules.iter().zip(&idle).filter(|(rule, is_idle)| is_rule(rule) && !**is_idle).count();
    let count = idle.iter().filter(|is_idle| **is_idle).count();
    if count > 0 && (count >= COLLECTION && others < count || !has_code(listing)) {
        idle.fill(false);
    }
    idle
}

fn is_rule(document: &Document) -> bool {
    document.kind.role() == Some(Role::Rule)
}

/// Whether nothing but a file that matches makes the rule apply.
fn needs_a_file(document: &Document) -> bool {
    let value = |name: &str| document.frontmatter.as_ref()?.get(name).map(|field| &field.value.value);
    let is_other = |name: &str, scoped: &str| match value(name) {
        Some(Value::String(text)) => text != scoped,
        _ => false,
    };
    is_rule(document)
        && value("alwaysApply") != Some(&Value::Bool(true))
        && !is_other("trigger", "glob")
        && !is_other("inclusion", "fileMatch")
}

fn has_code(listing: &Listing) -> bool {
    let is_code = |name: &[u8]| {
        let ending = path::extension(name).map(<[u8]>::to_ascii_lowercase);
        ending.is_some_and(|ending| !NO_CODE.contains(&ending.as_slice()))
    };
    let files = listing.iter().filter(|entry| entry.kind == EntryKind::File);
    files.filter(|entry| is_code(path::file_name(entry.path))).nth(MIN_CODE - 1).is_some()
}

/// What is said of a rule that never applies. `None` where one of its patterns is a slip, of which more can be said.
pub(super) fn report(cx: &Cx<'_>, rule: &[JudgedPattern<'_>]) -> Option<Finding> {
    let listing = &cx.workspace.listing;
    let first = rule.first()?;
    let document = first.document;
    if rule.iter().any(|judged| near(listing, document, &judged.pattern).is_some()) {
        return None;
    }
    let message = match rule {
        [only] => format!("no file {} matches `{}`, this rule's only pattern", place(document), only.pattern.text),
        _ => format!("no file {} matches any of this rule's {} patterns", place(document), rule.len()),
    };
    let cause = Cause {
        key: format!("never {}", String::from_utf8_lossy(document.path.parent())),
        subject: format!("`{}`", document.path.to_str_lossy()),
        many: "are rules for files of which this repository has none",
        help: Some("correct their patterns, or delete the rules until there are such files".to_owned()),
    };
    let waits = rule.iter().all(|judged| is_made_by_a_tool(&judged.pattern.text));
    let is_meant_here = rule.iter().any(|judged| is_of_here(listing, judged))
        || rule.iter().any(|judged| language::was_removed(cx, &judged.pattern.text));
    let level = if keeps_out(document) || waits || !is_meant_here { Level::Info } else { Level::Warning };
    let finding = Finding::new(INFO.name, level, &document.path, first.pattern.span, message);
    Some(finding.cause(cause).help("correct the pattern, or delete the rule until there is such a file"))
}

/// Where the files of a document's patterns are looked for, as messages name it.
pub(super) fn place(document: &Document) -> String {
    match patterns::bases(document)[..] {
        [base] if !base.is_empty() => format!("below {}", String::from_utf8_lossy(base)),
        _ => "of this repository".to_owned(),
    }
}

/// Whether a pattern speaks of this repository: it names one file, or begins with a folder that is there.
fn is_of_here(listing: &Listing, judged: &JudgedPattern<'_>) -> bool {
    let plain = judged.pattern.text.trim_start_matches("./").trim_start_matches('/');
    let folders = plain.rsplit_once('/').map_or("", |(folders, _)| folders);
    let begins: Vec<&str> = folders.split('/').take_while(|part| !part.is_empty() && is_path(part)).collect();
    let begin = begins.join("/");
    let stands = |base: &[u8]| listing.has_dir(&path::join(base, begin.as_bytes()));
    is_path(plain) || !begin.is_empty() && patterns::bases(judged.document).into_iter().any(stands)
}

/// Whether a pattern is for files in a folder that a tool of its own makes: `**/.tracking/**`.
fn is_made_by_a_tool(pattern: &str) -> bool {
    pattern.split('/').rev().skip(1).any(|folder| {
        let is_hidden = folder.starts_with('.') && folder.len() > 2 && !folder.contains(['*', '{']);
        is_hidden && !files::is_agent_folder(folder.as_bytes()) && !matches!(folder, ".github" | ".gitlab" | ".vscode")
    })
}

/// Whether the rule says by its description or its name that it keeps such files out: it waits for those that should not be there.
fn keeps_out(document: &Document) -> bool {
    let description =
        document.frontmatter.as_ref().and_then(|frontmatter| match &frontmatter.get("description")?.value.value {
            Value::String(text) => Some(text.to_lowercase()),
            _ => None,
        });
    let name = String::from_utf8_lossy(path::file_name(document.path.as_bytes())).to_lowercase();
    let words = ["prevent", "prohibit", "forbid", "never commit", "no secrets", "secret", "security"];
    [description, Some(name)].iter().flatten().any(|text| words.iter().any(|word| text.contains(word)))
}

#[cfg(test)]
mod tests {
    use super::super::INFO;
    use crate::base::finding::Level;
    use crate::rules::references::testing::{Past, findings};
    use crate::rules::testing::lines;

    const CODE: [&str; 10] = ["a.c", "b.c", "c.c", "d.c", "e.c", "f.c", "g.c", "h.c", "i.c", "src/j.c"];

    /// The levels of what is said of rules with these fields, beside so many files of code.
    fn levels(code: usize, rules: &[&str]) -> Vec<String> {
        let texts: Vec<(String, String)> = rules
            .iter()
            .enumerate()
            .map(|(at, fields)| (format!(".cursor/rules/r{at}.mdc"), format!("---\n{fields}\n---\nText.\n")))
            .collect();
        let rules = texts.iter().map(|(path, text)| (path.as_str(), text.as_str()));
        let files: Vec<(&str, &str)> = CODE[..code].iter().map(|path| (*path, "x")).chain(rules).collect();
        let found = lines(INFO.name, "", &files);
        found.iter().map(|line| line.split(' ').nth(1).unwrap_or_default().to_owned()).collect()
    }

    #[test]
    fn a_rule_that_no_file_makes_apply_is_a_warning() {
        assert_eq!(levels(10, &["globs: 'src/**/*.rb'"]), ["warning"]);
        assert_eq!(levels(10, &["globs: src/**/*.rb, '*.erb'\nalwaysApply: false"]), ["warning"]);
        assert_eq!(levels(10, &["globs: lefthook.yml"]), ["warning"]);
        // Of several rules of one folder all are told, as one cause.
        assert_eq!(levels(10, &["globs: x.rb", "globs: x.go", "globs: '*.c'", "globs: 'a.c'"]), ["warning"; 2]);
    }

    #[test]
    fn a_rule_for_what_was_never_here_is_an_info() {
        for globs in
            ["'**/*.rb'", "'**/*.js, **/*.ts, **/*.tsx'", "'flows/**/*.py, tasks/**'", "'{10-notes,20-tasks}/**/*.md'"]
        {
            assert_eq!(levels(10, &[&format!("globs: {globs}")]), ["info"], "{globs}");
        }
    }

    #[test]
    fn a_rule_for_a_language_that_is_gone_is_a_warning() {
        let text = "---\nglobs: '*.ts'\nalwaysApply: false\n---\nx\n";
        let files = |also: &'static str| {
            CODE.iter()
                .map(|path| (*path, "x"))
                .chain([(".cursor/rules/ts.mdc", text), (also, "x")])
                .collect::<Vec<_>>()
        };
        let level = |also: &'static str, past: &[(&str, Past<'_>)]| {
            findings(INFO.name, &files(also), past, &[], false).iter().map(|finding| finding.level).collect::<Vec<_>>()
        };
        assert_eq!(level("k.c", &[("server/package.json", Past::Deleted)]), [Level::Warning]);
        assert_eq!(level("k.c", &[("server/Cargo.toml", Past::Deleted)]), [Level::Info]);
        // Another project of the language is still there.
        let both = [("server/package.json", Past::Deleted)];
        assert_eq!(level("web/package.json", &both), [Level::Info]);
    }

    #[test]
    fn a_nested_rule_says_where_it_looks() {
        let code = CODE.iter().map(|path| (*path, "x"));
        let rule = ("cli/.claude/rules/hooks.md", "---\npaths: lefthook.yml\n---\nx\n");
        let files: Vec<(&str, &str)> = code.chain([rule, ("lefthook.yml", "x"), ("cli/a.c", "x")]).collect();
        let found = lines(INFO.name, "", &files);
        assert!(found[0].contains("no file below cli matches `lefthook.yml`"), "{found:?}");
    }

    #[test]
    fn a_rule_that_may_apply_is_an_info() {
        // A pattern of two has files, another field makes it apply, there is no code yet, most are for other repositories.
        assert_eq!(levels(10, &["globs: '*.rb, *.c'"]), ["info"]);
        assert_eq!(levels(10, &["globs: '*.rb'\nalwaysApply: true"]), ["info"]);
        assert_eq!(levels(9, &["globs: '*.rb'"]), ["info"]);
        assert_eq!(levels(10, &["globs: '*.rb'", "globs: '*.go'", "globs: '*.py'", "globs: '*.c'"]), ["info"; 3]);
        assert_eq!(levels(10, &["globs: 'src/*.c'"]), [""; 0]);
        assert_eq!(levels(10, &["globs: '**/.tracking/work/**'"]), ["info"]);
        // What should not be there is kept out.
        assert_eq!(levels(10, &["globs: '**/tasks.rb'\ndescription: Prevention of autorun tasks"]), ["info"]);
    }
}
