//! Who ranks, by switches, settings and environment, and which keys may be sent where.

use std::sync::Arc;

use super::*;
use crate::library::flpipeline;
use crate::source::{Listing, Memory, ReadResult};

/// Files of which some are not tracked.
struct PartlyTracked {
    memory: Memory,
    untracked: Vec<&'static str>,
    is_versioned: bool,
}

impl PartlyTracked {
    fn new(tracked: &[(&'static str, &'static str)], untracked: &[(&'static str, &'static str)]) -> PartlyTracked {
        let memory = Memory::of_files(tracked.iter().chain(untracked).copied());
        PartlyTracked { memory, untracked: untracked.iter().map(|(path, _)| *path).collect(), is_versioned: true }
    }
}

impl Source for PartlyTracked {
    fn listing(&self) -> &Arc<Listing> {
        self.memory.listing()
    }

    fn read_many(&self, paths: &[RepoPath]) -> Vec<ReadResult> {
        self.memory.read_many(paths)
    }

    fn is_versioned(&self) -> bool {
        self.is_versioned
    }

    fn probe_many(&self, paths: &[RepoPath]) -> Vec<Probe> {
        let probe = |path: &RepoPath| match self.memory.listing().contains(path.as_bytes()) {
            true if self.untracked.iter().any(|untracked| untracked.as_bytes() == path.as_bytes()) => Probe::Untracked,
            true => Probe::Tracked,
            false => Probe::Absent,
        };
        paths.iter().map(probe).collect()
    }
}

/// Who ranks, in a few words: the provider, its server, its model, whether a key is sent, or why it cannot be asked.
fn ranked(files: &PartlyTracked, toml: &str, env: &Env, switches: Switches<'_>) -> String {
    let path = RepoPath::from("hintlint.toml");
    let config = match toml {
        "" => Config::default(),
        toml => Config::parse(&path, toml).expect("a config"),
    };
    let given = SettingSources {
        source: files,
        root: None,
        subdirectory: b"",
        config: &config,
        config_file: config.path.as_ref(),
        env,
        switches,
    };
    let legacy = flpipeline::find(files, b"").expect("settings");
    let project = ProjectSettings::of(&given, legacy.clone());
    match ranking(&given, legacy) {
        Err(error) => format!("error: {}", error.printed().replace("\n  help: ", "; ")),
        Ok(Ranking::Keyword) => "keyword".to_owned(),
        Ok(Ranking::Model(Err(failure))) => {
            format!("failure: {failure}{}", failure.help.as_ref().map_or(String::new(), |help| format!("; {help}")))
        }
        Ok(Ranking::Model(Ok(model))) => {
            let info = project.provider().expect("known").unwrap_or(llm::PROVIDERS[0]);
            let (endpoint, _) = server(&given, &project, info).expect("a server");
            let mut said = format!("{} at {endpoint}, {}", info.id, model.request.model);
            model.notes.iter().for_each(|note| said.push_str(&format!(", {note}")));
            said
        }
    }
}

fn of(tracked: &[(&'static str, &'static str)], toml: &str, env: &[(&str, &str)]) -> String {
    ranked(&PartlyTracked::new(tracked, &[]), toml, &env.iter().copied().collect(), Switches::default())
}

const KEY: [(&str, &str); 1] = [("ANTHROPIC_API_KEY", "k-0123456789")];
const LEGACY: &str = ".flpipeline.json";

#[test]
fn l06_words_rank_unless_a_provider_is_named() {
    assert_eq!(of(&[], "", &KEY), "keyword");
    assert_eq!(of(&[], "[search]\nprovider = \"keyword\"\n", &[("OLLAMA_HOST", "h")]), "keyword");
    assert_eq!(of(&[(LEGACY, "{\"hintPaths\": []}")], "", &[]), "keyword");
    let model = Switches { model: Some("llama3"), ..Switches::default() };
    let none = PartlyTracked::new(&[], &[]);
    assert_eq!(ranked(&none, "", &Env::empty(), model), "ollama at http://localhost:11434, llama3");
    assert_eq!(
        of(&[(LEGACY, "{\"llmProvider\": {\"model\": \"m\"}}")], "", &[]),
        "ollama at http://localhost:11434, m"
    );
}

