//! `missing-field`: a required field is missing or empty. Knows only parsed documents.

mod about;
mod lenient;

use self::about::{is_about_the_folder, is_called_an_agent};
use self::lenient::{described_by_text, is_kept_aside, is_stub, named_by_reader, offered_page};
use super::is_illustration;
use super::misspelled_field::slip;
use super::schema;
use super::skill_name::{self, SkillPlace};
use crate::agents::{bundles, files};
use crate::base::fields::{FieldSetting, FieldSpec, Needed, Schema};
use crate::base::finding::{Cause, Finding, Level};
use crate::base::kind::{Kind, Role};
use crate::base::path::{self, RepoPath};
use crate::base::text::Span;
use crate::parse::frontmatter::{Field, Frontmatter, Value};
use crate::parse::{Document, ProblemKind};
use crate::rules::{Cx, Evidence, FixAvailability, Group, Rule, RuleInfo};
use crate::source::Listing;

/// The rule.
pub(super) struct MissingField;

static INFO: RuleInfo = RuleInfo {
    name: "missing-field",
    group: Group::Frontmatter,
    levels: &[Level::Error, Level::Warning, Level::Info],
    summary: "a required field is missing or empty",
    explanation: r#"## What it does

Reports frontmatter without a field that the file's readers require: `name` and `description` of a skill or a subagent,
`description` of a library's hint, `name` and `description` in `hint.yaml`. Some fields are required by another: `fileMatchPattern` by
Kiro's `inclusion: fileMatch`, `globs` by Windsurf's `trigger: glob`, `description` by `inclusion: auto`, `trigger: model_decision` and
Copilot's `target: github-copilot`. Claude Code names a skill after its folder, so in `.claude/skills` and in its plugins only
`description` is required. It names a plugin's subagent after its file, so that a missing `name` is an info there; in
`.claude/agents` it skips such a file.

Where all SKILL.md of a collection, three or more, lack the same field or have no frontmatter at all, and no agent's folder or plugin
holds them, that is the collection's own format: an info.

Files with several fields that no agent knows and none of those that are required, beside others with the same fields, are in the
format of another program: an info, except in a folder that an agent reads.

A SKILL.md without any frontmatter is a warning where it stands beside skills but in no folder of skills, and an info where it
stands alone: it may be any page. In `.claude/skills` it is a warning where no enabled agent besides Claude Code reads that folder:
Claude Code takes the first line for the description. Beside skills a stub of a few lines that says it is yet to be written is an
info, and so is a subagent in a registry, an import or a quarantine that no agent reads. A file in `.claude/agents` without any frontmatter is reported if its text speaks to an agent ("You are …") or its title calls it one
(`# Review Agent`), or another text calls it one ("use the planner agent"); others document the folder. In a folder such as `references` or `review-prompts` below it that is an info. opencode takes every Markdown file in its folder of agents for one, and Claude Code each
below `agents/` of a plugin: a page without frontmatter is a warning there, an info in a plugin's README and, in opencode, for a prompt. A `description` that is word for word that of a published
template ("Describe what this custom agent does and when to use it.") is a warning. Folders named examples, templates, fixtures and the like are left alone unless the rule is selected.

## Why is this bad?

An agent chooses a skill or a subagent by these fields. Without them it is skipped or never chosen, and nothing says so.

## Example

```yaml
---
name: release
---
```

## How to fix

Add the field.
"#,
    evidence: &[
        Evidence { source: "https://agentskills.io/specification", checked: "2026-11" },
        Evidence { source: "https://code.claude.com/docs/en/sub-agents", checked: "2026-11" },
        Evidence { source: "Claude Code 2.1.330, observed", checked: "2026-11" },
    ],
    fix: FixAvailability::None,
    aliases: &[],
};

