//! From a loaded workspace to the findings that are shown: rules, levels, suppressions, selection, order.

mod check;
mod suppress;

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashMap};

use ignore::gitignore::Gitignore;

use self::check::{Asked, Found};
use crate::affected::Affected;
use crate::base::defect;
use crate::base::finding::{Finding, Level};
use crate::base::path::{self, RepoPath};
use crate::base::text::{LineIndex, Span};
use crate::config::{Config, RuleSetting};
use crate::discover;
use crate::parse::{Problem, ProblemKind, unicode};
use crate::report::{Report, SourceText};
use crate::rules::{self, Cx, Group, RULES, RuleInfo};
use crate::source::Changes;
use crate::source::history::{Answers, Questions};
use crate::workspace::{Loaded, Workspace};

/// What of all findings is wanted.
#[derive(Clone, Debug)]
pub struct Selection {
    /// Rules or groups that replace the whole set, or `all`.
    pub select: Vec<String>,
    /// Rules or groups that are taken away.
    pub ignore: Vec<String>,
    /// Findings below this level are not shown, unless their rule was selected.
    pub min_level: Level,
    /// Report only what lies at or below these paths; everything if empty.
    pub paths: Vec<RepoPath>,
    /// Report only what these changes touch or break; everything if `None`.
    pub changes: Option<Changes>,
}

impl Default for Selection {
    fn default() -> Self {
        Selection {
            select: Vec::new(),
            ignore: Vec::new(),
            min_level: Level::Warning,
            paths: Vec::new(),
            changes: None,
        }
    }
}

impl Selection {
    fn names(list: &[String], info: &RuleInfo) -> bool {
        list.iter().any(|name| {
            name == "all" || name == info.name || name == info.group.name() || info.aliases.contains(&name.as_str())
        })
    }

    /// Whether the rule was asked for by name, group or `all`.
    pub fn selected(&self, info: &RuleInfo) -> bool {
        Self::names(&self.select, info) && !Self::names(&self.ignore, info)
    }

    fn runs(&self, info: &RuleInfo) -> bool {
        (self.select.is_empty() || Self::names(&self.select, info)) && !Self::names(&self.ignore, info)
    }

    /// Whether any rule of the group runs.
    pub fn runs_group(&self, group: Group) -> bool {
        RULES.iter().any(|rule| rule.info().group == group && self.runs(rule.info()))
    }

    /// The names that are no rule, group or `all`.
    pub fn unknown_names(&self) -> Vec<&str> {
        let known = |name: &str| {
            name == "all" || rules::find(name).is_some() || Group::ALL.iter().any(|group| group.name() == name)
        };
        self.select.iter().chain(&self.ignore).map(String::as_str).filter(|name| !known(name)).collect()
    }
}

/// Check a workspace. `history` is asked once, and only if some rule has a question.
pub fn run(
    loaded: Loaded,
    selection: &Selection,
    history: &mut dyn FnMut(&Questions) -> Answers,
) -> (Report, Workspace) {
    let Loaded { workspace, mut failures } = loaded;
    let selected: BTreeSet<&'static str> =
        RULES.iter().map(|rule| rule.info()).filter(|info| selection.selected(info)).map(|info| info.name).collect();
    // A comment that silences what is not shown is used all the same.
    let silenced = workspace.documents.iter().any(|document| !document.suppressions.is_empty());
    let floor = if silenced { Level::Info } else { selection.min_level };
    let unanswered = Answers::default();
    let cx = Cx { workspace: &workspace, answers: &unanswered, selected: &selected, floor };
    let matters = |info: &RuleInfo| info.levels.iter().any(|&level| cx.matters(info, level));
    let runs = |info: &RuleInfo| selection.runs(info) && matters(info);
    let active: Vec<_> = RULES.iter().copied().filter(|rule| runs(rule.info())).collect();
    let is_large = workspace.documents.len() >= check::PARALLEL_FROM;
    let mut found = Found::default();
    let Asked { asking, others, questions } = check::ask(&active, &cx, &mut found);
    let mut history = |questions: &Questions| defect::contain(|| history(questions));
    let answers = match questions.is_empty() {
        true => {
            found.append(check::check(&others, &cx));
            Some(Answers::default())
        }
        false if !is_large => {
            found.append(check::check(&others, &cx));
            history(&questions)
        }
        // Who asked nothing need not wait for what history answers.
        false => {
            let mut meanwhile = Found::default();
            let answers = rayon::in_place_scope(|scope| {
                scope.spawn(|_| meanwhile = check::check(&others, &cx));
                history(&questions)
            });
            found.append(meanwhile);
            answers
        }
    };
    let answers = answers.unwrap_or_else(|| {
        found.failures.push(check::whole_run("the history could not be read"));
        Answers::default()
    });
    let cx = Cx { answers: &answers, ..cx };
    found.append(check::check(&asking, &cx));
    // Other text files are only searched for hidden characters.
    for rule in active.iter().filter(|rule| rule.info().group == Group::Unicode) {
        for text in &workspace.texts {
            found.check(*rule, text, &cx);
        }
    }
    let Found { mut findings, failures: mut defects } = found;
    defects.sort_by(|a, b| (&a.path, &a.message).cmp(&(&b.path, &b.message)));
    failures.append(&mut defects);
    let levels = Levels::new(&workspace.config);
    levels.apply(&workspace, &selected, &mut findings);
    let told = active.iter().any(|rule| rule.info().name == "unreadable-hint-file");
    let cut = if told { None } else { not_read_to_the_end(&workspace) };
    let notes = workspace.notes.iter().chain(&answers.notes).cloned().chain(cut).collect();
    let mut report = Report { failures, notes, ..Report::default() };
    let used = suppress::apply(&workspace, &mut findings, &mut report.suppressed);
    if active.iter().any(|rule| rule.info().name == "unused-suppression") {
        let ran = |name: &str| active.iter().any(|rule| rule.info().name == name || rule.info().group.name() == name);
        let mut unused = rules::meta::unused_suppressions(&workspace, &used, &ran);
        levels.apply(&workspace, &selected, &mut unused);
        findings.extend(unused);
    }
    let affected = selection.changes.as_ref().map(|changes| Affected::new(&workspace, changes));
    findings.retain(|finding| affected.as_ref().is_none_or(|affected| affected.keeps(&workspace, finding)));
    findings.retain(|finding| {
        (finding.level >= selection.min_level || selected.contains(finding.rule)) && in_paths(selection, &finding.path)
    });
    report.suppressed.retain(|suppressed| in_paths(selection, &suppressed.finding.path));
    let keeps = |finding: &Finding| affected.as_ref().is_none_or(|affected| affected.keeps(&workspace, finding));
    let hushed = report.suppressed.iter().filter(|suppressed| keeps(&suppressed.finding));
    report.silenced = rules::meta::silenced(&workspace, hushed);
    findings.sort_by(|a, b| (&a.path, a.span, a.rule, &a.message).cmp(&(&b.path, b.span, b.rule, &b.message)));
    findings.dedup();
    report.findings = findings;
    count_files(&workspace, selection, &mut report);
    collect_sources(&workspace, &mut report);
    (report, workspace)
}