#[test]
fn l07_switches_then_the_project_then_the_environment() {
    let env = [("OLLAMA_HOST", "from-env:1"), KEY[0]];
    let toml = "[search]\nprovider = \"ollama\"\nhost = \"from-toml:2\"\nmodel = \"toml\"\n";
    let legacy =
        [(LEGACY, "{\"llmProvider\": {\"provider\": \"ollama\", \"host\": \"from-json:3\", \"model\": \"json\"}}")];
    assert_eq!(of(&legacy, toml, &env), "ollama at http://from-toml:2, toml");
    assert_eq!(of(&legacy, "", &env), "ollama at http://from-json:3, json");
    assert_eq!(of(&legacy, "[search]\n", &env), "keyword");
    assert_eq!(of(&[], "[search]\nprovider = \"ollama\"\n", &env), "ollama at http://from-env:1, llama2");
    assert_eq!(
        of(&[], "[search]\nprovider = \"claude\"\n", &env),
        "anthropic at https://api.anthropic.com, claude-haiku-4-5"
    );
    let claude = [(LEGACY, "{\"llmProvider\": {\"provider\": \"claude-agent\", \"$comment\": \"c\"}}")];
    assert_eq!(of(&claude, "", &env), "anthropic at https://api.anthropic.com, claude-haiku-4-5");
    let switches = Switches { model: Some("switch"), ..Switches::default() };
    let files = PartlyTracked::new(&legacy, &[]);
    assert_eq!(ranked(&files, toml, &env.into_iter().collect(), switches), "ollama at http://from-toml:2, switch");
}

#[test]
fn l08_settings_that_are_none_are_errors() {
    let error = of(&[(LEGACY, "{\"llmProvider\": {\"provider\": \"olama\"}}")], "", &[]);
    let expected = "error: .flpipeline.json: `llmProvider` has an unknown provider \"olama\"; did you mean \"ollama\"?";
    assert_eq!(error, expected);
    let error = of(&[], "[search]\nprovider = \"ollama\"\nhost = \"ftp://x\"\n", &[]);
    assert!(error.starts_with("error: hintlint.toml: the host \"ftp://x\" is neither http"), "{error}");
    assert!(
        of(&[], "[search]\nprovider = \"ollama\"\n", &[("OLLAMA_HOST", "a b")]).starts_with("error: OLLAMA_HOST: ")
    );
}

#[test]
fn the_config_knows_every_provider() {
    for name in names() {
        let config = Config::parse(&"hintlint.toml".into(), &format!("[search]\nprovider = {name:?}\n"));
        assert_eq!(config.expect("a known name").search.provider, name);
    }
    let config = Config::parse(&"hintlint.toml".into(), "[search]\nprovider = \"olama\"\n");
    assert_eq!(config.unwrap_err().problems[0].help.as_deref(), Some("did you mean \"ollama\"?"));
    let listed =
        crate::config::KEYS.iter().find(|key| (key.table, key.name) == ("search", "provider")).map(|key| key.kind);
    let crate::config::KeyKind::Choice(listed) = listed.expect("a key") else { panic!("a choice") };
    assert_eq!(listed, names().collect::<Vec<_>>());
}

#[test]
fn what_is_missing_is_named() {
    let no_key = of(&[], "[search]\nprovider = \"anthropic\"\n", &[]);
    assert_eq!(
        no_key,
        "failure: no key for Anthropic is set; set ANTHROPIC_API_KEY, in the environment or in an untracked .api-keys.json"
    );
    assert!(of(&[], "[search]\nprovider = \"openai\"\n", &[]).starts_with("failure: no model is set"));
}

#[test]
fn l11_a_tracked_key_is_not_used() {
    const HOLDS: &str = "{\"llmProvider\": {\"provider\": \"claude\", \"apiKey\": \"k-0123456789\"}}";
    let said = of(&[(LEGACY, HOLDS)], "", &[]);
    assert!(
        said.starts_with(
            "failure: no key for Anthropic is set: the key in .flpipeline.json is not used because git tracks"
        ),
        "{said}"
    );
    let own = ranked(&PartlyTracked::new(&[], &[(LEGACY, HOLDS)]), "", &Env::empty(), Switches::default());
    assert_eq!(own, "anthropic at https://api.anthropic.com, claude-haiku-4-5");
    let example = HOLDS.replace("k-0123456789", "your-api-key-here").leak();
    let said = ranked(&PartlyTracked::new(&[], &[(LEGACY, example)]), "", &Env::empty(), Switches::default());
    assert!(said.starts_with("failure: no key for Anthropic is set;"), "{said}");
}