impl Rule for MissingField {
    fn info(&self) -> &'static RuleInfo {
        &INFO
    }

    fn check(&self, document: &Document, cx: &Cx<'_>, findings: &mut Vec<Finding>) {
        let Some(schema) = schema::of(document.kind) else { return };
        if is_illustration(document, cx.selected, INFO.name) {
            return;
        }
        let listing = &cx.workspace.listing;
        let required: Vec<&FieldSpec> = schema
            .needed(document.frontmatter.as_ref())
            .filter(|spec| !implied(document, listing, spec.name))
            .collect();
        match &document.frontmatter {
            Some(frontmatter) if frontmatter.valid && frontmatter.other.is_none() => {
                findings.extend(left_from_a_template(document, frontmatter));
                let is_foreign = is_of_another_format(document, frontmatter, schema, cx);
                let is_made = skill_name::is_made(document.path.as_bytes());
                let is_unread = is_foreign || is_made || is_kept_aside(document, cx) || is_exported(document, cx);
                let level = if is_unread { Level::Info } else { Level::Error };
                for spec in required {
                    let finding = check_field(document, frontmatter, schema, (spec, level))
                        .map(|finding| named_by_reader(document, cx, spec.name, finding));
                    findings.extend(finding.map(|finding| {
                        match is_lacked_by_all(document, cx, |other| lacks(other, spec.name)) {
                            true => Finding { level: Level::Info, ..finding }.cause(without_field(document, spec.name)),
                            false => finding,
                        }
                    }));
                }
            }
            Some(_) => {}
            None if required.is_empty() || is_elsewhere(document) => {}
            None if required.iter().all(|spec| spec.needed == Needed::InBareFile) => {
                findings.extend((!document.text.trim().is_empty()).then(|| report_bare(document, schema)));
            }
            None if is_about_the_folder(document) && !is_called_an_agent(cx.workspace, document) => {
                findings.extend(offered_page(document, cx));
            }
            None if is_told_of_another(document, cx) => {}
            None => findings.push(report_without(document, cx, schema, &required)),
        }
    }
}

/// Report a file without any frontmatter.
fn report_without(document: &Document, cx: &Cx<'_>, schema: &Schema, required: &[&FieldSpec]) -> Finding {
    let names: Vec<String> = required.iter().map(|spec| format!("`{}`", spec.name)).collect();
    let mut message = format!("{} needs frontmatter with {}", schema.what, names.join(" and "));
    match alike(document, cx).count() {
        0 => {}
        more => message = format!("{message}; {more} more files of this folder have none"),
    }
    let help = "begin the file with a `---` line, the fields, and a `---` line";
    let mut level = bare_level(document, cx);
    let mut cause = without_frontmatter(document);
    if let Some((agent, line)) = described_by_text(document, cx).filter(|_| level == Level::Error) {
        message = format!("{message}: {agent} takes \"{line}\" for its description");
        cause.help = Some(format!("{agent} takes their first lines for their descriptions; {help}"));
        level = Level::Warning;
    }
    Finding::new(INFO.name, level, &document.path, Span::default(), message).cause(cause).help(help)
}

/// What published templates have for a description: of VS Code's files, and of the skills of Anthropic's collection.
const TEMPLATES: [&str; 4] = [
    "Describe what this custom agent does and when to use it.",
    "Describe when these instructions should be loaded",
    "Describe when these instructions should be loaded by the agent based on task context",
    "Replace with description of the skill and when Claude should use it.",
];

/// Report a description that a template brought and nobody wrote.
fn left_from_a_template(document: &Document, frontmatter: &Frontmatter) -> Option<Finding> {
    let field = frontmatter.get("description")?;
    let Value::String(text) = &field.value.value else { return None };
    let is_same = |template: &str| text.trim().trim_end_matches('.') == template.trim_end_matches('.');
    // A folder may hand the template itself out under its name.
    let is_template = memchr::memmem::find(document.path.as_bytes(), b"template").is_some();
    if is_template || !TEMPLATES.iter().any(|template| is_same(template)) {
        return None;
    }
    let message = "this `description` is the text of a template, so no agent can tell when the file is meant";
    let finding = Finding::new(INFO.name, Level::Warning, &document.path, field.value.span, message);
    Some(finding.help("say what it is for and when to use it"))
}

/// Report a file that its reader takes for what it may not be, since only its frontmatter would say so. A prompt works without.
fn report_bare(document: &Document, schema: &Schema) -> Finding {
    let (level, message) = match is_about_the_folder(document) {
        true => {
            (Level::Warning, format!("this page is read as {}, since every file of its folder is one", schema.what))
        }
        false => (Level::Info, format!("{} without frontmatter has no description", schema.what)),
    };
    Finding::new(INFO.name, level, &document.path, Span::default(), message)
        .help("describe it in frontmatter, or move it out of the folder")
}

/// What files of one collection that have no frontmatter have in common.
fn without_frontmatter(document: &Document) -> Cause {
    Cause {
        key: format!("bare {} {}", document.kind.name(), collection(document)),
        subject: format!("`{}`", document.path.to_str_lossy()),
        many: "have no frontmatter",
        help: None,
    }
}

/// What files of one collection that lack one field have in common.
fn without_field(document: &Document, name: &str) -> Cause {
    Cause {
        key: format!("without {name} {}", collection(document)),
        subject: format!("`{}`", document.path.to_str_lossy()),
        many: "lack a field that skills require, as all of their collection do",
        help: None,
    }
}

