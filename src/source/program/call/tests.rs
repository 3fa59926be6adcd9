//! Calls of git, and how they are tamed.

use super::*;

/// What git does on a verb: which options it may have, and which it must have for that to be true.
struct VerbRule {
    verb: &'static str,
    must: &'static [&'static str],
    may: &'static [&'static str],
}

/// None of these verbs starts another program, writes, or opens a file of the worktree, called like this. The reasons, for
/// git 2.20 to 2.47: `rev-parse`, `symbolic-ref`, `for-each-ref`, `merge-base`, `rev-list` and `cat-file` without
/// `--textconv` and `--filters` read references, the index and objects. `ls-files` without `-m`, `-d` and `-o`, and
/// `diff-index` with `--cached` read the index alone. `diff-tree` and `log` compare trees; a diff driver is started only
/// for patches, and a merge driver only for `--remerge-diff`, which no `log.diffMerges` brings back after `-m`. `log`
/// checks signatures only when asked, and the config of every call says that it is not.
const TABLE: [VerbRule; 11] = [
    VerbRule { verb: "cat-file", must: &[], may: &["-t", "--batch", "--batch-check", "--buffer"] },
    VerbRule {
        verb: "diff-index",
        must: &["--cached", "--raw", "-z", "--no-ext-diff", "--no-textconv", "--ignore-submodules=none", "-O/dev/null"],
        may: &[
            "-r",
            "--no-abbrev",
            "--no-color",
            "--no-relative",
            "--no-rename-empty",
            "--no-renames",
            "--ita-invisible-in-index",
            "-M",
            "-l",
        ],
    },
    VerbRule {
        verb: "diff-tree",
        must: &["--raw", "-z", "--no-ext-diff", "--no-textconv", "--ignore-submodules=none", "-O/dev/null"],
        may: &[
            "-r",
            "-m",
            "--stdin",
            "--root",
            "--no-abbrev",
            "--no-color",
            "--no-relative",
            "--no-rename-empty",
            "--no-renames",
            "-M",
            "-l",
            "--diff-filter",
            "--format",
        ],
    },
    VerbRule { verb: "for-each-ref", must: &["--format=%(refname:short)"], may: &["--count"] },
    VerbRule {
        verb: "log",
        must: &["--raw", "-z", "--no-ext-diff", "--no-textconv", "--ignore-submodules=none", "-O/dev/null"],
        may: &[
            "-m",
            "--root",
            "--first-parent",
            "--sparse",
            "--max-count",
            "--format",
            "--date-order",
            "--ignore-missing",
            "--full-history",
            "--merges",
            "--no-abbrev",
            "--no-color",
            "--no-relative",
            "--no-rename-empty",
            "--no-renames",
            "-M",
            "-l",
            "--diff-filter",
        ],
    },
    VerbRule { verb: "ls-files", must: &["-s", "-z"], may: &["-t", "--full-name"] },
    VerbRule { verb: "ls-tree", must: &["-z"], may: &["-r", "--full-tree"] },
    VerbRule { verb: "merge-base", must: &[], may: &[] },
    VerbRule { verb: "rev-list", must: &[], may: &["--parents", "--max-count", "--count", "--end-of-options"] },
    VerbRule {
        verb: "rev-parse",
        must: &[],
        may: &["--absolute-git-dir", "--git-common-dir", "--show-toplevel", "--verify", "--quiet", "--end-of-options"],
    },
    VerbRule { verb: "symbolic-ref", must: &["HEAD"], may: &["--quiet"] },
];

const WANTED: WantedChanges = WantedChanges { renames: true, exact_only: false, modifications: false };
const ID: &str = "0123456789012345678901234567890123456789";

