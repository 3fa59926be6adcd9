//! `hintlint agents`: which agents are enabled, why, and how well each one's rules are known.

use std::fmt::Write as _;
use std::io::{self, Write};

use super::Console;
use super::session::Session;
use crate::agents::signs::{self, Enabled};
use crate::agents::{self, Proof};
use crate::base::error::Error;
use crate::base::sanitize;
use crate::cli::args::{AgentsArgs, ListFormat, SourceArgs};
use crate::report::safe_json;
use crate::source::Listing;

/// Run the command; the answer is the exit code.
///
/// # Errors
/// When the repository cannot be read or standard output cannot be written.
pub(crate) fn agents(args: &AgentsArgs, console: &mut Console<'_>) -> Result<u8, Error> {
    let session = Session::open(console, &[], &SourceArgs::default(), &args.config)?;
    let enabled = match &session.repository.config.agents {
        Some(names) => names
            .iter()
            .filter_map(|name| agents::by_id(name))
            .map(|dialect| Enabled { agent: dialect.id, why: "named in the config".to_owned() })
            .collect(),
        None => signs::detect(session.repository.source().listing()),
    };
    let auto = session.repository.config.agents.is_none();
    match args.form.format {
        ListFormat::Text => {
            console.stdout.write_all(text(&enabled, auto, session.repository.source().listing()).as_bytes())?
        }
        ListFormat::Json => json(&enabled, &mut console.stdout)?,
    }
    Ok(0)
}

fn why<'e>(enabled: &'e [Enabled], agent: &str) -> Option<&'e str> {
    enabled.iter().find(|enabled| enabled.agent == agent).map(|enabled| enabled.why.as_str())
}

fn text(enabled: &[Enabled], auto: bool, listing: &Listing) -> String {
    let mut text = String::new();
    let others = || enabled.iter().map(|enabled| enabled.agent).collect::<Vec<_>>().join(", ");
    for dialect in agents::ALL {
        let why = match why(enabled, dialect.id) {
            Some(why) if auto => format!("enabled: {}", sanitize::line(why)),
            Some(why) => format!("enabled: {why}"),
            None if dialect.proof == Proof::Ours => "always there".to_owned(),
            None if !auto => "- (the config does not name it)".to_owned(),
            None if dialect.files.owns_agents_md && !listing.with_name(b"AGENTS.md").is_empty() => {
                format!("- (AGENTS.md would enable it, but may belong to {})", others())
            }
            None => "-".to_owned(),
        };
        let known = format!("{} ({}, {})", dialect.version, dialect.proof.name(), dialect.checked);
        let _ = writeln!(text, "{:12} {known:38} {why}", dialect.id);
    }
    text.push_str(
        "\nIn brackets: how its rules are known (tests against the release, the source or description, or\n\
         from documentation, which gives infos at most) and when they were checked.\n\
         Set `agents = [\"claude\", …]` in hintlint.toml to choose the agents yourself.\n",
    );
    text
}

fn json(enabled: &[Enabled], out: &mut dyn Write) -> io::Result<()> {
    let row = |dialect: &&agents::Dialect| {
        serde_json::json!({
            "agent": dialect.id,
            "title": dialect.title,
            "enabled": why(enabled, dialect.id).is_some(),
            "why": why(enabled, dialect.id),
            "version": dialect.version,
            "checked": dialect.checked,
            "proof": dialect.proof.name(),
            "names": dialect.names,
            "loads": agents::described(dialect).into_iter().map(|(topic, phrase)| (topic.to_owned(), phrase.into())).collect::<serde_json::Map<_, _>>(),
            "evidence": agents::sources(dialect),
        })
    };
    let rows: Vec<_> = agents::ALL.iter().map(row).collect();
    safe_json::write(&rows, out)
}
