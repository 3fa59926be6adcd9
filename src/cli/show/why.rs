//! `show --why TEXT`: which file and line a sentence of the context comes from, for each agent, or why no agent gets it.

mod history;

use std::collections::BTreeMap;
use std::io::Write;

use serde_json::{Value, json};

use super::{ShowArgs, ShowError, ShowFormat, merged, touched_file};
use crate::agents::context::{self, Context, Importer, LoadOptions, PartName, Why};
use crate::agents::{self, Dialect, Proof, RootMark, roots};
use crate::base::defect;
use crate::base::error::Error;
use crate::base::sanitize;
use crate::base::text::LineIndex;
use crate::cli::Console;
use crate::cli::args::{ConfigArgs, SourceArgs};
use crate::cli::session::Session;
use crate::compile::why::{LossReason, Sought, SoughtVerdict, TextPlace, verdict};
use crate::report::safe_json;
use crate::world::{AbsPath, World};
use history::Turn;

/// What is said of one agent.
struct AgentAnswer {
    agent: &'static Dialect,
    verdict: SoughtVerdict,
    /// Since when, if that was asked.
    turn: Option<Turn>,
}

/// Print which agents are sent the text in `args`, and why others are not. Returns the exit code: 1 if no agent is sent it.
pub(super) fn print(
    world: &dyn World,
    start: &AbsPath,
    options: &LoadOptions,
    args: &ShowArgs,
    console: &mut Console<'_>,
) -> Result<u8, ShowError> {
    let text = args.why.as_deref().unwrap_or_default();
    let sought = Sought::new(text).ok_or_else(|| ShowError::Usage("--why needs a text to look for".into()))?;
    let agents: Vec<&'static Dialect> = match &args.agent {
        Some(id) => vec![super::agent(id)?],
        None => agents::ALL.to_vec(),
    };
    let root = roots::find_root(world, start, RootMark::Git);
    let others = match &root {
        Some(root) => places(root, start, &sought, args, console)?,
        None => Vec::new(),
    };
    let read = |path: &AbsPath| Some(String::from_utf8_lossy(&world.read(path).ok()?).into_owned());
    let (mut answers, mut failed) = (Vec::new(), false);
    for agent in agents {
        let loaded: Option<Result<Context, ShowError>> = defect::contain(|| match agent.proof {
            Proof::Ours => merged::context(world, agent, start, &args.config, console),
            _ => Ok(context::load(world, agent, start, options)),
        });
        let Some(context) = loaded.transpose()? else {
            console.note(&defect::message(&format!("hintlint cannot tell what {} loads here", agent.id)));
            failed = true;
            continue;
        };
        answers.push(AgentAnswer { agent, verdict: verdict(&context, &sought, &read, &others), turn: None });
    }
    if args.history {
        let Some(root) = &root else {
            return Err(ShowError::Usage("--history needs a git repository".into()));
        };
        let file = args.file.as_deref().map(|file| touched_file(world, file)).transpose()?;
        history::fill(&mut answers, &history::HistoryQuestion { root, start, sought: &sought, file, args }, console)?;
    }
    let shown = ShownAnswer { root: root.as_ref(), answers: &answers };
    match args.format {
        ShowFormat::Text => shown.text(&read, &mut console.stdout)?,
        ShowFormat::Json => safe_json::write(&shown.json(text, start), &mut console.stdout)?,
    }
    console.stdout.flush()?;
    let is_sent = answers.iter().any(|answer| matches!(answer.verdict, SoughtVerdict::Sent { .. }));
    Ok(if failed { 2 } else { u8::from(!is_sent) })
}

/// Where the text stands in the hint files of the repository.
fn places(
    root: &AbsPath,
    start: &AbsPath,
    sought: &Sought,
    args: &ShowArgs,
    console: &mut Console<'_>,
) -> Result<Vec<TextPlace>, ShowError> {
    let session = session(&SourceArgs::default(), start, &args.config, console)?;
    let loaded = session.load().map_err(|error| ShowError::Repository(Box::new(error)))?;
    let place = |document: &crate::parse::Document| {
        let text = String::from_utf8_lossy(&document.bytes);
        let (at, _) = sought.find(&text)?;
        let line = LineIndex::new(text.as_bytes()).line_of(at) + 1;
        Some(TextPlace { path: root.join(document.path.as_bytes()), line })
    };
    Ok(loaded.workspace.documents.iter().filter_map(place).collect())
}

/// The repository that holds `start`.
fn session(
    source: &SourceArgs,
    start: &AbsPath,
    config: &ConfigArgs,
    console: &mut Console<'_>,
) -> Result<Session, ShowError> {
    let directory = std::mem::replace(&mut console.directory, start.to_os());
    // The path of a config is from where the user stands.
    let config = ConfigArgs { config: config.config.as_ref().map(|file| directory.join(file)), ..config.clone() };
    let session = Session::open(console, &[], source, &config);
    console.directory = directory;
    session.map_err(|error: Error| ShowError::Repository(Box::new(error)))
}

struct ShownAnswer<'s> {
    root: Option<&'s AbsPath>,
    answers: &'s [AgentAnswer],
}