/// One call of every kind. A kind that is new has to be named here, or this does not compile.
fn every_call(paths: &BTreeSet<Vec<u8>>, list: &[Vec<u8>], see: &mut dyn FnMut(GitCall<'_>)) {
    let known = &[ID.to_owned()];
    let mut call = Some(GitCall::GitDir);
    while let Some(now) = call {
        see(now);
        call = match now {
            GitCall::GitDir => Some(GitCall::CommonDir),
            GitCall::CommonDir => Some(GitCall::TopLevel),
            GitCall::TopLevel => Some(GitCall::Object("--output=x")),
            GitCall::Object(_) => Some(GitCall::Branch),
            GitCall::Branch => Some(GitCall::References),
            GitCall::References => Some(GitCall::Replacement),
            GitCall::Replacement => Some(GitCall::Kind(ID)),
            GitCall::Kind(_) => Some(GitCall::Parents(ID)),
            GitCall::Parents(_) => Some(GitCall::MergeBase(ID, ID)),
            GitCall::MergeBase(..) => Some(GitCall::Count { head: ID, most: 3 }),
            GitCall::Count { .. } => Some(GitCall::Index),
            GitCall::Index => Some(GitCall::IndexContent { like: ID }),
            GitCall::IndexContent { .. } => Some(GitCall::Tree(ID)),
            GitCall::Tree(_) => Some(GitCall::Blobs),
            GitCall::Blobs => Some(GitCall::Present),
            GitCall::Present => Some(GitCall::Staged { base: ID, similarity: 50 }),
            GitCall::Staged { .. } => Some(GitCall::Between { base: ID, commit: ID, similarity: 50 }),
            GitCall::Between { .. } => Some(GitCall::Changes { like: ID, merges: false, wanted: &WANTED }),
            GitCall::Changes { merges: false, .. } => {
                Some(GitCall::Changes { like: ID, merges: true, wanted: &WANTED })
            }
            GitCall::Changes { merges: true, .. } => Some(GitCall::Walk { head: ID, known: &[], wanted: &WANTED }),
            GitCall::Walk { known: &[], .. } => Some(GitCall::Walk { head: ID, known, wanted: &WANTED }),
            GitCall::Walk { .. } => Some(GitCall::Touching { head: ID, wanted: &WANTED, paths }),
            GitCall::Touching { .. } => Some(GitCall::FirstParents { head: ID, most: 3, paths: list }),
            GitCall::FirstParents { .. } => Some(GitCall::LostInMerges { head: ID, paths: list }),
            GitCall::LostInMerges { .. } => Some(GitCall::LostInThese { like: ID, paths: list }),
            GitCall::LostInThese { .. } => None,
        };
    }
}

#[test]
fn every_call_stands_in_the_table_with_its_options() {
    let hostile = vec![b"--output=x".to_vec()];
    let mut seen = BTreeSet::new();
    every_call(&hostile.iter().cloned().collect(), &hostile, &mut |call| {
        let arguments: Vec<String> =
            call.arguments().iter().map(|argument| argument.to_string_lossy().into_owned()).collect();
        let verb = &arguments[0];
        let rule = TABLE.iter().find(|rule| rule.verb == verb).unwrap_or_else(|| panic!("{verb} is not in the table"));
        seen.insert(rule.verb);
        for option in rule.must {
            assert!(arguments.iter().any(|argument| argument == option), "{call:?} lacks {option}");
        }
        // `%G` in a format would start the program that checks signatures, and without one the config says the format.
        let mut formats = arguments.iter().filter(|argument| argument.starts_with("--format="));
        let known = ["--format=%(refname:short)", raw::FORMAT, raw::FORMAT_WITH_SUBJECT];
        assert!(formats.all(|format| known.contains(&format.as_str())), "{call:?}");
        assert!(verb != "log" || arguments.iter().any(|argument| argument.starts_with("--format=")), "{call:?}");
        let end = arguments.iter().position(|argument| argument == "--" || argument == "--end-of-options");
        let options = &arguments[1..end.unwrap_or(arguments.len())];
        for option in options.iter().filter(|argument| argument.starts_with('-')) {
            let name = option.split('=').next().unwrap_or_default();
            let bare = name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '%');
            let known = rule.must.contains(&option.as_str()) || rule.may.iter().any(|may| [name, bare].contains(may));
            assert!(known, "{call:?}: nothing is known of {option}");
        }
    });
    assert_eq!(
        seen.into_iter().collect::<Vec<_>>(),
        TABLE.map(|rule| rule.verb),
        "the table has no verb that is unused"
    );
}

#[test]
fn what_a_user_or_a_file_names_is_no_option() {
    let paths: BTreeSet<Vec<u8>> = [b"--output=x".to_vec()].into();
    let list: Vec<Vec<u8>> = paths.iter().cloned().collect();
    every_call(&paths, &list, &mut |call| {
        let arguments = call.arguments();
        if let Some(named) = arguments.iter().position(|argument| argument == "--output=x") {
            let end = arguments.iter().position(|argument| argument == "--" || argument == "--end-of-options");
            assert!(end.is_some_and(|end| end < named), "{call:?}");
        }
    });
}

#[test]
fn calls_that_look_for_renames_read_no_attributes_of_the_worktree() {
    every_call(&BTreeSet::new(), &[], &mut |call| {
        let verb = call.arguments()[0].to_string_lossy().into_owned();
        assert_eq!(
            call.attributes().is_some(),
            ["diff-index", "diff-tree", "log"].contains(&verb.as_str()),
            "{call:?}"
        );
    });
    let long = "0".repeat(64);
    assert_eq!(GitCall::Staged { base: &long, similarity: 50 }.attributes(), Some(EMPTY_TREE[1]));
}
