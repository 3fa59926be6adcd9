//! Claude Code's rule files (`.claude/rules/**/*.md`), and what it makes of any file's bytes: frontmatter, comments, globs.

mod patterns;

pub(super) use self::patterns::PathPatterns;
use super::files::{FileOrigin, LoadedFile, SentFiles, gather};
use super::{ClaudeSettings, PROJECT};
use crate::agents::shared::context::{Conditional, Reason, Why};
use crate::agents::shared::globs::split_commas;
use crate::agents::shared::loading::Loading;
use crate::agents::shared::rules::files_as_listed;
use crate::agents::shared::settings;
use crate::agents::shared::text::lenient_yaml;
use crate::base::text::LineIndex;
use crate::parse::imports::{is_js_space, strip_comments};
use crate::parse::{braces, markdown};
use crate::world::AbsPath;
use serde_json::Value;

/// A file as the agent takes it.
pub(super) struct RuleSource {
    /// Without frontmatter and block comments; not trimmed, so that a byte-order mark is still there unless it stood before
    /// frontmatter.
    pub(super) text: String,
    /// As `text`, but with comments: what imports are looked for in.
    pub(super) body: String,
    /// How many bytes of the file stand before `body`.
    pub(super) offset: usize,
    /// The globs of its `paths`; `None` if it applies always.
    pub(super) globs: Option<Vec<String>>,
    /// What was not read as the agent would, against hostile input.
    pub(super) limits: Vec<String>,
}

impl RuleSource {
    pub(super) fn parse(bytes: &[u8]) -> RuleSource {
        #[cfg(test)]
        crate::base::defect::provoke("a source", bytes);
        let whole = String::from_utf8_lossy(bytes);
        let (yaml, body) = split_frontmatter(whole.strip_prefix('\u{feff}').unwrap_or(&whole));
        // The mark makes a paragraph of what begins behind it, a comment too.
        let body = if yaml.is_none() { &*whole } else { body };
        let (globs, refused) = yaml.map(globs).unwrap_or_default();
        let mut limits: Vec<String> = refused.into_iter().collect();
        if let Some((at, why)) = markdown::excess(body) {
            let line = LineIndex::new(body.as_bytes()).line_of(at);
            limits.push(format!("it is not parsed as Markdown from line {} on: {why}", line + 1));
        }
        RuleSource {
            text: strip_comments(body).into_owned(),
            body: body.to_owned(),
            offset: whole.len() - body.len(),
            globs,
            limits,
        }
    }
}

/// Frontmatter begins with `---` on the very first line and ends at the next `---`; blanks may follow both, and those behind
/// it go with it.
fn split_frontmatter(text: &str) -> (Option<&str>, &str) {
    let Some(rest) = text.strip_prefix("---") else { return (None, text) };
    let blank = rest.len() - rest.trim_start_matches(is_js_space).len();
    let Some(line_end) = rest[..blank].rfind('\n') else { return (None, text) };
    let rest = &rest[line_end + 1..];
    match rest.find("---") {
        Some(end) => {
            let after = &rest[end + 3..];
            (Some(&rest[..end]), after.trim_start_matches(is_js_space))
        }
        None => (None, text),
    }
}

/// The globs of `paths`, split, expanded and without `/**` at the end, which adds nothing. `None` when there are none, when all
/// of them match everything, and when the frontmatter is no YAML even with its values quoted. Patterns that are refused match
/// nothing; the answer says why the first of them is.
fn globs(yaml: &str) -> (Option<Vec<String>>, Option<String>) {
    if yaml.len() > settings::MAX_YAML {
        let limit =
            format!("its frontmatter is not read: it has {} bytes, more than {}", yaml.len(), settings::MAX_YAML);
        return (None, Some(limit));
    }
    let Some(value) = lenient_yaml(yaml) else { return (None, None) };
    let mut written = Vec::new();
    let mut values = vec![&value["paths"]];
    while let Some(value) = values.pop() {
        match value {
            Value::String(text) => written.extend(split_commas(text)),
            Value::Array(list) => values.extend(list.iter().rev()),
            _ => {}
        }
    }
    let braces::ExpandedPatterns { patterns, refused } = braces::expand_all(written.iter().map(String::as_str));
    let refused = refused.first().map(|(index, why)| braces::not_matched(&written[*index], why));
    let globs: Vec<String> = patterns
        .into_iter()
        .map(|glob| glob.strip_suffix("/**").map(str::to_owned).unwrap_or(glob))
        .filter(|glob| !glob.is_empty())
        .collect();
    let always = refused.is_none() && globs.iter().all(|glob| glob == "**");
    (if always { None } else { Some(globs) }, refused)
}

