//! `resource-escapes-package`: a resource that lies outside its hint package, by a link or by its path.

use super::missing_resource::{NamedResource, named};
use super::packages;
use crate::base::finding::{Finding, Level};
use crate::base::path;
use crate::base::text::Span;
use crate::rules::{Cx, Evidence, FixAvailability, Group, Rule, RuleInfo};
use crate::workspace::Resolution;

static INFO: RuleInfo = RuleInfo {
    name: "resource-escapes-package",
    group: Group::Packages,
    levels: &[Level::Error],
    summary: "a resource of a hint package lies outside its resources",
    explanation: "\
## What it does
Reports symbolic links in the `resources/` of a hint package that lead out of it, and `get_resource` calls in its `hint.md` whose
path is absolute or has a `..`.

## Why is this bad?
Only what lies in the active package's `resources/` is given to an agent. Such a resource is refused. A link out of the package is
how somebody would expose another file of the machine.

## Example
`hints/deploy/resources/key` as a link to `../../../.env`.

## How to fix
Copy the file into `resources/`, and name it by its path below that folder.
",
    evidence: &[Evidence { source: "task_agent 9d2d36d, resource paths", checked: "2026-11" }],
    fix: FixAvailability::None,
    aliases: &[],
};

/// See [`INFO`].
pub(super) struct ResourceEscapesPackage;

impl Rule for ResourceEscapesPackage {
    fn info(&self) -> &'static RuleInfo {
        &INFO
    }

    fn check_workspace(&self, cx: &Cx<'_>, findings: &mut Vec<Finding>) {
        let workspace = cx.workspace;
        for package in packages(workspace) {
            let resources = package.at(b"resources");
            let links = workspace.links.keys().filter(|link| path::is_at_or_below(link.as_bytes(), &resources));
            for link in links {
                let leaves = match workspace.resolve(link.as_bytes()) {
                    Resolution::Outside => true,
                    Resolution::File(at) | Resolution::Directory(at) | Resolution::Missing(at) => {
                        !path::is_at_or_below(at.as_bytes(), &resources)
                    }
                    _ => false,
                };
                if leaves {
                    let message = "this link leads out of resources/, so the package cannot serve it";
                    let finding = Finding::new(INFO.name, Level::Error, link, Span::empty(0), message);
                    findings.push(finding.help("copy its target into resources/"));
                }
            }
            for document in package.prompts_in_focus(cx.workspace) {
                for NamedResource { path, span, .. } in named(document).filter(|named| named.leaves) {
                    let message = format!("`{path}` leads out of resources/, so the package cannot serve it");
                    let finding = Finding::new(INFO.name, Level::Error, &document.path, span, message);
                    findings.push(finding.help("name the file by its path below resources/"));
                }
            }
        }
    }
}
