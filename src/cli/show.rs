//! `hintlint show`: what an agent loads when it starts in a directory, to the byte, and where it comes from.
//!
//! Reads the real file system as the agent would. It knows no agent's rules.

mod listed;
mod merged;
mod runs;
mod sources;
pub(super) mod table;
mod why;

use super::Console;
use crate::agents::context::{self, Context, Layer, LoadOptions, Part, PartName};
use crate::agents::{self, Dialect, Proof, RootMark, roots};
use crate::base;
use crate::base::defect;
use crate::base::sanitize;
use crate::base::tokens;
use crate::cli::args::ConfigArgs;
use crate::cli::config_file;
use crate::config::Config;
use crate::engine::ConfigFrom;
use crate::env;
use crate::world::{AbsPath, HostWorld, World};
use std::collections::BTreeMap;
use std::fmt;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// The arguments of `show`.
#[derive(Clone, Debug, Default, clap::Args)]
pub struct ShowArgs {
    /// The directory that the agent starts in
    #[arg(value_name = "DIR")]
    pub dir: Option<PathBuf>,
    /// The agent instead of `merged`
    #[arg(long, value_name = "AGENT")]
    pub agent: Option<String>,
    /// Print only this part: main, user, after or touch
    #[arg(long, value_enum, value_name = "PART", hide_possible_values = true)]
    pub(crate) part: Option<PartArg>,
    /// Add what is loaded on touching FILE; without --agent, a table
    #[arg(long, value_name = "FILE")]
    pub file: Option<PathBuf>,
    /// Leave the user's own files out
    #[arg(long)]
    pub no_user: bool,
    /// List the files behind the text instead of the text
    #[arg(long)]
    pub sources: bool,
    /// Say which line TEXT comes from, or why no agent gets it
    #[arg(long, value_name = "TEXT", conflicts_with_all = ["part", "sources"])]
    pub why: Option<String>,
    /// With --why: the commit since which an agent gets TEXT, or no longer gets it
    #[arg(long, requires = "why")]
    pub history: bool,
    /// Show hooks, servers and settings: what runs, when, and who must approve it
    #[arg(long, conflicts_with_all = ["part", "file", "sources", "why"])]
    pub runs: bool,
    /// How the agent is started: interactive, headless or headless-untrusted
    #[arg(long, value_enum, value_name = "MODE", hide_possible_values = true, requires = "runs")]
    pub(crate) mode: Option<RunModeArg>,
    /// text or json
    #[arg(
        long,
        value_enum,
        default_value_t = ShowFormat::Text,
        value_name = "FORMAT",
        hide_possible_values = true,
        hide_default_value = true
    )]
    pub(crate) format: ShowFormat,
    /// Pass a setting to the agent: gemini.names='["A.md"]'
    #[arg(long = "agent-option", value_name = "K=V")]
    pub agent_options: Vec<String>,
    #[command(flatten)]
    pub(crate) config: ConfigArgs,
    /// Print the root and, for each path, whether it was loaded
    #[arg(short, long)]
    pub verbose: bool,
}

pub(crate) use runs::RunModeArg;

/// A part, on the command line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum PartArg {
    /// What is sent at start.
    Main,
    /// The user's own files, where the agent sends them apart.
    User,
    /// What is sent at start behind a block of the agent's own.
    After,
    /// What is sent when the file is touched.
    Touch,
}

impl From<PartArg> for PartName {
    fn from(part: PartArg) -> PartName {
        match part {
            PartArg::Main => PartName::Main,
            PartArg::User => PartName::User,
            PartArg::After => PartName::After,
            PartArg::Touch => PartName::Touch,
        }
    }
}

/// The form of the output.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum ShowFormat {
    /// Text for people, and the agent's own text raw.
    #[default]
    Text,
    /// One JSON object.
    Json,
}

