//! How a finding tells what became of a path: its cause, its help, and the fix that writes the new path.

use super::{PathVerdict, shown};
use crate::base::characters::is_hidden;
use crate::base::finding::{Applicability, Cause, Finding, Level};
use crate::base::path::{self, RepoPath};
use crate::discover;
use crate::parse::Document;
use crate::source::history::CommitRef;
use crate::workspace::Workspace;
use crate::workspace::mentions::{self, Mention, MentionForm};

/// When something happened, as the end of a sentence.
fn when(commit: Option<&CommitRef>) -> String {
    commit.map_or_else(
        || " by changes that are not committed yet".to_owned(),
        |commit| format!(" on {} ({})", commit.date, commit.id),
    )
}

/// The fate of a path whose deletion and rename cannot be told apart, because old files are missing.
const REMOVED: &str = "deleted or renamed";

/// Files or folders that one commit took away are one cause; what is not committed yet is another.
fn of_commit(
    verb: &'static str,
    many: &'static str,
    commit: Option<&CommitRef>,
    (subject, to): (&RepoPath, Option<&RepoPath>),
) -> Cause {
    let key = format!("{verb} {}", commit.map_or("", |commit| commit.id.as_str()));
    let help = match (verb, to) {
        (_, Some(to)) => {
            let (from, to) = (shown(subject), shown(to));
            format!(
                "they were renamed{}, such as {from} to {to}; write the new paths shown at each place",
                when(commit)
            )
        }
        ("removed", _) => {
            format!("they were {REMOVED}{}; name what took their place, or drop the mentions", when(commit))
        }
        _ => format!("they were deleted{}; name what took their place, or drop the mentions", when(commit)),
    };
    Cause { key, subject: format!("`{}`", shown(subject)), many, help: Some(help) }
}

/// The cause of what `verdict` says: the commit.
fn cause_of(verdict: &PathVerdict<'_>) -> Option<Cause> {
    match verdict {
        PathVerdict::Renamed { from, to, commit, .. } => {
            Some(of_commit("renamed", "were renamed", *commit, (from, Some(to))))
        }
        PathVerdict::Deleted { from, commit, certain } => {
            let verb = if *certain { "deleted" } else { "removed" };
            Some(of_commit(verb, "do not exist any more", *commit, (from, None)))
        }
        PathVerdict::Never | PathVerdict::Excused | PathVerdict::Unknown => None,
    }
}

/// The cause of a finding about one path, name or anchor, wherever it is named.
pub(super) fn same_subject(key: String, subject: &str, many: &'static str) -> Cause {
    Cause { key, subject: format!("`{subject}`"), many, help: None }
}

/// Say what became of the path, and offer its new name where it has one.
pub(in crate::rules) fn tell(
    document: &Document,
    mention: &Mention,
    verdict: &PathVerdict<'_>,
    finding: Finding,
) -> Finding {
    let finding = Finding { cause: cause_of(verdict), ..finding };
    match verdict {
        PathVerdict::Renamed { from, to, exact, commit } => {
            let help = format!("{} was renamed to {}{}", shown(from), shown(to), when(*commit));
            let safe = *exact && !is_put_away(from, to);
            let applicability = if safe { Applicability::Safe } else { Applicability::Unsafe };
            replace(document, mention, from, to, applicability, finding.help(help))
        }
        PathVerdict::Deleted { from, commit, certain } => finding.help(format!(
            "{} was {}{}; name what took its place, or drop the mention",
            shown(from),
            if *certain { "deleted" } else { REMOVED },
            when(*commit)
        )),
        PathVerdict::Never | PathVerdict::Excused | PathVerdict::Unknown => finding,
    }
}

/// Whether a file was put away rather than renamed, so that its readers may not want the new path.
fn is_put_away(from: &RepoPath, to: &RepoPath) -> bool {
    let words = [
        "archive",
        "backup",
        "bak",
        "deprecated",
        "legacy",
        "obsolete",
        "old",
        "trash",
        "attic",
        "done",
        "completed",
        "disabled",
    ];
    let says = |path: &RepoPath| {
        let lower = shown(path).to_lowercase();
        let mut parts = lower.split(|c: char| !c.is_alphanumeric());
        parts.any(|part| words.iter().any(|word| part == *word || part.strip_suffix('d') == Some(word)))
    };
    says(to) && !says(from)
}