impl ShownAnswer<'_> {
    fn path(&self, path: &AbsPath) -> String {
        match self.root {
            Some(root) if path.is_within(root) => sanitize::line_bytes(&path.relative_to(root)).into_owned(),
            _ => sanitize::line(&path.to_str_lossy()).into_owned(),
        }
    }

    fn place(&self, place: &TextPlace) -> String {
        format!("{}:{}", self.path(&place.path), place.line)
    }

    /// First who is sent it and from where, then who is not and why; agents of which the same is true together.
    fn text(&self, read: &dyn Fn(&AbsPath) -> Option<String>, out: &mut dyn Write) -> Result<(), ShowError> {
        let mut sent: BTreeMap<Option<TextPlace>, BTreeMap<String, Vec<&str>>> = BTreeMap::new();
        let mut lost: BTreeMap<String, Vec<&str>> = BTreeMap::new();
        for answer in self.answers {
            let turn = answer.turn.as_ref().map_or(String::new(), |turn| format!("; {}", turn.told()));
            match &answer.verdict {
                SoughtVerdict::Sent { part, from, why, by } => {
                    let how = format!("{}{turn}", self.how(*part, *why, by.as_ref()));
                    sent.entry(from.clone()).or_default().entry(how).or_default().push(answer.agent.id);
                }
                SoughtVerdict::Lost(losses) => {
                    let whys: Vec<String> = losses.iter().map(|(at, loss)| self.loss(at, loss)).collect();
                    let why =
                        if whys.is_empty() { "no file that was searched contains it".into() } else { whys.join("; ") };
                    lost.entry(format!("{why}{turn}")).or_default().push(answer.agent.id);
                }
            }
        }
        for (from, hows) in &sent {
            match from {
                Some(at) => {
                    let text = read(&at.path).unwrap_or_default();
                    let line = text.lines().nth(at.line - 1).unwrap_or_default();
                    writeln!(out, "{}: {}", self.place(at), sanitize::line(line.trim()))?;
                }
                None => writeln!(out, "in the agent's built-in text")?,
            }
            for (how, agents) in hows {
                writeln!(out, "  {how}: {}", agents.join(", "))?;
            }
        }
        if !lost.is_empty() {
            writeln!(out, "{}", if sent.is_empty() { "sent to nobody" } else { "not sent" })?;
        }
        for (why, agents) in &lost {
            writeln!(out, "  {}: {why}", agents.join(", "))?;
        }
        Ok(())
    }

    fn how(&self, part: PartName, why: Option<Why>, by: Option<&Importer>) -> String {
        let when = match part {
            PartName::Touch => "sent on touching the file",
            PartName::User | PartName::Main | PartName::After => "sent at start",
        };
        match (why, by) {
            (_, Some(importer)) => format!("{when}, imported by {}", self.path(&importer.path)),
            (Some(Why::Project) | None, None) => when.to_owned(),
            (Some(why), None) => format!("{when}, {}", why.name()),
        }
    }

    fn loss(&self, at: &TextPlace, loss: &LossReason) -> String {
        let why = match loss {
            LossReason::Cut(line) => format!("the file is cut in line {line}"),
            LossReason::Comment => "in a comment, which the agent strips".to_owned(),
            LossReason::Frontmatter => "in the frontmatter, which the agent strips".to_owned(),
            LossReason::TakenOut => "the file is loaded, but the agent drops this text".to_owned(),
            LossReason::Waits { never: Some(why), .. } => format!("the rule never applies: {}", sanitize::line(why)),
            LossReason::Waits { globs, never: None } if globs.is_empty() => "the rule waits for a request".to_owned(),
            LossReason::Waits { globs, never: None } => {
                format!("the rule waits for a file that matches {}", sanitize::line(&globs.join(", ")))
            }
            LossReason::Skipped { reason, by } => {
                let by = by.as_ref().map_or(String::new(), |by| format!(" (imported by {})", self.path(&by.path)));
                let reason = match reason {
                    context::Reason::ShadowedBy(by) => format!("{} is loaded instead", self.path(by)),
                    reason => sanitize::line(&reason.to_string()).into_owned(),
                };
                format!("{reason}{by}")
            }
            LossReason::NotHere => "the file is not loaded here".to_owned(),
        };
        format!("{}: {why}", self.place(at))
    }

    fn json(&self, text: &str, start: &AbsPath) -> Value {
        let place = |at: &TextPlace| json!({"path": at.path.to_str_lossy(), "line": at.line});
        let answer = |answer: &AgentAnswer| {
            let mut value = match &answer.verdict {
                SoughtVerdict::Sent { part, from, why, by } => json!({
                    "agent": answer.agent.id, "sent": true, "part": part.name(), "from": from.as_ref().map(place),
                    "why": why.map(Why::name), "imported_by": by.as_ref().map(|by| by.path.to_str_lossy()),
                }),
                SoughtVerdict::Lost(losses) => {
                    let told = losses.iter().map(|(at, loss)| {
                        let mut told = place(at);
                        told["reason"] = json!(name(loss));
                        told["message"] = json!(self.loss(at, loss));
                        told
                    });
                    json!({"agent": answer.agent.id, "sent": false, "places": told.collect::<Vec<_>>()})
                }
            };
            if let Some(turn) = &answer.turn {
                value["history"] = turn.json();
            }
            value
        };
        let agents: Vec<Value> = self.answers.iter().map(answer).collect();
        json!({"version": 1, "text": text, "directory": start.to_str_lossy(), "agents": agents})
    }
}

/// The name of a loss in JSON.
fn name(loss: &LossReason) -> &'static str {
    match loss {
        LossReason::Cut(_) => "cut",
        LossReason::Comment => "comment",
        LossReason::Frontmatter => "frontmatter",
        LossReason::TakenOut => "taken-out",
        LossReason::Waits { never: Some(_), .. } => "never",
        LossReason::Waits { never: None, .. } => "waits",
        LossReason::Skipped { reason, .. } => reason.name(),
        LossReason::NotHere => "not-here",
    }
}
