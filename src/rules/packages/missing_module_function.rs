//! `missing-module-function`: the prompt of a hint package names a function that no module of the package offers.

use super::packages;
use crate::base::finding::{Finding, Level};
use crate::base::text::Span;
use crate::config::nearest;
use crate::parse::Document;
use crate::parse::markdown::CodeKind;
use crate::parse::powershell::is_function_name;
use crate::rules::{Cx, Evidence, FixAvailability, Group, Rule, RuleInfo};

static INFO: RuleInfo = RuleInfo {
    name: "missing-module-function",
    group: Group::Packages,
    levels: &[Level::Warning],
    summary: "a hint package's prompt names a function that its modules lack",
    explanation: "\
## What it does
Reports functions that the `hint.md` of a hint package names and that no PowerShell module in its `modules/` offers. A name counts in
backticks, in `<ps_call>` and at the beginning of a list item, where it has a verb of PowerShell's list (`Get-Verb`) and is none
of PowerShell's own commands. A module offers the functions and filters that it defines, or those that its
`Export-ModuleMember` names. One that sources other files or exports what it computes may offer anything.

## Why is this bad?
The agent calls the function, as the prompt tells it to, and gets an error.

## Example
`- Get-Report: lists the reports` where `modules/report.psm1` defines `Get-Reports`.

## How to fix
Write the function's name as the module has it, or define the function.
",
    evidence: &[Evidence { source: "task_agent 9d2d36d, modules of hints", checked: "2026-11" }],
    fix: FixAvailability::None,
    aliases: &[],
};

/// See [`INFO`].
pub(super) struct MissingModuleFunction;

impl Rule for MissingModuleFunction {
    fn info(&self) -> &'static RuleInfo {
        &INFO
    }

    fn check_workspace(&self, cx: &Cx<'_>, findings: &mut Vec<Finding>) {
        for package in packages(cx.workspace) {
            let Some(functions) = cx.workspace.functions.get(&package.folder) else { continue };
            for document in package.prompts_in_focus(cx.workspace) {
                let mut told: Vec<&str> = Vec::new();
                for span in names(document) {
                    let name = document.slice(span);
                    if functions.may_have(name) || told.contains(&name) {
                        continue;
                    }
                    told.push(name);
                    let message = format!("no module of the package offers the function `{name}`");
                    let finding = Finding::new(INFO.name, Level::Warning, &document.path, span, message);
                    let near = nearest(&name.to_ascii_lowercase(), functions.names()).map(str::to_owned);
                    findings.push(finding.help(match near {
                        Some(near) => format!("the modules offer `{near}`"),
                        None => "correct the name, or define the function".to_owned(),
                    }));
                }
            }
        }
    }
}

/// Where a prompt names functions, in order.
fn names(document: &Document) -> Vec<Span> {
    let text = &document.text;
    let markdown = &document.markdown;
    let code = markdown.code.iter().filter(|code| code.kind == CodeKind::Span).map(|code| code.content);
    let items = markdown.items.iter().filter_map(|item| first_word(text, item.content));
    let mut names: Vec<Span> = code.chain(calls(text)).flat_map(|span| words(text, span)).chain(items).collect();
    names.retain(|&span| is_function_name(document.slice(span)));
    names.sort_unstable_by_key(|span| (span.start, span.end));
    names.dedup();
    names
}

fn first_word(text: &str, item: Span) -> Option<Span> {
    words(text, item).into_iter().next().filter(|word| word.start == item.start)
}

/// What stands inside `<ps_call>`.
fn calls(text: &str) -> Vec<Span> {
    let lower = text.to_ascii_lowercase();
    let mut calls = Vec::new();
    let mut at = 0;
    while let Some(open) = lower[at..].find("<ps_call").map(|found| at + found) {
        let Some(body) = lower[open..].find('>').map(|end| open + end + 1) else { break };
        let Some(close) = lower[body..].find("</ps_call>").map(|end| body + end) else { break };
        calls.push(Span::new(body, close));
        at = close;
    }
    calls
}

/// The runs of letters, digits and hyphens.
fn words(text: &str, span: Span) -> Vec<Span> {
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '$' | '.' | '/' | '\\');
    let mut words = Vec::new();
    let mut start = None;
    for (at, c) in text[span.range()].char_indices().chain([(span.len(), ' ')]) {
        match (is_part(c), start) {
            (true, None) => start = Some(at),
            (false, Some(from)) => {
                words.push(Span::new(span.start + from, span.start + at));
                start = None;
            }
            _ => {}
        }
    }
    words
}