/// The rule files below `dir`, as the file system lists them, which a repository alone cannot know.
fn rule_files(loading: &mut Loading<'_>, config: &ClaudeSettings, dir: &AbsPath, kind: FileOrigin) -> Vec<AbsPath> {
    let files = files_as_listed(loading, dir, ".md");
    loading.out.order_unspecified |= files.len() > 1 && loading.world.virtual_root().is_some();
    let of_linked_folder = is_in_linked_folder(loading, config, dir, kind);
    // The agent goes on with what a link leads to, under that name.
    let mut kept = Vec::new();
    for path in files {
        let real = loading.robust_real_path(&path);
        // A link that leads out of the start directory waits for the user's approval, be it the file or a folder above it.
        let mut way = path.ancestors().take_while(|part| part.is_within(dir));
        if !kind.free && (of_linked_folder || way.any(|part| is_linked_out(loading, &part))) {
            loading.skip_file(&path, Reason::Outside(loading.start.clone()));
        } else {
            kept.push(real);
        }
    }
    kept
}

/// Whether `path` is a link that leads out of the start directory.
fn is_linked_out(loading: &Loading<'_>, path: &AbsPath) -> bool {
    is_link(loading, path) && !loading.robust_real_path(path).is_within(&loading.start)
}

fn is_link(loading: &Loading<'_>, path: &AbsPath) -> bool {
    loading.robust_real_path(path) != loading.robust_real_path(&path.dirname()).join(path.file_name())
}

/// Whether the `.claude` above a project's rules is a link, and they lie outside the start directory for it. Those of folders
/// below the start directory are read all the same.
fn is_in_linked_folder(loading: &Loading<'_>, config: &ClaudeSettings, rules: &AbsPath, kind: FileOrigin) -> bool {
    let folder = rules.dirname();
    let project = folder.dirname();
    kind.label == PROJECT
        && (loading.start.is_within(&project) || config.added.contains(&project))
        && is_link(loading, &folder)
        && !loading.robust_real_path(rules).is_within(&loading.start)
}

/// What the rules below `dir` give without a touched file: those without globs, and the imports of all.
pub(super) fn at_start(
    loading: &mut Loading<'_>,
    config: &ClaudeSettings,
    dir: &AbsPath,
    kind: FileOrigin,
    seen: &mut SentFiles,
) -> Vec<LoadedFile> {
    let why = if kind.why == Why::Project { Why::Rule } else { kind.why };
    let kind = FileOrigin { why, ..kind };
    let base = base(loading, dir, kind);
    let mut found = Vec::new();
    for path in rule_files(loading, config, dir, kind) {
        let mut entries = Vec::new();
        gather(loading, config, &path, kind, seen, &mut entries);
        for entry in entries {
            let Some(globs) = entry.globs.clone() else {
                found.push(entry);
                continue;
            };
            // It waits for a match, so it is not in the context yet.
            loading.out.layers.retain(|layer| layer.why == Why::MatchedRule || layer.path != entry.path);
            let never = never(&globs);
            loading.conditional(Conditional { path: entry.path, base: base.clone(), globs, text: entry.text, never });
        }
    }
    found
}

fn base(loading: &Loading<'_>, dir: &AbsPath, kind: FileOrigin) -> AbsPath {
    // Rules that hold everywhere are relative to the start directory, a project's to the directory that holds its `.claude`.
    if matches!(kind.why, Why::User | Why::Managed) { loading.start.clone() } else { dir.dirname().dirname() }
}

/// The rules below `dir` whose globs match `touched`, seen from `base`.
pub(super) fn matching(
    loading: &mut Loading<'_>,
    config: &ClaudeSettings,
    dir: &AbsPath,
    base: &AbsPath,
    touched: &AbsPath,
    kind: FileOrigin,
    seen: &mut SentFiles,
) -> Vec<LoadedFile> {
    let mut found = Vec::new();
    for path in rule_files(loading, config, dir, kind) {
        let mut entries = Vec::new();
        // What these files import was loaded at start, and what they skip was said then.
        let (layers, skipped) = (loading.out.layers.len(), loading.out.skipped.len());
        gather(loading, config, &path, kind, seen, &mut entries);
        loading.out.layers.truncate(layers);
        loading.out.skipped.truncate(skipped);
        for mut entry in entries {
            let Some(globs) = entry.globs.clone().filter(|globs| matches(globs, base, touched)) else { continue };
            let bytes = loading.world.read(&entry.path).unwrap_or_default();
            entry.layer = loading.layer(&entry.path, &bytes, Why::MatchedRule);
            loading.out.layers[entry.layer].globs = globs;
            found.push(entry);
        }
    }
    found
}