/// Which files were read as Markdown only in part, for a run without the rule that reports it.
fn not_read_to_the_end(workspace: &Workspace) -> Option<String> {
    const NAMED: usize = 3;
    let is_cut = |problem: &Problem| matches!(problem.kind, ProblemKind::TooMuchMarkup(_));
    let cut = workspace.documents.iter().filter(|document| document.problems.iter().any(is_cut));
    let mut names: Vec<String> = cut.map(|document| document.path.to_str_lossy().into_owned()).collect();
    let more = names.len().saturating_sub(NAMED);
    names.truncate(NAMED);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    (!names.is_empty()).then(|| format!("only the beginning was read as Markdown of {}{more}", names.join(", ")))
}

fn in_paths(selection: &Selection, path: &RepoPath) -> bool {
    selection.paths.is_empty()
        || selection.paths.iter().any(|wanted| path::is_at_or_below(path.as_bytes(), wanted.as_bytes()))
}

fn count_files(workspace: &Workspace, selection: &Selection, report: &mut Report) {
    let documents = workspace.documents.iter().map(|document| &document.path);
    let checked = documents.chain(&workspace.searched).filter(|path| in_paths(selection, path));
    let mut directories = BTreeSet::new();
    for path in checked {
        report.files += 1;
        directories.insert(path.parent());
    }
    report.directories = directories.len();
}

/// The texts of all files that the report points into.
fn collect_sources(workspace: &Workspace, report: &mut Report) {
    let mut paths: BTreeSet<&RepoPath> = BTreeSet::new();
    let shown = report.findings.iter().chain(report.suppressed.iter().map(|suppressed| &suppressed.finding));
    for finding in shown {
        paths.insert(&finding.path);
        paths.extend(finding.related.iter().map(|related| &related.path));
        paths.extend(finding.fix.iter().flat_map(|fix| &fix.edits).map(|edit| &edit.path));
    }
    let text = |path: &RepoPath| {
        if let Some(document) = workspace.text(path.as_bytes()) {
            return Some(SourceText { bytes: document.bytes.clone(), lines: document.lines.clone() });
        }
        let (config, bytes) = workspace.config_text.as_ref()?;
        (config == path).then(|| SourceText { bytes: bytes.clone(), lines: LineIndex::new(bytes) })
    };
    let sources: BTreeMap<RepoPath, SourceText> =
        paths.into_iter().filter_map(|path| Some((path.clone(), text(path)?))).collect();
    report.sources = sources;
}

/// The config's levels and exceptions, compiled.
struct Levels<'c> {
    tables: Vec<(Option<Gitignore>, Vec<Setting<'c>>)>,
}

struct Setting<'c> {
    setting: &'c RuleSetting,
    paths: Option<Gitignore>,
    code_points: BTreeSet<char>,
}