/// Why `show` could not do its job.
#[derive(Debug)]
pub(crate) enum ShowError {
    /// The arguments make no sense together or name nothing; the text says what to do.
    Usage(String),
    /// The repository cannot be used; only `merged` needs one.
    Repository(Box<crate::base::error::Error>),
    /// Writing the output failed.
    Output(io::Error),
}

impl fmt::Display for ShowError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ShowError::Usage(message) => f.write_str(message),
            ShowError::Repository(error) => error.fmt(f),
            ShowError::Output(error) => write!(f, "cannot write the output: {error}"),
        }
    }
}

impl std::error::Error for ShowError {}

impl From<io::Error> for ShowError {
    fn from(error: io::Error) -> Self {
        ShowError::Output(error)
    }
}

impl From<ShowError> for crate::base::error::Error {
    fn from(error: ShowError) -> Self {
        match error {
            ShowError::Usage(message) => crate::base::error::Error::Usage(message),
            ShowError::Repository(error) => *error,
            ShowError::Output(error) => crate::base::error::Error::Output(error),
        }
    }
}

/// Do what `args` ask; the number is the exit code. Files that cannot be read are warned about and passed over.
///
/// # Errors
/// When the arguments make no sense, the repository of a merged context cannot be read, or the output cannot be written.
pub(crate) fn run(args: &ShowArgs, console: &mut Console<'_>) -> Result<u8, ShowError> {
    let world = HostWorld::new(console.env.clone());
    let start = start_directory(&world, args.dir.as_deref().unwrap_or(Path::new(".")))?;
    if args.runs {
        let chosen = args.agent.as_deref().map(running).transpose()?;
        return runs::print(&world, &start, chosen, args, console);
    }
    let options = LoadOptions {
        user: !args.no_user,
        trusted: false,
        touch: args.file.as_deref().map(|file| touched_file(&world, file)).transpose()?,
        settings: settings(&args.agent_options)?,
        config: configured(&world, &start, args, console)?,
        ..LoadOptions::default()
    };
    if args.part == Some(PartArg::Touch) && options.touch.is_none() {
        return Err(ShowError::Usage(
            "--part touch needs --file FILE: it is what an agent loads on touching that file".into(),
        ));
    }
    if args.why.is_some() {
        return why::print(&world, &start, &options, args, console);
    }
    if args.agent.is_none() && args.file.is_some() && args.part.is_none() && !args.sources {
        let failed = table::print(&world, &start, &options, args.format, &mut console.stdout)?;
        for agent in &failed {
            console.note(&defect::message(&format!("hintlint cannot tell what {agent} loads here")));
        }
        return Ok(if failed.is_empty() { 0 } else { 2 });
    }
    let dialect = agent(args.agent.as_deref().unwrap_or("merged"))?;
    let loaded = defect::contain(|| match dialect.proof {
        Proof::Ours => merged::context(&world, dialect, &start, &args.config, console),
        _ => Ok(context::load(&world, dialect, &start, &options)),
    });
    let Some(context) = loaded.transpose()? else {
        let message = defect::message(&format!("hintlint cannot tell what {} loads here", dialect.id));
        console.note(&message);
        return Ok(2);
    };
    report(&context, args.verbose, &mut console.stderr)?;
    let part = args.part.map(PartName::from);
    let count = |layer: &Layer| tokens_of(&world, layer);
    match (args.format, args.sources) {
        (ShowFormat::Json, _) => sources::json(&context, part, &count, &mut console.stdout)?,
        (ShowFormat::Text, true) => sources::text(&context, part, &count, &mut console.stdout)?,
        (ShowFormat::Text, false) if console.stdout_is_terminal => text(&context, part, &mut console.stdout, true)?,
        (ShowFormat::Text, false) => text(&context, part, console.stdout.raw()?, false)?,
    }
    Ok(0)
}