/// Whether gitignore-like, case-insensitive globs match `path` or a directory above it, seen from `base`.
pub(crate) fn matches(globs: &[String], base: &AbsPath, path: &AbsPath) -> bool {
    path.is_within(base)
        && path != base
        && PathPatterns::new(globs).cover(&String::from_utf8_lossy(&path.relative_to(base)))
}

/// Why these globs can never match, if they cannot.
fn never(globs: &[String]) -> Option<&'static str> {
    if globs.is_empty() {
        return Some("its braces expand to too many patterns");
    }
    if globs.iter().all(|glob| glob.starts_with('!')) {
        return Some("all its patterns exclude");
    }
    if globs.iter().all(|glob| glob.starts_with("./") || glob.starts_with("../")) {
        return Some("globs that begin with ./ or ../ match nothing");
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn applies(paths: &str, path: &str) -> bool {
        let file = format!("---\npaths: {paths}\n---\nx");
        match RuleSource::parse(file.as_bytes()).globs {
            None => true,
            Some(globs) => matches(&globs, &AbsPath::new("/r"), &AbsPath::new("/r").join(path)),
        }
    }

    #[test]
    fn globs_are_gitignore_like_without_case() {
        for (paths, path, expected) in [
            ("\"src/**/*.ts\"", "src/a/b.ts", true),
            ("\"src/**/*.ts\"", "lib/a/b.ts", false),
            ("docs/**, *.{js,tsx}", "src/q.TSX", true),
            ("[src, /top.md]", "src/q.c", true),
            ("[src, /top.md]", "a/top.md", false),
            ("*.ts", "a/b/c.ts", true),
            ("/src/a.ts", "src/a.ts", true),
            ("./src/a.ts", "src/a.ts", false),
            ("'!x'", "y", false),
            ("a/", "b/a/c", true),
            ("'?.ts'", "a.ts", true),
            ("'[0-9].ts'", "7.ts", true),
            ("src/**", "src/deep/a", true),
            // What lies in a covered directory is not taken back.
            ("['src/**', '!src/gen/**']", "src/gen/a", true),
            ("['src/**/*.ts', '!src/gen/**/*.ts']", "src/gen/a.ts", false),
            ("'[!x]*.ts'", "a.ts", false),
            ("'[!x]*.ts'", "x.ts", true),
            ("'**'", "a", true),
            ("[]", "a", true),
            ("'**/*'", "a", true),
            ("[[src], x]", "src/a", true),
            ("*.ts", "a.ts", true),
            ("*.ts", "a.md", false),
            // No YAML at all: the rule applies always.
            ("\"open", "a", true),
            ("a\n b: c", "a", true),
            ("*.ts\r", "a.md", true),
        ] {
            assert_eq!(applies(paths, path), expected, "{paths} on {path}");
        }
    }

    #[test]
    fn frontmatter_must_begin_the_file() {
        let body = |text: &str| RuleSource::parse(text.as_bytes()).text;
        assert_eq!(body("---\na: b\n---\nBody\n"), "Body\n");
        assert_eq!(body("---  \na: b\n---  \n\nBody"), "Body");
        assert_eq!(body("\u{feff}---\n---\nBody"), "Body");
        assert_eq!(body("\u{feff}Body"), "\u{feff}Body");
        assert_eq!(body("\u{feff}<!-- a -->\nb"), "\u{feff}<!-- a -->\nb");
        assert_eq!(body("\n---\na: b\n---\nBody"), "\n---\na: b\n---\nBody");
        assert_eq!(body("---\nnever closed\n"), "---\nnever closed\n");
        assert_eq!(body("---\na: b\n---\n---\nc: d\n---\n"), "---\nc: d\n---\n");
    }

    #[test]
    fn globs_that_cannot_match_are_told() {
        assert!(never(&["!x".into()]).is_some() && never(&["./a".into()]).is_some());
        assert!(never(&["a".into(), "!b".into()]).is_none());
    }
}
