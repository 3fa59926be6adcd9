//! Which paths the tables of agents claim.

use super::*;

fn names(agent: &str, bytes: &[u8]) -> Vec<String> {
    let dialect = crate::agents::by_id(agent).unwrap();
    (dialect.files.names_in.as_ref().unwrap().names)(bytes)
}

impl Kind {
    /// The kind of an agent's files that is called `name`.
    pub(crate) fn of_agent(name: &str) -> Kind {
        kind(name).unwrap_or_else(|| panic!("no agent has files called {name}"))
    }
}

#[test]
fn names_are_read_from_settings() {
    assert_eq!(names("gemini", br#"{"context":{"fileName":["A.md","B.md"]}}"#), ["A.md", "B.md"]);
    assert_eq!(names("codex", b"project_doc_fallback_filenames = [\"X.md\"]\n"), ["X.md"]);
    assert!(names("gemini", b"{").is_empty() && names("codex", b"=").is_empty());
}

#[test]
fn folders_are_hidden_and_names_could_be_hints() {
    for hint in every(|files| files.hints) {
        match hint.place {
            PathSet::Name(name) | PathSet::NameInAnyCase(name) => assert!(could_be_hint(name.as_bytes()), "{name}"),
            PathSet::NamePrefix(path) | PathSet::End(path) | PathSet::Below(path, _) => {
                assert!(path.starts_with('.'), "{path}");
            }
        }
    }
    assert!(every(|files| files.prompts).all(|folder| folder.ends_with('/')));
}

#[test]
fn one_agent_owns_agents_md_and_kinds_have_names_and_readers() {
    assert_eq!(ALL.iter().filter(|dialect| dialect.files.owns_agents_md).count(), 1);
    for (one, two) in every(|files| files.hints).flat_map(|one| every(|files| files.hints).map(move |two| (one, two))) {
        if let (Kind::Of(one), Kind::Of(two)) = (one.kind, two.kind) {
            assert!(one.name != two.name || std::ptr::eq(one, two), "two kinds are called {}", one.name);
        }
    }
    for kind in kinds() {
        assert!(all().any(|files| files.reads.contains(&kind)) || kind == Kind::OtherRules, "{kind:?}");
    }
}

#[test]
fn folders_of_agents_are_hidden() {
    assert!(every(|files| files.folders).all(|folder| folder.starts_with('.') && is_agent_folder(folder.as_bytes())));
}