/// The folder that holds a file and those like it.
fn collection(document: &Document) -> String {
    let folder = match document.kind {
        Kind::Skill => path::parent(document.path.parent()),
        _ => document.path.parent(),
    };
    String::from_utf8_lossy(folder).into_owned()
}

/// Report `name` if it is absent, or present without a value.
fn check_field(
    document: &Document,
    frontmatter: &Frontmatter,
    schema: &Schema,
    (spec, level): (&FieldSpec, Level),
) -> Option<Finding> {
    let name = spec.name;
    let (span, what) = match frontmatter.get(name) {
        None => (fence(document, frontmatter), "missing"),
        Some(field) if field.value.value == Value::Null => (field.key_span, "empty"),
        Some(_) => return None,
    };
    // A misspelt field is reported as such.
    let misspelt = |field: &Field| slip(schema, field).is_some_and(|known| known.name == name);
    let unknown = |field: &&Field| schema.field(&field.key).is_none();
    if what == "missing" && frontmatter.fields.iter().filter(unknown).any(misspelt) {
        return None;
    }
    let message = match spec.needed {
        Needed::With(FieldSetting { field, value }) => format!("`{name}` is {what}; `{field}: {value}` requires it"),
        _ => format!("`{name}` is {what}; {} requires it", schema.what),
    };
    let line = document.lines.line_span(document.lines.line_of(span.start));
    let after = frontmatter.get(name).and_then(|field| document.text.get(field.key_span.end..line.end));
    let help = match after.and_then(|after| after.trim_start_matches([':', ' ', '\t']).chars().next()) {
        Some('#') => "`#` begins a comment; if it is part of the value, put the value in quotes".to_owned(),
        _ => format!("add `{name}: …`"),
    };
    Some(Finding::new(INFO.name, level, &document.path, span, message).help(help))
}

/// Files of one kind that are compared with another, at most.
const COMPARED: usize = 1000;

/// Whether the frontmatter is written for another program: it has several fields that no agent knows and none that is required,
/// and so have others. What lies in an agent's own folder is meant for that agent all the same.
fn is_of_another_format(document: &Document, frontmatter: &Frontmatter, schema: &Schema, cx: &Cx<'_>) -> bool {
    let is_unknown = |field: &&Field| schema.field(&field.key).is_none() && slip(schema, field).is_none();
    let unknown: Vec<&str> = frontmatter.fields.iter().filter(is_unknown).map(|field| field.key.as_str()).collect();
    let lacks_all = |other: &Frontmatter| {
        let mut always = schema.fields.iter().filter(|spec| spec.needed == Needed::Always).peekable();
        always.peek().is_some() && always.all(|spec| other.get(spec.name).is_none())
    };
    let is_alike = |other: &Document| {
        let has_all = |other: &Frontmatter| unknown.iter().all(|key| other.get(key).is_some());
        other.path != document.path
            && other.frontmatter.as_ref().is_some_and(|other| lacks_all(other) && has_all(other))
    };
    unknown.len() >= 2
        && lacks_all(frontmatter)
        && !document.opened().iter().any(lies_in_agent_folder)
        && cx
            .workspace
            .documents
            .iter()
            .filter(|other| other.kind == document.kind)
            .take(COMPARED)
            .filter(|other| is_alike(other))
            .nth(1)
            .is_some()
}

/// Whether a file lies in a folder that is an agent's own.
fn lies_in_agent_folder(path: &RepoPath) -> bool {
    files::is_in_agent_folder(path.as_bytes())
}

/// Whether an agent's own folder has the skill with a description, so that this one, which no agent reads, is what that one is made from.
fn is_exported(document: &Document, cx: &Cx<'_>) -> bool {
    let folder = path::file_name(document.path.parent());
    let is_export = |other: &Document| {
        lies_in_agent_folder(&other.path)
            && path::file_name(other.path.parent()) == folder
            && other.frontmatter.as_ref().is_some_and(|fields| fields.get("description").is_some())
    };
    document.kind == Kind::Skill
        && !document.opened().iter().any(lies_in_agent_folder)
        && cx.workspace.documents.iter().any(|other| other.kind == Kind::Skill && is_export(other))
}

/// Skills of one collection, at least, that lack the same before it is the collection's own format.
const OWN_FORMAT: usize = 3;