/// What the config in force says to the agents. One of the repository's that cannot be used is warned about and passed over.
fn configured(
    world: &dyn World,
    start: &AbsPath,
    args: &ShowArgs,
    console: &mut Console<'_>,
) -> Result<BTreeMap<String, serde_json::Value>, ShowError> {
    let failed = |error: base::error::Error| ShowError::Repository(Box::new(error));
    let config = match config_file::chosen(&console.directory, &args.config).map_err(failed)? {
        ConfigFrom::Defaults => Config::default(),
        ConfigFrom::File((path, bytes)) => {
            let text = std::str::from_utf8(&bytes)
                .map_err(|_| ShowError::Usage("the config that --config names is not UTF-8".into()))?;
            Config::parse(&path, text).map_err(|error| failed(base::error::Error::Config(Box::new(error))))?
        }
        ConfigFrom::Repository | ConfigFrom::Unsaved(_) => {
            let root = roots::find_root(world, start, RootMark::Git).unwrap_or_else(|| start.clone());
            merged::config(world, &root).unwrap_or_else(|| {
                console.note("the config of the repository has problems and is ignored; `hintlint` lists them");
                Config::default()
            })
        }
    };
    let of = |id: &'static str| config.of_agent(id).into_iter().map(move |(key, value)| (format!("{id}.{key}"), value));
    Ok(agents::ids().flat_map(of).collect())
}

/// The tokens of a layer's file: counted, where the program can count.
fn tokens_of(world: &dyn World, layer: &Layer) -> usize {
    if tokens::ESTIMATED {
        return layer.tokens;
    }
    world.read(&layer.real_path).map_or(layer.tokens, |bytes| tokens::count(&bytes))
}

/// The agent or editor of which it is known what it runs.
fn running(id: &str) -> Result<&'static Dialect, ShowError> {
    agents::running().find(|dialect| dialect.id == id).map_or_else(|| agent(id), Ok)
}

fn agent(id: &str) -> Result<&'static Dialect, ShowError> {
    agents::by_id(id).ok_or_else(|| {
        let ids = agents::ids().collect::<Vec<_>>().join(", ");
        ShowError::Usage(format!("there is no agent called {}; the agents are {ids}", sanitize::line(id)))
    })
}

/// The directory with its links resolved, as an agent that is started there finds it.
fn start_directory(world: &dyn World, dir: &Path) -> Result<AbsPath, ShowError> {
    let path = absolute(dir)?;
    let real = world.real_path(&path).ok().filter(|real| world.is_dir(real));
    real.ok_or_else(|| {
        let named = dir.to_str().filter(|name| agents::by_id(name).is_some());
        let meant = named.map_or(String::new(), |name| format!("; did you mean `--agent {name}`?"));
        ShowError::Usage(format!("{} is not a directory{meant}", sanitize::line(&path.to_str_lossy())))
    })
}

/// The file with the links of its directory resolved; it need not exist.
fn touched_file(world: &dyn World, file: &Path) -> Result<AbsPath, ShowError> {
    let path = absolute(file)?;
    let dir = world.real_path(&path.dirname()).unwrap_or_else(|_| path.dirname());
    Ok(dir.join(path.file_name()))
}

fn absolute(path: &Path) -> Result<AbsPath, ShowError> {
    if path.is_absolute() {
        return Ok(AbsPath::from_os(path));
    }
    let here =
        env::current_dir().map_err(|error| ShowError::Usage(format!("the working directory is gone: {error}")))?;
    Ok(AbsPath::from_os(&here).resolve(&crate::base::path::os_path_to_bytes(path)))
}

fn settings(options: &[String]) -> Result<BTreeMap<String, serde_json::Value>, ShowError> {
    let parse = |option: &String| {
        let (key, value) = option.split_once('=').ok_or("it has the form KEY=JSON")?;
        let known = key.split_once('.').is_some_and(|(agent, _)| agents::by_id(agent).is_some());
        if !known {
            return Err("its key begins with an agent's name and a dot");
        }
        let value = serde_json::from_str(value).map_err(|_| "its value is not JSON (strings need quotes)")?;
        Ok((key.to_owned(), value))
    };
    let parsed = options.iter().map(|option| {
        parse(option).map_err(|why| ShowError::Usage(format!("--agent-option {}: {why}", sanitize::line(option))))
    });
    parsed.collect()
}

