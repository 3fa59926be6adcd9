//! The progress of plans as a tree, as Markdown and as JSON: boxes done per heading, what is open, what changed since a revision,
//! and plans that stand still.

use std::fmt::Write as _;
use std::io::Write as _;

use serde_json::{Value, json};

use crate::base::defect;
use crate::base::error::Error;
use crate::base::kind::Kind;
use crate::base::path::RepoPath;
use crate::base::sanitize;
use crate::cli::Console;
use crate::cli::args::{PlanArgs, PlanFormat, SourceArgs};
use crate::cli::session::Session;
use crate::discover::Discovery;
use crate::parse::tasks::BoxStanding;
use crate::plan::change::{PlanChange, between};
use crate::plan::{OpenTask, Overview, PlanBox, PlanSection, Progress};
use crate::report::{Reached, markdown, safe_json};
use crate::source::EntryKind;

/// More open tasks of one plan than this are counted instead of listed, for people.
const LISTED: usize = 20;
/// Commits without a ticked box after which a plan stands still.
const STALLED: usize = 20;
/// Commits that are looked through for a ticked box.
const LOOKED_THROUGH: usize = 300;
/// Characters of a bar.
const BAR: usize = 10;

/// A plan and what is told of it.
struct ShownPlan<'r> {
    path: &'r RepoPath,
    overview: Overview,
    /// The plan as it was at the revision; empty where it was not there.
    before: Option<Overview>,
    /// The number of commits since one ticked a box, if the plan is stalled.
    stalled: Option<usize>,
}

impl ShownPlan<'_> {
    fn change(&self) -> Option<PlanChange<'_>> {
        Some(between(self.before.as_ref()?, &self.overview))
    }
}

/// Show the progress; the answer is the exit code.
pub(super) fn progress(args: &PlanArgs, console: &mut Console<'_>) -> Result<u8, Error> {
    let session = Session::open(console, &args.files, &SourceArgs::default(), &args.config)?;
    let discovery = Discovery::new(&session.repository.config).map_err(|bad| session.repository.bad_pattern(&bad))?;
    let listing = session.repository.source().listing();
    let is_plan = |path: &[u8]| discovery.kind(path) == Some(Kind::Plan) && !discovery.is_excluded(path);
    let files = listing.iter().filter(|entry| entry.kind == EntryKind::File && is_plan(entry.path));
    let found = files.map(|entry| RepoPath::new(entry.path)).filter(|path| session.selects(path));
    let mut paths: Vec<RepoPath> = found.chain(session.files.iter().cloned()).collect();
    paths.sort();
    paths.dedup();
    let (mut plans, mut failures) = (Vec::new(), Vec::new());
    for (path, read) in paths.iter().zip(session.repository.source().read_many(&paths)) {
        match read {
            Ok(bytes) => match defect::contain(|| Overview::read(bytes)) {
                Some(overview) => plans.push(ShownPlan { path, overview, before: None, stalled: None }),
                None => failures.push((path, defect::message("this file could not be parsed"))),
            },
            Err(why) => failures.push((path, why.to_string())),
        }
    }
    if let Some(revision) = &args.since {
        compare(&mut plans, &session.repository.merge_base(revision)?, args, console)?;
    }
    find_stalled(&mut plans, &session, console);
    match args.format {
        PlanFormat::Text => console.stdout.write_all(text(&plans, args, &session.reached).as_bytes())?,
        PlanFormat::Markdown => console.stdout.write_all(comment(&plans, args).as_bytes())?,
        PlanFormat::Json => {
            let failed = |(path, why): &(&RepoPath, String)| json!({"path": safe_json::path(path), "message": why});
            let plans: Vec<Value> = plans.iter().map(plan_json).collect();
            let failures: Vec<Value> = failures.iter().map(failed).collect();
            safe_json::write(&json!({"version": 1, "plans": plans, "failures": failures}), &mut console.stdout)?;
        }
    }
    for (path, why) in &failures {
        console.note(&format!("{}: {why}", session.reached.path(path)));
    }
    Ok(if failures.is_empty() { 0 } else { 2 })
}

