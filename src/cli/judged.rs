//! What a run of `check` is about: what its options say, or what pre-commit and prek are asked for when they run a hook with
//! `--staged`. Neither passes that on but in the environment.

use super::Console;
use crate::cli::args::{CheckArgs, SourceArgs};
use crate::source::Base;

/// Which state is judged, and what of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Judged {
    /// The state.
    pub source: SourceArgs,
    /// Only what changed since; everything if `None`.
    pub base: Option<Base>,
    /// The note for a state that was chosen by the environment, not by an option.
    pub note: Option<String>,
}

impl Judged {
    pub(super) fn new(args: &CheckArgs, console: &Console<'_>) -> Judged {
        let env = &console.env;
        let is_hook = env.is_on("PRE_COMMIT") && args.source.staged && !args.all && args.stdin_filename.is_none();
        // Git says so to the hooks of a commit, and to no others.
        let is_commit = env.get("GIT_INDEX_FILE").is_some();
        if !is_hook || is_commit {
            let base = match &args.since {
                _ if args.all => None,
                Some(revision) => Some(Base::MergeBase(revision.clone())),
                None => args.source.staged.then_some(Base::Previous),
            };
            return Judged { source: args.source.clone(), base, note: None };
        }
        let commit = |revision: &str| SourceArgs { staged: false, rev: Some(revision.to_owned()) };
        let pushed = env.get("PRE_COMMIT_TO_REF").or(env.get("PRE_COMMIT_LOCAL_BRANCH"));
        match (env.get("PRE_COMMIT_FROM_REF"), pushed) {
            (Some(from), Some(to)) => Judged {
                source: commit(to),
                base: Some(Base::MergeBase(from.to_owned())),
                note: Some(format!("checking what {to} changes since {from}, as pre-commit requested")),
            },
            // The first push of a branch: the remote has none of it yet.
            (None, Some(to)) => {
                Judged { source: commit(to), base: None, note: Some(format!("checking all of {to}, as it is pushed")) }
            }
            // Without a pending commit the client was run by hand or in CI, maybe for all files; it does not say.
            (_, None) => Judged {
                source: args.source.clone(),
                base: None,
                note: Some("checking all that is staged or committed, since no commit is being made".to_owned()),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::env::Env;
    use crate::report::printer::Printer;

    /// What is judged with `--staged` in an environment: the state, since when, and whether a note says so.
    fn judged(env: &[(&str, &str)], args: &CheckArgs) -> (SourceArgs, Option<Base>, bool) {
        let (mut out, mut err, mut stdin) = (Vec::new(), Vec::new(), std::io::empty());
        let console = Console {
            env: env.iter().copied().collect::<Env>(),
            directory: std::path::PathBuf::new(),
            stdin: &mut stdin,
            stdout: Printer::new(&mut out),
            stderr: Printer::new(&mut err),
            stdout_is_terminal: false,
            stderr_is_terminal: false,
            width: None,
            done_with: Vec::new(),
        };
        let Judged { source, base, note } = Judged::new(args, &console);
        (source, base, note.is_some())
    }

    #[test]
    fn a_hook_judges_what_its_client_was_asked_for() {
        let staged = SourceArgs { staged: true, rev: None };
        let args = CheckArgs { source: staged.clone(), ..CheckArgs::default() };
        let of = |env: &[(&str, &str)]| judged(env, &args);
        let commit = |name: &str| SourceArgs { staged: false, rev: Some(name.into()) };
        let previous = (staged.clone(), Some(Base::Previous), false);
        assert_eq!(of(&[]), previous);
        assert_eq!(of(&[("PRE_COMMIT", "1"), ("GIT_INDEX_FILE", ".git/index")]), previous);
        assert_eq!(of(&[("PRE_COMMIT_FROM_REF", "a"), ("PRE_COMMIT_TO_REF", "b")]), previous, "not run by a client");
        let hook = ("PRE_COMMIT", "1");
        assert_eq!(of(&[hook]), (staged.clone(), None, true), "--all-files");
        let range = [hook, ("PRE_COMMIT_FROM_REF", "a"), ("PRE_COMMIT_TO_REF", "b")];
        assert_eq!(of(&range), (commit("b"), Some(Base::MergeBase("a".into())), true));
        assert_eq!(of(&[hook, ("PRE_COMMIT_TO_REF", "b")]), (commit("b"), None, true), "a new branch by prek");
        let first = [hook, ("PRE_COMMIT_LOCAL_BRANCH", "refs/heads/b")];
        assert_eq!(of(&first), (commit("refs/heads/b"), None, true), "a new branch by pre-commit");
        let all = CheckArgs { all: true, ..args.clone() };
        assert_eq!(judged(&range, &all), (staged, None, false), "an option is stronger");
        let plain = CheckArgs { since: Some("x".into()), ..CheckArgs::default() };
        assert_eq!(judged(&range, &plain).1, Some(Base::MergeBase("x".into())));
    }
}
