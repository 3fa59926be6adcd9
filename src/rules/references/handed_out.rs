//! What a text that is handed out says of places other than its own: where installing puts its files, the user's project, and skills
//! of others.

use super::has_script_ending;
use crate::agents::files;
use crate::base::kind::Kind;
use crate::base::path::{self, RepoPath};
use crate::base::text::Span;
use crate::discover;
use crate::parse::Document;
use crate::parse::markdown::CodeKind;
use crate::workspace::Workspace;

/// Whether a text that is handed out names a file by the place in an agent's folder to which installing brings it, and the file is
/// here outside of such folders: `.claude/skills/x/a.md` for `skills/x/a.md`.
pub(super) fn is_installed_place(workspace: &Workspace, document: &Document, written: &str) -> bool {
    let Some((agent, rest)) = written.trim_start_matches("./").split_once('/') else { return false };
    let rest = rest.trim_end_matches('/');
    if !document.kind.is_general() || !files::is_agent_folder(agent.as_bytes()) || !rest.contains('/') {
        return false;
    }
    let end = format!("/{rest}");
    let is_source = |file: &[u8]| {
        let ends = file == rest.as_bytes() || file.ends_with(end.as_bytes());
        ends && !files::is_in_agent_folder(file)
    };
    workspace.listing.has_dir(rest.as_bytes())
        || workspace.listing.with_name(path::file_name(rest.as_bytes())).into_iter().any(is_source)
}

/// Whether the text is no record, and stands with what is in use.
pub(super) fn is_in_use(document: &Document) -> bool {
    document.kind != Kind::Plan && discover::why_set_aside(document.path.as_bytes()).is_none()
}

/// Whether `document` is read in this repository by an agent, and not only handed out.
pub(super) fn is_in_an_agents_folder(document: &Document) -> bool {
    files::is_in_agent_folder(document.path.as_bytes())
}

/// Bytes before a path in which the name of another skill is looked for.
const NEAR: usize = 600;

/// Whether the path stands in parentheses behind the name of another skill, which is not this one's: "`their-skill` (`references/a.md`)".
pub(super) fn is_of_a_named_skill(workspace: &Workspace, document: &Document, span: Span) -> bool {
    let Some(folder) = workspace.skill_folder(document) else { return false };
    let own = RepoPath::new(path::file_name(folder));
    let start = document.text.ceil_char_boundary(span.start.saturating_sub(NEAR));
    let before = &document.text[start..span.start];
    // The item, the row or the paragraph.
    let begin = before.rfind(['|']).into_iter().chain(before.rfind("\n- ")).chain(before.rfind("\n\n")).max();
    let begin = begin.map_or(start, |at| start + at + 1);
    let Some(open) =
        document.text[begin..span.start].rfind('(').filter(|at| !document.text[begin + at..span.start].contains(')'))
    else {
        return false;
    };
    let is_name = |text: &str| {
        text.contains('-') && text.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-')
    };
    let codes = &document.markdown.code;
    let first = codes.partition_point(|code| code.span.start < begin);
    codes[first..].iter().take_while(|code| code.span.end <= begin + open).any(|code| {
        let content = document.slice(code.content);
        code.kind == CodeKind::Span
            && is_name(content)
            && own != RepoPath::from(content)
            && !workspace.listing.has_dir(&path::join(folder, content.as_bytes()))
    })
}

/// Whether a skill names its own scripts by a variable or a blank before `scripts/`, so that a path without one is the user's.
pub(super) fn tells_own_scripts_apart(document: &Document, written: &str) -> bool {
    let marks = [">/scripts/", "}/scripts/", "_DIR/scripts/", "_ROOT/scripts/", "_PATH/scripts/", "$SKILL/scripts/"];
    has_script_ending(written) && marks.iter().any(|mark| document.text.contains(mark))
}

#[cfg(test)]
mod tests {
    use super::super::testing::{Past, findings, show};

    const HEAD: &str = "---\nname: x\ndescription: y\n---\n";

    fn check(rule: &str, text: &str, files: &[&str], past: &[(&str, Past)]) -> Vec<String> {
        let text = format!("{HEAD}{text}");
        let path = "skills/x/SKILL.md";
        let all: Vec<(&str, &str)> = files.iter().map(|file| (*file, "")).chain([(path, text.as_str())]).collect();
        let found = findings(rule, &all, past, &[], false);
        show(&found.into_iter().filter(|finding| finding.path == path.into()).collect::<Vec<_>>(), &text)
    }

    #[test]
    fn where_installing_puts_a_file_it_is_not_here() {
        let past = [(".claude/skills/deep-rows/best_rows.md", Past::Renamed("skills/deep-rows/best_rows.md"))];
        let text = "Read `.claude/skills/deep-rows/best_rows.md`.\n";
        assert_eq!(check("stale-path", text, &["skills/deep-rows/best_rows.md"], &past), [""; 0]);
        let past = [(".claude/skills/deep-rows/best_rows.md", Past::Renamed(".agents/skills/deep-rows/best_rows.md"))];
        assert_eq!(check("stale-path", text, &[".agents/skills/deep-rows/best_rows.md"], &past).len(), 1);
    }

    #[test]
    fn what_stands_in_parentheses_behind_a_skill_belongs_to_it() {
        let files = ["skills/x/references/a.md"];
        let text = "| Old calls | `their-skill` (`references/calls.md`) |\n\n- `their-skill` (of others): all of it\n  (`references/b1.md`,\n  `references/c1.md`)\n";
        assert_eq!(check("missing-path", text, &files, &[]), [""; 0]);
        let misspelt = "| Old calls | `their-skill` (`references/aa-bb-ccc.md`) |\n";
        let files = ["skills/x/references/aa-bb-cccc.md"];
        assert_eq!(check("missing-path", misspelt, &files, &[]), [""; 0]);
        let own = "| Old calls | `x` (`references/calls.md`) |\n";
        let files = ["skills/x/references/a.md"];
        assert_eq!(check("missing-path", own, &files, &[]), ["info references/calls.md"]);
    }

    #[test]
    fn a_rule_that_names_nothing_of_here_is_about_any_project() {
        let level = |text: &str| {
            let files = [(".cursor/rules/kit.mdc", text), ("src/core/a1.rs", "")];
            let found = findings("missing-path", &files, &[], &[], false);
            found.iter().map(|finding| finding.level.name().to_owned()).collect::<Vec<_>>()
        };
        let text = "---\nalwaysApply: true\n---\nGuards live in `src/core/jumps.rs`.\n";
        assert_eq!(level(text), ["info"]);
        assert_eq!(level(&format!("{text}\nThe rest is in `src/core/a1.rs`.\n")), ["warning"]);
        assert_eq!(level(&text.replace("alwaysApply: true", "globs: src/**/*.rs")), ["warning"]);
    }

    #[test]
    fn scripts_without_the_variable_of_the_others_are_the_user_s() {
        let files = ["skills/x/scripts/make.py"];
        let text = "Run `<skill-path>/scripts/make.py`, then `scripts/convert.py`.\n";
        assert_eq!(check("missing-path", text, &files, &[]), [""; 0]);
        assert_eq!(check("missing-path", &text.replace("<skill-path>/", ""), &files, &[]), ["info scripts/convert.py"]);
    }
}
