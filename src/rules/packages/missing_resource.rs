//! `missing-resource`: the prompt of a hint package names a resource that the package lacks.

use super::packages;
use crate::base::finding::{Finding, Level};
use crate::base::path;
use crate::base::text::Span;
use crate::pack::builtin::{self, BuiltinCall};
use crate::pack::resource;
use crate::parse::Document;
use crate::parse::markdown::CodeKind;
use crate::parse::placeholder::is_placeholder;
use crate::rules::{Cx, Evidence, FixAvailability, Group, Rule, RuleInfo};
use crate::workspace::Resolution;

static INFO: RuleInfo = RuleInfo {
    name: "missing-resource",
    group: Group::Packages,
    levels: &[Level::Error],
    summary: "a hint package's prompt names a resource that is not there",
    explanation: "\
## What it does
Reports the path of a `get_resource` call in the `hint.md` of a hint package, and a `resources/…` path in backticks there, for which
the package has no file. Placeholders such as `<name>.html` are none.

## Why is this bad?
The agent asks for the resource, as the prompt tells it to, and gets an error.

## Example
```text
<builtin>
get_resource
path: page.html
</builtin>
```

in a package without `resources/page.html`.

## How to fix
Add the file, or name the one that is there.
",
    evidence: &[Evidence { source: "task_agent 9d2d36d, get_resource", checked: "2026-11" }],
    fix: FixAvailability::None,
    aliases: &[],
};

/// See [`INFO`].
pub(super) struct MissingResource;

impl Rule for MissingResource {
    fn info(&self) -> &'static RuleInfo {
        &INFO
    }

    fn check_workspace(&self, cx: &Cx<'_>, findings: &mut Vec<Finding>) {
        let workspace = cx.workspace;
        for package in packages(workspace) {
            let resources = package.at(b"resources");
            for document in package.prompts_in_focus(cx.workspace) {
                for NamedResource { path, span, .. } in named(document).filter(|named| !named.leaves) {
                    let Some(at) = path::resolve(&resources, path.as_bytes()) else { continue };
                    if matches!(workspace.resolve(&at), Resolution::Missing(_)) {
                        let message = format!("the package has no resource `{path}`");
                        let finding = Finding::new(INFO.name, Level::Error, &document.path, span, message);
                        findings.push(finding.help("add the file to resources/, or name an existing one"));
                    }
                }
            }
        }
    }
}

/// A resource that a prompt names.
pub(super) struct NamedResource {
    /// Its path below `resources/`.
    pub(super) path: String,
    /// Where it stands.
    pub(super) span: Span,
    /// Whether the path leaves `resources/` by its spelling.
    pub(super) leaves: bool,
}

/// The resources that a prompt names, in calls and in backticks.
pub(super) fn named(document: &Document) -> impl Iterator<Item = NamedResource> + '_ {
    let calls = builtin::calls_with_places(&document.text).into_iter().filter_map(|(body, call)| {
        let Ok(BuiltinCall::Resource { path, .. }) = call else { return None };
        let span =
            document.text[body.range()].find(&path).map(|at| Span::new(body.start + at, body.start + at + path.len()));
        Some((path, span.unwrap_or(body)))
    });
    let spans = document.markdown.code.iter().filter(|code| code.kind == CodeKind::Span).filter_map(|code| {
        let path = document.slice(code.content).trim().strip_prefix("resources/")?;
        (!path.is_empty() && !path.ends_with('/') && !path.contains(' ')).then(|| (path.to_owned(), code.content))
    });
    let named = calls.chain(spans).filter(|(path, _)| !is_placeholder(path) && !path.contains('*'));
    named.map(|(path, span)| NamedResource {
        leaves: resource::check(path.as_bytes()) == Err(resource::ResourceRefusal::Outside),
        path,
        span,
    })
}
