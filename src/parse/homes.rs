//! Whose home a folder of homes holds, by its name alone: a person's, or anybody's, a container's or a service's. Knows no listing.

/// Names of homes that are alike everywhere: of nobody in particular, of containers and of services; sorted.
const NOBODY: [&str; 46] = [
    "admin",
    "agent",
    "all",
    "app",
    "attacker",
    "circleci",
    "coder",
    "codespace",
    "default",
    "deploy",
    "deployer",
    "dev",
    "developer",
    "docker",
    "git",
    "gitpod",
    "jenkins",
    "jovyan",
    "linuxbrew",
    "me",
    "my",
    "myname",
    "name",
    "node",
    "oai",
    "owner",
    "pi",
    "project",
    "public",
    "root",
    "runner",
    "runneradmin",
    "sandbox",
    "shared",
    "someone",
    "target",
    "test",
    "ubuntu",
    "victim",
    "vscode",
    "vsts",
    "whoever",
    "www-data",
    "x",
    "you",
    "yourname",
];
/// First names that texts use for anybody; sorted.
const EXAMPLES: [&str; 7] = ["alex", "alice", "bob", "foo", "jane", "john", "johndoe"];

/// Whether the home of `name` is that of one person.
pub(crate) fn is_of_a_person(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    name.chars().count() > 1
        && name.starts_with(char::is_alphanumeric)
        && !name.contains("user")
        && NOBODY.binary_search(&name.as_str()).is_err()
}

/// Whether texts call anybody so.
pub(crate) fn is_anybody(name: &str) -> bool {
    EXAMPLES.binary_search(&name.to_ascii_lowercase().as_str()).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_sorted_and_known() {
        assert!(NOBODY.is_sorted() && EXAMPLES.is_sorted());
        for name in ["joe", "jane.d", "Saiffil", "王伟", "john"] {
            assert!(is_of_a_person(name), "{name}");
        }
        for name in ["node", "Shared", "username", "testuser", "appuser", "x", "", "<name>"] {
            assert!(!is_of_a_person(name), "{name}");
        }
        assert!(is_anybody("Alice") && !is_anybody("alicia"));
    }
}