/// Whether all skills of a collection that no agent is known to read lack the same: they are in the collection's own format.
fn is_lacked_by_all(document: &Document, cx: &Cx<'_>, lacks: impl Fn(&Document) -> bool) -> bool {
    let has = |file: &[u8]| cx.workspace.listing.contains(file);
    let is_read = |path: &RepoPath| {
        let folders = path::ancestors_from_root(path.parent());
        lies_in_agent_folder(path)
            || !files::skill_readers(path.as_bytes(), &has).is_empty()
            || folders.iter().any(|dir| dir.split(|&byte| byte == b'/').any(files::is_of_a_home))
            || bundles::may_be_installed(path.as_bytes(), has)
    };
    let mut others = 0;
    let is_alike = |other: &Document| {
        others += 1;
        lacks(other)
    };
    document.kind == Kind::Skill
        && !document.path.parent().is_empty()
        && skill_name::beside(cx.workspace, document).all(is_alike)
        && others + 1 >= OWN_FORMAT
        && !document.opened().iter().any(is_read)
}

/// Whether a skill has no such field with a value, or no frontmatter at all.
fn lacks(document: &Document, name: &str) -> bool {
    let field = document.frontmatter.as_ref().and_then(|frontmatter| frontmatter.get(name));
    field.is_none_or(|field| field.value.value == Value::Null)
}

/// The opening fence, or the beginning of a YAML file.
fn fence(document: &Document, frontmatter: &Frontmatter) -> Span {
    let text = document.slice(frontmatter.span);
    let len = if text.starts_with("---") { 3 } else { 0 };
    Span::new(frontmatter.span.start, frontmatter.span.start + len)
}

/// Whether an agent takes a skill's name from its folder, in its own folder and in its plugins.
fn implied(document: &Document, listing: &Listing, name: &str) -> bool {
    if document.kind != Kind::Skill || name != "name" {
        return false;
    }
    let by_folder = |path: &RepoPath| {
        let readers = files::skill_readers(path.as_bytes(), &|file| listing.contains(file));
        readers.iter().any(|found| found.reader.names_by_folder)
    };
    document.opened().iter().all(by_folder)
}

/// How bad it is that a file has no frontmatter at all. A SKILL.md that stands among no skills may be any page.
fn bare_level(document: &Document, cx: &Cx<'_>) -> Level {
    match skill_name::standing(cx.workspace, document) {
        _ if is_part_of_another(document) || skill_name::is_made(document.path.as_bytes()) => Level::Info,
        _ if is_kept_aside(document, cx) || cx.workspace.is_read_by_path(document) => Level::Info,
        _ if document.kind != Kind::Skill => Level::Error,
        _ if is_lacked_by_all(document, cx, |other| other.frontmatter.is_none()) => Level::Info,
        SkillPlace::Root => Level::Error,
        // One finding tells of all of them.
        SkillPlace::Collection if is_stub(document) && alike(document, cx).all(is_stub) => Level::Info,
        SkillPlace::Collection => Level::Warning,
        SkillPlace::Alone => Level::Info,
    }
}

/// Folders among the subagents for texts that those read or hand on, and ends of such folders' names.
const PARTS: [&str; 6] = ["prompts", "reference", "references", "resources", "snippets", "templates"];
const PART_ENDS: [&str; 3] = ["-prompts", "_prompts", "-references"];

/// Whether the folder of a file among the subagents says that it is a part of one, such as a prompt that it hands on.
fn is_part_of_another(document: &Document) -> bool {
    let folders = String::from_utf8_lossy(document.path.parent()).to_lowercase();
    let below = folders.split('/').skip_while(|folder| *folder != "agents").skip(1);
    let mut below = below.filter(|folder| PARTS.contains(folder) || PART_ENDS.iter().any(|end| folder.ends_with(end)));
    document.kind.role() == Some(Role::Subagent) && below.next().is_some()
}

/// The other skills without frontmatter of a collection that is no folder of skills which agents read.
fn alike<'w>(document: &'w Document, cx: &'w Cx<'_>) -> impl Iterator<Item = &'w Document> {
    let is_page = document.kind == Kind::Skill
        && !document.path.parent().is_empty()
        && skill_name::standing(cx.workspace, document) != SkillPlace::Root;
    let others = is_page.then(|| skill_name::beside(cx.workspace, document)).into_iter().flatten();
    others.filter(|other| other.frontmatter.is_none() && !other.path.parent().is_empty() && !is_elsewhere(other))
}

/// Whether the finding about another skill of the collection tells of this one.
fn is_told_of_another(document: &Document, cx: &Cx<'_>) -> bool {
    alike(document, cx).any(|other| other.path < document.path && cx.workspace.focus.has(&other.path))
}

/// Frontmatter that is there but cannot be read is another rule's matter.
fn is_elsewhere(document: &Document) -> bool {
    let broken = [ProblemKind::UnterminatedFrontmatter, ProblemKind::DisplacedFrontmatter];
    document.problems.iter().any(|problem| broken.contains(&problem.kind))
}

#[cfg(test)]
mod tests;