impl<'c> Levels<'c> {
    fn new(config: &'c Config) -> Self {
        let settings = |list: &'c [RuleSetting]| list.iter().map(Setting::new).collect();
        let mut tables = vec![(None, settings(&config.rules))];
        for table in &config.overrides {
            // A pattern that does not compile was refused when the workspace was loaded.
            tables.push((discover::patterns(&table.paths).ok(), settings(&table.rules)));
        }
        Levels { tables }
    }

    /// Set each finding's level as configured, and drop what is off or allowed.
    fn apply(&self, workspace: &Workspace, selected: &BTreeSet<&'static str>, findings: &mut Vec<Finding>) {
        let aliases: BTreeMap<&str, &RuleInfo> = RULES.iter().map(|rule| (rule.info().name, rule.info())).collect();
        let mut by_path: HashMap<RepoPath, Vec<&[Setting<'_>]>> = HashMap::new();
        findings.retain_mut(|finding| {
            let Some(info) = aliases.get(finding.rule) else { return true };
            let mut level = None;
            // Patterns are compared once per file, not once per finding.
            let tables = by_path.entry(finding.path.clone()).or_insert_with(|| self.tables_of(&finding.path));
            for settings in tables {
                // A setting for the rule itself is stronger than one for its group, wherever the two stand in one table.
                for by_rule in [false, true] {
                    for setting in settings.iter().filter(|setting| setting.is_for(info, by_rule)) {
                        level = setting.setting.level.or(level);
                        if setting.allows(workspace, finding) {
                            return false;
                        }
                    }
                }
            }
            match level {
                Some(Some(level)) => finding.level = level,
                Some(None) => return selected.contains(finding.rule),
                None => {}
            }
            true
        });
    }

    /// The settings of the tables that hold for a file, in the config's order.
    fn tables_of(&self, path: &RepoPath) -> Vec<&[Setting<'c>]> {
        let holds = |(paths, _): &&(Option<Gitignore>, _)| {
            paths.as_ref().is_none_or(|paths| discover::matches(paths, path.as_bytes()))
        };
        self.tables.iter().filter(holds).map(|(_, settings)| settings.as_slice()).collect()
    }

    /// Whether `allow` covers a hit of `rule` at `span` of `text`.
    fn allow_hidden(tables: &[&[Setting<'_>]], path: &RepoPath, rule: &str, text: &str, span: Span) -> bool {
        let Some(info) = rules::find(rule) else { return false };
        tables.iter().copied().flatten().any(|setting| {
            (setting.is_for(info, true) || setting.is_for(info, false))
                && (setting.allows_path(path)
                    || rules::unicode::is_allowed_at(text, span, &setting.code_points, &setting.setting.allow))
        })
    }
}

impl<'c> Setting<'c> {
    fn new(setting: &'c RuleSetting) -> Self {
        let (points, rest): (Vec<&String>, Vec<&String>) =
            setting.allow.iter().partition(|entry| entry.starts_with("U+"));
        let point = |entry: &&String| char::from_u32(u32::from_str_radix(entry.get(2..)?, 16).ok()?);
        Setting {
            setting,
            paths: discover::patterns(rest).ok().filter(|paths| !paths.is_empty()),
            code_points: points.iter().filter_map(point).collect(),
        }
    }

    fn is_for(&self, info: &RuleInfo, by_rule: bool) -> bool {
        let name = self.setting.name.as_str();
        if by_rule { name == info.name || info.aliases.contains(&name) } else { name == info.group.name() }
    }

    fn allows_path(&self, path: &RepoPath) -> bool {
        self.paths.as_ref().is_some_and(|paths| discover::matches(paths, path.as_bytes()))
    }

    fn allows(&self, workspace: &Workspace, finding: &Finding) -> bool {
        if self.setting.allow.is_empty() {
            return false;
        }
        if self.allows_path(&finding.path) {
            return true;
        }
        let Some(document) = workspace.text(finding.path.as_bytes()) else { return false };
        if rules::find(finding.rule).is_some_and(|info| info.group == Group::Unicode) {
            return rules::unicode::is_allowed(document, finding, &self.code_points, &self.setting.allow);
        }
        let text = document.slice(finding.span);
        if text.is_empty() {
            return false;
        }
        let trimmed = text.trim_matches(['`', '@', '"', '\'', '(', ')', '<', '>']);
        self.setting.allow.iter().any(|word| word == text || word == trimmed)
    }
}

/// A hint file's text as the safe fixes leave it: without hidden characters but for those that the config allows, which
/// `--fix` does not touch either. Levels have no say: what nobody wants to hear of is not therefore wanted.
pub fn sanitized<'t>(config: &Config, path: &RepoPath, text: &'t str) -> Cow<'t, str> {
    if unicode::is_plain(text.as_bytes()) {
        return Cow::Borrowed(text);
    }
    let levels = Levels::new(config);
    let tables = levels.tables_of(path);
    unicode::sanitize_except(text, |class, text, span| Levels::allow_hidden(&tables, path, class.rule(), text, span))
}