/// Warnings and remarks, and with `verbose` each path that was considered.
fn report(context: &Context, verbose: bool, stderr: &mut dyn Write) -> io::Result<()> {
    for failure in &context.failures {
        writeln!(
            stderr,
            "warning: {}: {}",
            sanitize::line(&failure.path.to_str_lossy()),
            sanitize::line(&failure.message)
        )?;
    }
    for note in &context.notes {
        writeln!(stderr, "note: {}", sanitize::line(note))?;
    }
    if !verbose {
        return Ok(());
    }
    writeln!(stderr, "directory: {}", sanitize::line(&context.start.to_str_lossy()))?;
    let root = context.root.as_ref().map_or("none".into(), |root| root.to_str_lossy());
    writeln!(stderr, "root: {}", sanitize::line(&root))?;
    for (path, outcome) in &context.considered {
        writeln!(stderr, "{}: {outcome}", sanitize::line(&path.to_str_lossy()))?;
    }
    for part in &context.parts {
        const BEGINNING: usize = 200;
        let beginning: String = part.text.chars().take(BEGINNING).collect();
        let more = if beginning.len() < part.text.len() { " …" } else { "" };
        writeln!(stderr, "{}: {} bytes: {}{more}", part.name.name(), part.text.len(), sanitize::line(&beginning))?;
    }
    Ok(())
}

/// The agent's text: one part as it is, or all that are not empty, with a line before each if there is more than one.
pub(super) fn text(context: &Context, part: Option<PartName>, stdout: &mut dyn Write, escape: bool) -> io::Result<()> {
    let parts: Vec<&Part> = match part {
        Some(name) => context.parts.iter().filter(|part| part.name == name).collect(),
        None => context.parts.iter().filter(|part| !part.text.is_empty()).collect(),
    };
    let titled = part.is_none() && parts.len() > 1;
    for (at, part) in parts.iter().enumerate() {
        if titled {
            if at > 0 && !parts[at - 1].text.ends_with('\n') {
                stdout.write_all(b"\n")?;
            }
            writeln!(stdout, "==> {} <==", part.name.name())?;
        }
        if escape {
            stdout.write_all(sanitize::terminal(part.text.as_bytes()).as_bytes())?;
        } else {
            stdout.write_all(part.text.as_bytes())?;
        }
    }
    // On a terminal the prompt should begin on a line of its own.
    if escape && parts.last().is_some_and(|part| !part.text.ends_with('\n')) {
        stdout.write_all(b"\n")?;
    }
    stdout.flush()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_checked() {
        let check = |option: &str| settings(&[option.to_owned()]).map_err(|error| error.to_string());
        assert!(check("gemini.names=[\"A.md\"]").is_ok());
        for bad in ["gemini.names", "names=[]", "nobody.names=[]", "gemini.names=A.md"] {
            assert!(check(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn parts_are_titled_when_there_are_several() {
        let dialect = agents::by_id("gemini").expect("it is in the table");
        let world = crate::world::RepoWorld::new(crate::world::MemoryFiles::new());
        let mut context = context::load(&world, dialect, world.root(), &LoadOptions::default());
        let mut check = |user: &str, main: &str, part: Option<PartName>, expected: &str| {
            context.parts[0].text = user.into();
            context.parts[1].text = main.into();
            let mut out = Vec::new();
            text(&context, part, &mut out, false).expect("writing to memory");
            assert_eq!(String::from_utf8_lossy(&out), expected);
        };
        check("u", "m\n", None, "==> user <==\nu\n==> main <==\nm\n");
        check("", "m", None, "m");
        check("u", "m", Some(PartName::Main), "m");
        check("", "", None, "");
    }
}