/// Read the plans as they were at `commit`.
fn compare(plans: &mut [ShownPlan<'_>], commit: &str, args: &PlanArgs, console: &Console<'_>) -> Result<(), Error> {
    let source = SourceArgs { rev: Some(commit.to_owned()), ..SourceArgs::default() };
    let old = Session::open(console, &[], &source, &args.config)?;
    let paths: Vec<RepoPath> = plans.iter().map(|plan| plan.path.clone()).collect();
    for (plan, read) in plans.iter_mut().zip(old.repository.source().read_many(&paths)) {
        // All boxes of a new plan are new.
        let read = read.ok().and_then(|bytes| defect::contain(|| Overview::read(bytes)));
        plan.before = Some(read.unwrap_or_default());
    }
    Ok(())
}

/// Find the plans with open boxes of which none was ticked for many commits.
fn find_stalled(plans: &mut [ShownPlan<'_>], session: &Session, console: &mut Console<'_>) {
    let mut open: Vec<&mut ShownPlan<'_>> = plans.iter_mut().filter(|plan| !plan.overview.open.is_empty()).collect();
    let paths: Vec<RepoPath> = open.iter().map(|plan| plan.path.clone()).collect();
    if paths.is_empty() {
        return;
    }
    let versions = match session.repository.versions(&paths, LOOKED_THROUGH) {
        Ok(versions) => versions,
        Err(error) => return console.note(&format!("stalled plans cannot be detected: {error}")),
    };
    for (plan, versions) in open.iter_mut().zip(versions.files) {
        let read = |bytes: &Option<_>| {
            bytes.clone().map(|bytes| defect::contain(|| Overview::read(bytes)).unwrap_or_default())
        };
        let mut later = Some(plan.overview.clone());
        // What is not committed yet came after all commits; the first version of a plan is a step too.
        let mut quiet = 0;
        for version in &versions {
            let earlier = read(&version.bytes);
            let is_step = match (&earlier, &later) {
                (Some(earlier), Some(later)) => !between(earlier, later).done.is_empty(),
                (None, later) => later.is_some(),
                (Some(_), None) => false,
            };
            if is_step {
                break;
            }
            quiet = version.age;
            later = earlier;
        }
        plan.stalled = Some(quiet).filter(|quiet| *quiet >= STALLED);
    }
}

fn text(plans: &[ShownPlan<'_>], args: &PlanArgs, reached: &Reached) -> String {
    if plans.is_empty() {
        return "No plans found; `[plans] paths` in hintlint.toml says where they are.\n".to_owned();
    }
    let mut out = String::new();
    for (index, plan) in plans.iter().enumerate() {
        out.push_str(if index > 0 { "\n" } else { "" });
        plan_text(&reached.path(plan.path), plan, args, &mut out);
    }
    out
}

/// How far a plan is, in words.
fn summary(overview: &Overview) -> String {
    let cancelled = match overview.cancelled {
        0 => String::new(),
        count => format!(", {count} cancelled"),
    };
    match overview.progress.total {
        0 => format!("no checkboxes{cancelled}"),
        total => format!("{} done ({} %){cancelled}", overview.progress, overview.progress.completed * 100 / total),
    }
}

fn stalled(plan: &ShownPlan<'_>) -> Option<String> {
    plan.stalled.map(|commits| match commits {
        commits if commits + 1 >= LOOKED_THROUGH => {
            format!("stalled: no box ticked in {commits} commits or more")
        }
        commits => format!("stalled: no box ticked in the last {commits} commits"),
    })
}

fn plan_text(path: &str, plan: &ShownPlan<'_>, args: &PlanArgs, out: &mut String) {
    let overview = &plan.overview;
    let _ = writeln!(out, "{path}: {}", summary(overview));
    if let Some(said) = stalled(plan) {
        let _ = writeln!(out, "  {said}");
    }
    for (section, branch) in overview.sections.iter().zip(branches(&overview.sections)) {
        let (bar, heading) = (bar(section.progress), sanitize::line(&section.heading));
        let _ = writeln!(out, "  {branch}{bar} {}  {heading}", section.progress);
    }
    if let (Some(change), Some(revision)) = (plan.change(), &args.since) {
        let _ =
            writeln!(out, "  since {}:{}", sanitize::line(revision), if change.is_empty() { " no change" } else { "" });
        for (what, list) in changes(&change) {
            for task in list.iter().take(LISTED) {
                let _ = writeln!(out, "    {what}: {}", sanitize::line(&task.text));
            }
            more(list.len(), "    ", &format!("{what}: "), out);
        }
    }
    let open = &overview.open;
    if !open.is_empty() {
        let _ = writeln!(out, "  open:");
    }
    for task in open.iter().take(LISTED) {
        let _ = writeln!(out, "    {}", open_task(task));
    }
    more(open.len(), "    ", "", out);
}

fn more(count: usize, indent: &str, what: &str, out: &mut String) {
    if count > LISTED {
        let _ = writeln!(out, "{indent}{what}… and {} more (--format json has all)", count - LISTED);
    }
}

/// The changes by what became of the boxes.
fn changes<'c>(change: &'c PlanChange<'_>) -> [(&'static str, &'c [&'c PlanBox]); 5] {
    [
        ("done", &change.done),
        ("new", &change.added),
        ("open again", &change.reopened),
        ("cancelled", &change.cancelled),
        ("gone", &change.removed),
    ]
}

/// A bar that is full as far as the boxes are done. Only what is done whole fills it.
fn bar(progress: Progress) -> String {
    let full = (progress.completed * BAR).checked_div(progress.total).unwrap_or(0);
    format!("{}{}", "█".repeat(full), "░".repeat(BAR - full))
}