#[test]
fn a_repository_collects_no_keys() {
    let asks = |host: &str| format!("[search]\nprovider = \"anthropic\"\nhost = {host:?}\n");
    let env: Env = KEY.into_iter().collect();
    let said = |host: &str, allow_host| {
        let files = PartlyTracked::new(&[("hintlint.toml", "")], &[]);
        ranked(&files, &asks(host), &env, Switches { allow_host, ..Switches::default() })
    };
    for host in [
        "https://evil.example",
        "http://api.anthropic.com",
        "https://api.anthropic.com:8443",
        "https://api.anthropic.com.evil.example",
        "https://api.anthropic.com./",
        "127.0.0.1.evil.example",
        "http://10.0.0.1",
    ] {
        let refused = said(host, AllowHost::None);
        assert!(
            refused.contains("is not sent to") && refused.contains("hintlint.toml names; `--allow-host="),
            "{refused}"
        );
        assert!(said(host, AllowHost::Any).starts_with("anthropic at "), "{host}");
        assert!(said(host, AllowHost::One("other.example")).contains("is not sent to"), "{host}");
    }
    assert!(said("https://Evil.example", AllowHost::One("EVIL.example")).starts_with("anthropic at"));
    assert!(said("https://evil.example", AllowHost::One("evil.example:443")).starts_with("anthropic at"));
    for host in ["https://api.anthropic.com", "http://127.0.0.1:1", "http://localhost:9", "[::1]:9"] {
        assert!(said(host, AllowHost::None).starts_with("anthropic at"), "{host}");
    }
    // Not from the repository: the user's own file, and the environment.
    let own = PartlyTracked::new(&[], &[("hintlint.toml", "")]);
    assert!(
        ranked(&own, &asks("https://mine.example"), &env, Switches::default()).starts_with("anthropic at https://mine")
    );
    let by_env = env.clone().with("ANTHROPIC_BASE_URL", "https://proxy.example/v1");
    let said = ranked(&own, "[search]\nprovider = \"anthropic\"\n", &by_env, Switches::default());
    assert_eq!(said, "anthropic at https://proxy.example/v1, claude-haiku-4-5");
}

#[test]
fn a_file_in_other_letters_is_tracked_too() {
    // Some file systems open each of these as the file that is looked for.
    for twin in ["HINTLINT.TOML", "hintlint.tom\u{200c}l", "h\u{131}ntlint.toml", "Hintlint.Toml"] {
        let files = PartlyTracked::new(&[], &[("hintlint.toml", "")]);
        assert!(is_personal(&files, &"hintlint.toml".into()));
        let twin: &'static str = twin.to_owned().leak();
        let files = PartlyTracked::new(&[(twin, "")], &[("hintlint.toml", "")]);
        let ascii: String = twin.to_uppercase().to_lowercase().chars().filter(char::is_ascii).collect();
        assert_eq!(is_personal(&files, &"hintlint.toml".into()), ascii != "hintlint.toml", "{twin:?}");
    }
    let files = PartlyTracked::new(&[("a/hintlint.toml", "")], &[("hintlint.toml", "")]);
    assert!(is_personal(&files, &"hintlint.toml".into()));
    let files = PartlyTracked { is_versioned: false, ..files };
    assert!(!is_personal(&files, &"hintlint.toml".into()), "outside git nothing is known to be one's own");
}

#[test]
fn a_server_without_need_for_a_key_is_asked_without_one() {
    let files = PartlyTracked::new(&[("hintlint.toml", "")], &[]);
    let env: Env = [("OPENAI_API_KEY", "k-0123456789")].into_iter().collect();
    let toml = "[search]\nprovider = \"openai\"\nhost = \"http://gpu.lan:8000\"\nmodel = \"m\"\n";
    let said = ranked(&files, toml, &env, Switches::default());
    assert!(said.starts_with("openai at http://gpu.lan:8000, m, the key from OPENAI_API_KEY is not sent to"), "{said}");
    assert!(!said.contains("0123456789"));
}