/// What helps where a path leads nowhere and no file lies close by: `instead`, and the only file of that name, wherever it lies.
pub(super) fn or_elsewhere(workspace: &Workspace, document: &Document, missing: &RepoPath, instead: &str) -> String {
    let name = missing.file_name();
    let found = workspace.listing.with_name(name).into_iter().filter(|path| !discover::is_illustrative(path));
    let mut found = found.filter(|path| *path != document.path.as_bytes());
    match (found.next(), found.next()) {
        (Some(only), None) if !mentions::is_common(name) => {
            format!("{instead}; the only file of that name is {}", shown(&RepoPath::new(only)))
        }
        _ => instead.to_owned(),
    }
}

/// Offer to write the path of `to`, where the text means `from`.
pub(super) fn replace(
    document: &Document,
    mention: &Mention,
    from: &RepoPath,
    to: &RepoPath,
    applicability: Applicability,
    finding: Finding,
) -> Finding {
    match respelt(document, mention, from, to).filter(|_| mention.verbatim) {
        Some(path) => finding.fix(applicability, mention.span, path),
        None => finding,
    }
}

/// The path of `to`, written as the author wrote that of `from`: from the same folder, with the same `./`, encoded as a link
/// has to be. `None` for a name that has no plain spelling.
pub(super) fn respelt(document: &Document, mention: &Mention, from: &RepoPath, to: &RepoPath) -> Option<String> {
    let dir = document.path.parent();
    let relative = |dir: &[u8]| String::from_utf8(path::relative(dir, to.as_bytes())).ok();
    let written = mention.path.as_str();
    let climbs = written.starts_with("../");
    let dotted = written.starts_with("./");
    // The folder from which `from` is spelt as it is written here.
    let plain = written.trim_start_matches("./");
    let base_len = from.as_bytes().len().checked_sub(plain.len());
    let base_len = base_len.filter(|&at| from.as_bytes()[at..].eq_ignore_ascii_case(plain.as_bytes()));
    let base = base_len.map_or(&b""[..], |len| from.as_bytes()[..len].strip_suffix(b"/").unwrap_or(b""));
    let path = match mention.form {
        _ if mention.from_root => relative(b"")?,
        // A link that only works from the root keeps doing so.
        MentionForm::Link if base_len.is_none() || !base.is_empty() || dir.is_empty() => relative(dir)?,
        _ if climbs => relative(dir)?,
        _ if path::is_at_or_below(to.as_bytes(), base) => relative(base)?,
        _ => relative(b"")?,
    };
    let path = if dotted && !path.starts_with('.') { format!("./{path}") } else { path };
    if path.contains(|c: char| is_hidden(c) || matches!(c, '`' | '<' | '>')) {
        return None;
    }
    if mention.form != MentionForm::Link {
        return (!path.contains(char::is_whitespace)).then_some(path);
    }
    let bracketed = document.text[..mention.span.start].ends_with('<');
    Some(if bracketed { path } else { encoded(&path) })
}

/// A link that leads to `near` if it counts from a folder above, and nowhere from its own.
pub(super) fn from_above(
    rule: &'static str,
    document: &Document,
    mention: &Mention,
    (first, near): (&RepoPath, &RepoPath),
) -> Option<Finding> {
    let message = format!("the link leads nowhere: it counts from this folder, where there is no {}", mention.path);
    let cause = same_subject(
        format!("from above {}", shown(&document.path)),
        &mention.path,
        "lead nowhere from the folder of this file",
    );
    let path = respelt(document, mention, first, near)?;
    let finding = Finding::new(rule, Level::Warning, &document.path, mention.span, message).cause(cause);
    let finding = finding.help(format!("write {path}, which leads to {} from here", shown(near)));
    Some(if mention.verbatim { finding.fix(Applicability::Unsafe, mention.span, path) } else { finding })
}

/// The path as the destination of a link.
fn encoded(path: &str) -> String {
    let mut encoded = String::with_capacity(path.len());
    for c in path.chars() {
        match c {
            ' ' => encoded.push_str("%20"),
            '(' => encoded.push_str("%28"),
            ')' => encoded.push_str("%29"),
            '%' => encoded.push_str("%25"),
            '#' => encoded.push_str("%23"),
            '?' => encoded.push_str("%3F"),
            c => encoded.push(c),
        }
    }
    encoded
}