/// The lines of the tree before each section.
fn branches(sections: &[PlanSection]) -> Vec<String> {
    // For each section how deep it stands: headings may skip levels.
    let mut open: Vec<u8> = Vec::new();
    let mut depths = Vec::with_capacity(sections.len());
    for section in sections {
        while open.pop_if(|level| *level >= section.level).is_some() {}
        depths.push(open.len());
        open.push(section.level);
    }
    // From the end: at which depths another section follows below the same parent.
    let mut follows = Vec::new();
    let mut out: Vec<String> = Vec::with_capacity(depths.len());
    for &depth in depths.iter().rev() {
        follows.resize(depth + 1, false);
        let trunk: String = follows[..depth].iter().map(|more| if *more { "│  " } else { "   " }).collect();
        out.push(format!("{trunk}{}", if follows[depth] { "├─ " } else { "└─ " }));
        follows[depth] = true;
    }
    out.reverse();
    out
}

/// An open task in a line, with what is odd about its box.
fn open_task(task: &OpenTask) -> String {
    let remark = match (task.malformed, task.mark) {
        (Some(why), _) => format!(" (malformed: {why})"),
        (None, Some(mark)) => format!(" [{}]", sanitize::line(&mark.to_string())),
        (None, None) => String::new(),
    };
    format!("line {}: {}{remark}", task.line, sanitize::line(&task.text))
}

/// A text of somebody else's in Markdown.
fn quoted(text: &str) -> String {
    markdown::code(&sanitize::line(text))
}

/// The progress as Markdown.
fn comment(plans: &[ShownPlan<'_>], args: &PlanArgs) -> String {
    let mut out = String::new();
    for plan in plans {
        let gap = if out.is_empty() { "" } else { "\n" };
        let _ = writeln!(out, "{gap}### {}: {}\n", quoted(&plan.path.to_str_lossy()), summary(&plan.overview));
        if let Some(said) = stalled(plan) {
            let _ = writeln!(out, "It {said}.\n");
        }
        let top = plan.overview.sections.iter().map(|section| section.level).min().unwrap_or(1);
        for section in &plan.overview.sections {
            let indent = "  ".repeat(usize::from(section.level - top));
            let _ =
                writeln!(out, "{indent}- {} {} {}", bar(section.progress), section.progress, quoted(&section.heading));
        }
        if let (Some(change), Some(revision)) = (plan.change(), &args.since) {
            let none = if change.is_empty() { " nothing changed." } else { "" };
            let _ = writeln!(out, "\nSince {}:{none}\n", quoted(revision));
            for (what, list) in changes(&change) {
                for task in list.iter().take(LISTED) {
                    let _ = writeln!(out, "- {what}: {}", quoted(&task.text));
                }
                more(list.len(), "- ", &format!("{what}: "), &mut out);
            }
        }
        if !plan.overview.open.is_empty() {
            out.push_str("\nOpen:\n\n");
        }
        for task in plan.overview.open.iter().take(LISTED) {
            let _ = writeln!(out, "- [ ] {} (line {})", quoted(&task.text), task.line);
        }
        more(plan.overview.open.len(), "- ", "", &mut out);
    }
    if plans.is_empty() { "No plans found.\n".to_owned() } else { out }
}

fn plan_json(plan: &ShownPlan<'_>) -> Value {
    let overview = &plan.overview;
    let sections = overview.sections.iter().map(|section| {
        json!({
            "heading": section.heading, "level": section.level, "line": section.line,
            "done": section.progress.completed, "total": section.progress.total,
        })
    });
    let open = overview.open.iter().map(|task| {
        let heading = task.section.map(|index| &overview.sections[index].heading);
        json!({
            "line": task.line, "text": task.text, "heading": heading,
            "mark": task.mark.map(String::from), "malformed": task.malformed,
        })
    });
    let boxes = |list: &[&PlanBox]| -> Vec<Value> {
        list.iter()
            .map(|task| json!({"line": task.line, "text": task.text, "open": task.standing == BoxStanding::Open}))
            .collect()
    };
    let change = plan.change().map(|change| {
        let named = changes(&change).map(|(what, list)| (what.replace(' ', "_"), Value::from(boxes(list))));
        Value::Object(named.into_iter().collect())
    });
    json!({
        "path": safe_json::path(plan.path),
        "title": overview.title,
        "done": overview.progress.completed,
        "total": overview.progress.total,
        "complete": overview.progress.is_complete(),
        "other": overview.other,
        "cancelled": overview.cancelled,
        "stalled": plan.stalled,
        "sections": sections.collect::<Vec<_>>(),
        "open": open.collect::<Vec<_>>(),
        "since": change,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tree_has_the_shape_of_the_headings() {
        let section = |level| PlanSection { heading: String::new(), level, line: 1, progress: Progress::default() };
        let drawn = branches(&[1, 2, 4, 3, 2, 1].map(section));
        assert_eq!(drawn, ["├─ ", "│  ├─ ", "│  │  ├─ ", "│  │  └─ ", "│  └─ ", "└─ "]);
        assert_eq!(branches(&[]), [""; 0]);
    }

    #[test]
    fn a_bar_is_full_only_when_all_is_done() {
        for (completed, total, full) in [(0, 3, 0), (1, 3, 3), (99, 100, 9), (3, 3, 10), (0, 0, 0)] {
            assert_eq!(bar(Progress { total, completed }).matches('█').count(), full, "{completed}/{total}");
        }
    }
}
