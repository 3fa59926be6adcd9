//! `docker compose`: the services that a command names, and those that a compose file defines.

use super::define::Manifest;
use crate::agents::settings::{self, SettingsFormat};
use crate::base::path;

/// Verbs that only services follow.
const OF_SERVICES: [&str; 18] = [
    "attach", "build", "create", "down", "images", "kill", "logs", "pause", "ps", "pull", "push", "restart", "rm",
    "start", "stop", "top", "unpause", "up",
];

/// Verbs behind which one service stands, and then a command for it.
const OF_ONE: [&str; 2] = ["exec", "run"];

/// Options that take the next word.
const TAKES: [&str; 24] = [
    "--ansi",
    "--entrypoint",
    "--env",
    "--filter",
    "--format",
    "--index",
    "--name",
    "--parallel",
    "--policy",
    "--profile",
    "--publish",
    "--pull",
    "--scale",
    "--signal",
    "--since",
    "--status",
    "--tail",
    "--timeout",
    "--until",
    "--user",
    "--volume",
    "-e",
    "-n",
    "-t",
];

/// The services that the words of a command name, each with its offset. Nothing is told of other files and projects.
pub(super) fn named<'t>(words: &[(&'t str, usize)]) -> Vec<(&'t str, usize)> {
    let rest = match words {
        [("docker", _), ("compose", _), rest @ ..] | [("docker-compose", _), rest @ ..] => rest,
        _ => return Vec::new(),
    };
    let mut verb: Option<&str> = None;
    let mut found = Vec::new();
    // What stands in parentheses or ends with a colon tells of the command.
    let is_word = |word: &str| !word.contains(['(', ')']) && !word.ends_with(':');
    if !rest.iter().all(|(word, _)| is_word(word)) {
        return Vec::new();
    }
    let mut rest = rest.iter();
    while let Some(&(word, at)) = rest.next() {
        match word {
            "-f" | "--file" | "-p" | "--project-name" | "--project-directory" if verb.is_none() => return Vec::new(),
            "-f" | "-p" if verb == Some("run") => _ = rest.next(),
            "-u" | "-w" | "--workdir" | "-v" | "-l" | "--label" if verb.is_some() => _ = rest.next(),
            _ if TAKES.contains(&word) && !(word == "-t" && verb == Some("logs")) => _ = rest.next(),
            _ if word.starts_with('-') => {}
            _ if verb.is_none() => verb = Some(word),
            _ if verb.is_some_and(|verb| OF_ONE.contains(&verb)) => return vec![(word, at)],
            _ if verb.is_some_and(|verb| OF_SERVICES.contains(&verb)) => found.push((word, at)),
            _ => return Vec::new(),
        }
    }
    found
}

/// Whether a file of this name defines services: `compose.yml`, `docker-compose.dev.yaml`.
pub(super) fn defines(name: &[u8]) -> bool {
    let yaml = path::extension(name).is_some_and(|ending| matches!(ending, b"yml" | b"yaml"));
    yaml && (name.starts_with(b"docker-compose") || name.starts_with(b"compose.") || name.starts_with(b"compose-"))
}

/// The services of a compose file. What it includes may define any.
pub(super) fn read(text: &str) -> Manifest {
    let Ok(value) = settings::parse(text, SettingsFormat::Yaml) else {
        return Manifest { open: true, ..Manifest::default() };
    };
    let services = value.get("services").and_then(|services| services.as_object());
    Manifest {
        names: services.into_iter().flatten().map(|(name, _)| name.clone()).collect(),
        open: value.get("include").is_some() || services.is_none(),
        ..Manifest::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn services_are_told_from_options_and_commands() {
        let of = |command: &str| {
            let words: Vec<(&str, usize)> = command.split(' ').map(|word| (word, 0)).collect();
            named(&words).into_iter().map(|(word, _)| word.to_owned()).collect::<Vec<_>>()
        };
        assert_eq!(of("docker compose up -d web db"), ["web", "db"]);
        assert_eq!(of("docker compose --profile dev logs -f --tail 50 web"), ["web"]);
        assert_eq!(of("docker-compose exec -T -u root db psql -U x"), ["db"]);
        assert_eq!(of("docker compose run --rm -e A=b web npm test"), ["web"]);
        for other in [
            "docker compose -f x.yml up web",
            "docker run web",
            "docker compose config x",
            "docker compose up",
            "docker compose up (step: RUN a)",
        ] {
            assert_eq!(of(other), [""; 0], "{other}");
        }
    }

    #[test]
    fn compose_files_define_services() {
        let names = ["compose.yml", "docker-compose.dev.yaml", "docker-compose.yml", "compose-ci.yaml"];
        assert!(names.iter().all(|name| defines(name.as_bytes())));
        assert!(!defines(b"composer.json") && !defines(b"composed.yml"));
        let found = read("services:\n  web: {}\n  db:\n    image: x\n");
        assert!(found.defines("web") && found.defines("db") && !found.defines("cache") && !found.open);
        assert!(read("include: [a.yml]\nservices: {}\n").open && read("x: 1\n").open);
    }
}
