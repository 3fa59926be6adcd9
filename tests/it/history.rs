//! What a repository's past says, and what changed between two sides. Without the `git` program nothing is known of either.

use std::path::Path;

use hintlint::base::path::RepoPath;
use hintlint::source::history::{Answers, CommitRef, Fate, Questions};
use hintlint::source::{Base, ChangeKind, Opened, Side};

use crate::sources::{head, open, open_without_git, try_open};
use crate::support::{EPOCH, Repo};

/// Ten lines that tell a file from every other.
fn text(name: &str) -> String {
    (0..10).map(|line| format!("{name} says {line}\n")).collect()
}

fn commit_id(commit: &Option<CommitRef>) -> String {
    commit.as_ref().map_or("now".to_owned(), |commit| commit.id.clone())
}

fn show(fate: &Fate) -> String {
    match fate {
        Fate::NeverTracked => "never".to_owned(),
        Fate::Unknown => "unknown".to_owned(),
        Fate::Deleted { commit } => format!("deleted {}", commit_id(commit)),
        Fate::Gone { commit } => format!("gone {}", commit_id(commit)),
        Fate::Renamed { to, exact: true, commit } => format!("moved {to:?} {}", commit_id(commit)),
        Fate::Renamed { to, exact: false, commit } => format!("renamed {to:?} {}", commit_id(commit)),
    }
}

fn ask(opened: &Opened, path: &str) -> Answers {
    opened.answer(&Questions { fates: [RepoPath::new(path)].into(), ..Questions::default() })
}

/// Ask for the fate of one path.
fn fate_of(repo: &Repo, side: Side, path: &str) -> String {
    show(ask(&open(repo, side), path).fate(&path.into()))
}

fn short(id: &str) -> &str {
    &id[..10]
}

#[cfg(unix)]
#[test]
fn links_that_kept_their_target_are_renamed() {
    let repo = Repo::with_files([("AGENTS.md", text("a")), ("old.md", text("o"))]);
    repo.symlink("CLAUDE.md", "AGENTS.md").symlink("docs/CLAUDE.md", "AGENTS.md").commit("link");
    // Another file goes and comes, and is asked for, so that contents are compared.
    repo.git(&["mv", "CLAUDE.md", "GEMINI.md"]);
    repo.git(&["mv", "docs", "lib"]);
    repo.remove("old.md").write("new.md", text("n"));
    let moved = repo.commit("move the links");
    let paths = ["CLAUDE.md", "docs/CLAUDE.md", "old.md"];
    let expected = [
        format!("moved \"GEMINI.md\" {}", short(&moved)),
        format!("moved \"lib/CLAUDE.md\" {}", short(&moved)),
        format!("deleted {}", short(&moved)),
    ];
    let questions = Questions { fates: paths.map(RepoPath::new).into(), ..Questions::default() };
    for side in [Side::Worktree, Side::Index, head()] {
        let opened = open(&repo, side);
        let answers = opened.answer(&questions);
        assert_eq!(paths.map(|path| show(answers.fate(&path.into()))), expected);
    }
}

#[test]
fn the_same_content_counts_for_more_than_a_similar_one() {
    let twin = text("a") + "\n\n";
    let repo = Repo::with_files([("a.md", text("a")), ("b.md", twin.clone())]);
    repo.remove("a.md").remove("b.md").write("c.md", twin).add();
    let paths = ["a.md", "b.md"];
    let questions = Questions { fates: paths.map(RepoPath::new).into(), ..Questions::default() };
    let check = |side: Side, commit: &str| {
        let opened = open(&repo, side);
        let answers = opened.answer(&questions);
        let told = paths.map(|path| show(answers.fate(&path.into())));
        assert_eq!(told, [format!("deleted {commit}"), format!("moved \"c.md\" {commit}")]);
    };
    check(Side::Index, "now");
    check(Side::Worktree, "now");
    let commit = repo.commit_staged("one of two");
    check(head(), short(&commit));
}

#[cfg(unix)]
#[test]
fn a_file_that_became_a_link_was_not_deleted() {
    let repo = Repo::with_files([("AGENTS.md", text("a")), ("CLAUDE.md", text("c")), ("old.md", text("o"))]);
    repo.git(&["checkout", "-q", "-b", "side"]);
    repo.git(&["checkout", "-q", "main"]);
    let deleted = repo.remove("CLAUDE.md").commit("delete");
    repo.git(&["checkout", "-q", "side"]);
    repo.remove("CLAUDE.md").symlink("CLAUDE.md", "AGENTS.md").remove("old.md").write("new.md", text("n"));
    let linked = repo.commit("a link, and other files");
    repo.git(&["checkout", "-q", "main"]);
    repo.try_git_in(repo.root(), &["merge", "-q", "side"]);
    repo.git(&["rm", "-q", "-f", "--ignore-unmatch", "CLAUDE.md"]);
    repo.commit("merge");
    let questions = Questions { fates: ["CLAUDE.md", "old.md"].map(RepoPath::new).into(), ..Questions::default() };
    let opened = open(&repo, head());
    let answers = opened.answer(&questions);
    assert_eq!(show(answers.fate(&"CLAUDE.md".into())), format!("deleted {}", short(&deleted)));
    assert_eq!(show(answers.fate(&"old.md".into())), format!("deleted {}", short(&linked)));
}

#[test]
fn folders_of_former_submodules_are_known() {
    let inner = Repo::with_files([("a.md", text("a"))]);
    let repo = Repo::with_files([("b.md", text("b"))]);
    let url = inner.root().to_str().expect("UTF-8").to_owned();
    repo.git(&["-c", "protocol.file.allow=always", "submodule", "--quiet", "add", &url, "libs/kit"]);
    repo.commit("add");
    let former = |side: Side, submodules: bool| {
        let questions = Questions { fates: ["libs/kit/a.md".into()].into(), submodules, ..Questions::default() };
        let answers = open(&repo, side).answer(&questions);
        assert_eq!(answers.fates.len(), 1);
        answers.submodules.into_iter().collect::<Vec<_>>()
    };
    repo.git(&["rm", "-q", "-f", "libs/kit"]);
    repo.commit("remove the submodule");
    repo.git(&["rm", "-q", "-f", ".gitmodules"]);
    repo.commit("remove the list");
    for side in [Side::Worktree, Side::Index, head()] {
        assert_eq!(former(side.clone(), true), [RepoPath::from("libs/kit")], "{side:?}");
        assert_eq!(former(side, false), []);
    }
    // What lies there now is of this repository.
    repo.write("libs/kit/b.md", text("b")).commit("write");
    assert_eq!(former(head(), true), []);
}

#[test]
fn deletions_renames_and_chains() {
    let repo =
        Repo::with_files([("a.md", text("a")), ("b.md", text("b")), ("c.md", text("c")), ("kept.md", text("k"))]);
    repo.git(&["mv", "a.md", "a2.md"]);
    let moved = repo.commit("move a");
    repo.write("dir/a3.md", text("a") + "and more\n").remove("a2.md");
    let moved_again = repo.commit("move and change a");
    repo.remove("b.md");
    let deleted = repo.commit("delete b");
    repo.write("b.md", "another b").commit("another b");
    repo.remove("b.md");
    let deleted_again = repo.commit("delete the other b");
    repo.git(&["mv", "c.md", "d.md"]);
    let to_d = repo.commit("move c");
    let deleted_d = repo.remove("d.md").commit("delete d");
    assert_ne!(to_d, deleted_d);
    assert_ne!(deleted, deleted_again);
    for side in [Side::Worktree, Side::Index, head()] {
        for (path, expected) in [
            ("a.md", format!("renamed \"dir/a3.md\" {}", short(&moved))),
            ("a2.md", format!("renamed \"dir/a3.md\" {}", short(&moved_again))),
            ("b.md", format!("deleted {}", short(&deleted_again))),
            // Its new name was deleted later; this one went when it was renamed.
            ("c.md", format!("deleted {}", short(&to_d))),
            ("never.md", "never".to_owned()),
            ("dir/never.md", "never".to_owned()),
            ("di", "never".to_owned()),
        ] {
            assert_eq!(fate_of(&repo, side.clone(), path), expected, "{path} {side:?}");
        }
    }
}

#[test]
fn directories() {
    let files = ["one", "two", "deep/three"].map(|name| (format!("old/{name}.md"), text(name)));
    let repo = Repo::with_files(files);
    repo.write("gone/a.md", text("gone")).commit("more");
    repo.git(&["mv", "old", "new"]);
    let moved = repo.commit("move");
    repo.write("docs/other.md", "x").git(&["mv", "new", "docs/new"]);
    repo.commit("move again");
    repo.remove("gone");
    let deleted = repo.commit("delete");
    for (path, expected) in [
        ("old", format!("moved \"docs/new\" {}", short(&moved))),
        ("old/deep", format!("moved \"docs/new/deep\" {}", short(&moved))),
        ("gone", format!("deleted {}", short(&deleted))),
    ] {
        assert_eq!(fate_of(&repo, Side::Worktree, path), expected);
    }
}

#[test]
fn many_questions_get_the_answers_of_few() {
    let files = (0..60).map(|number| (format!("old/{number}.md"), text(&number.to_string())));
    let repo = Repo::with_files(files.chain([("kept.md".to_owned(), text("kept"))]));
    repo.remove("old/7.md").commit("delete one");
    repo.git(&["mv", "old", "new"]);
    repo.commit("move");
    repo.git(&["mv", "new/3.md", "third.md"]);
    repo.commit("move one again");
    let paths: Vec<RepoPath> = (0..60).map(|number| RepoPath::new(format!("old/{number}.md"))).collect();
    let all = Questions { fates: paths.iter().cloned().chain(["none.md".into()]).collect(), ..Questions::default() };
    let answers = open(&repo, Side::Index).answer(&all);
    for path in [&paths[3], &paths[7], &paths[59], &"none.md".into()] {
        let alone = ask(&open(&repo, Side::Index), path.to_str().unwrap());
        assert_eq!(answers.fate(path), alone.fate(path));
    }
    assert!(matches!(answers.fate(&paths[3]), Fate::Renamed { to, .. } if to == &"third.md".into()));
}

#[test]
fn merges_are_no_events_of_their_own() {
    let repo = Repo::with_files([("x.md", text("x")), ("y.md", text("y"))]);
    repo.git(&["checkout", "-q", "-b", "side"]);
    repo.write("side.md", text("side")).commit("side");
    repo.git(&["checkout", "-q", "main"]);
    repo.git(&["mv", "x.md", "x2.md"]);
    let moved = repo.commit("move x");
    repo.remove("y.md");
    let deleted = repo.commit("delete y");
    // Against its second parent, this merge moves x and deletes y.
    repo.git(&["merge", "-q", "--no-ff", "-m", "merge", "side"]);
    assert_eq!(fate_of(&repo, Side::Worktree, "x.md"), format!("moved \"x2.md\" {}", short(&moved)));
    assert_eq!(fate_of(&repo, Side::Worktree, "y.md"), format!("deleted {}", short(&deleted)));
}

#[test]
fn what_only_a_merge_took_away() {
    let repo = Repo::with_files([("docs/x.md", text("x")), ("docs/y.md", text("y"))]);
    repo.git(&["checkout", "-q", "-b", "side"]);
    repo.write("docs/new.md", text("new")).write("docs/dropped.md", text("dropped")).commit("side");
    repo.git(&["checkout", "-q", "main"]);
    repo.git(&["mv", "docs", "guide"]);
    repo.commit("move docs");
    repo.git(&["-c", "merge.directoryRenames=true", "merge", "-q", "--no-ff", "--no-commit", "side"]);
    // Git puts a file that the side added to a moved directory where the directory is now.
    assert!(repo.at("guide/new.md").exists());
    repo.remove("guide/dropped.md").add();
    let merge = repo.commit_staged("merge");
    repo.commit("later");
    assert_eq!(fate_of(&repo, Side::Worktree, "docs/new.md"), format!("moved \"guide/new.md\" {}", short(&merge)));
    assert_eq!(fate_of(&repo, Side::Worktree, "docs/dropped.md"), format!("deleted {}", short(&merge)));

    repo.git(&["checkout", "-q", "-b", "refused"]);
    repo.write("refused.md", "x").commit("refused");
    repo.git(&["checkout", "-q", "main"]);
    repo.git(&["merge", "-q", "-s", "ours", "-m", "ours", "refused"]);
    let ours = repo.git(&["rev-parse", "HEAD"]);
    assert_eq!(fate_of(&repo, Side::Worktree, "refused.md"), format!("deleted {}", short(&ours)));

    // Of two merges that refused it the newer one was the last to take it away.
    repo.git(&["checkout", "-q", "refused"]);
    repo.write("other.md", "y").commit("refused as well");
    repo.git(&["checkout", "-q", "main"]);
    repo.git(&["merge", "-q", "-s", "ours", "-m", "ours", "refused"]);
    let ours = repo.git(&["rev-parse", "HEAD"]);
    assert_eq!(fate_of(&repo, Side::Worktree, "refused.md"), format!("deleted {}", short(&ours)));
}

#[test]
fn what_is_not_committed_counts_first() {
    let repo = Repo::with_files([("a.md", text("a")), ("b.md", text("b")), ("c.md", text("c")), ("d.md", text("d"))]);
    repo.git(&["mv", "a.md", "a2.md"]);
    repo.git(&["rm", "-q", "b.md"]);
    for side in [Side::Worktree, Side::Index] {
        assert_eq!(fate_of(&repo, side.clone(), "a.md"), "moved \"a2.md\" now");
        assert_eq!(fate_of(&repo, side, "b.md"), "deleted now");
    }
    // Not staged: a move, a deletion, and a second move of what was moved and staged.
    std::fs::rename(repo.at("c.md"), repo.at("c2.md")).expect("moved");
    std::fs::rename(repo.at("a2.md"), repo.at("a3.md")).expect("moved");
    repo.remove("d.md");
    assert_eq!(fate_of(&repo, Side::Worktree, "c.md"), "moved \"c2.md\" now");
    assert_eq!(fate_of(&repo, Side::Worktree, "a.md"), "moved \"a3.md\" now");
    assert_eq!(fate_of(&repo, Side::Worktree, "d.md"), "deleted now");
    assert_eq!(fate_of(&repo, Side::Index, "a.md"), "moved \"a2.md\" now");
    assert_eq!(fate_of(&repo, head(), "never.md"), "never");
}

#[test]
fn configuration_changes_nothing() {
    let repo = Repo::with_files([("a.md", text("a"))]);
    repo.write("b.md", text("a") + "more\n").remove("a.md");
    let moved = repo.commit("move");
    for (name, value) in [
        ("diff.renames", "false"),
        ("diff.renameLimit", "1"),
        ("diff.noPrefix", "true"),
        ("diff.relative", "true"),
        ("diff.external", "/nonexistent"),
        ("log.showSignature", "true"),
        ("log.showRoot", "false"),
        ("log.follow", "true"),
        ("log.date", "relative"),
        ("log.diffMerges", "first-parent"),
        ("color.ui", "always"),
        ("core.quotePath", "true"),
        ("core.abbrev", "5"),
        ("core.pager", "false"),
        ("format.pretty", "oneline"),
    ] {
        repo.git(&["config", name, value]);
    }
    assert_eq!(fate_of(&repo, Side::Worktree, "a.md"), format!("renamed \"b.md\" {}", short(&moved)));
}

#[test]
fn last_changes() {
    let repo = Repo::with_files([("a.md", "1"), ("b.md", "1"), ("c.md", "1")]);
    repo.write("b.md", "2").commit("second");
    repo.git(&["mv", "c.md", "d.md"]);
    let third = repo.commit("third");
    let paths = ["a.md", "b.md", "d.md", "none.md"].map(RepoPath::from);
    let questions = Questions { last_changes: paths.iter().cloned().collect(), ..Questions::default() };
    let answers = open(&repo, Side::Worktree).answer(&questions);
    let changed: Vec<_> = answers.last_changes.keys().collect();
    assert_eq!(changed, [&paths[0], &paths[1], &paths[2]]);
    assert_eq!(answers.last_changes[&paths[2]].id, short(&third));
    let times = [0, 1, 2].map(|index| answers.last_changes[&paths[index]].time);
    assert!(EPOCH < times[0] && times[0] < times[1] && times[1] < times[2], "{times:?}");
    assert_eq!(answers.last_changes[&paths[0]].date, "2026-01-01");
}

#[test]
fn a_shallow_clone_says_what_it_cannot_know() {
    let repo = Repo::with_files([("a.md", text("a")), ("old.md", text("old")), ("b.md", text("b"))]);
    repo.remove("old.md").commit("delete");
    repo.git(&["mv", "a.md", "a2.md"]);
    let moved = repo.commit("move");
    let shallow = repo.beside("shallow");
    let url = format!("file://{}", repo.root().display());
    repo.git(&["clone", "-q", "--depth", "2", &url, shallow.to_str().expect("UTF-8")]);
    let opened = try_open(&repo, &shallow, Side::Worktree, &[]).expect("opens");
    let known = ask(&opened, "a.md");
    assert_eq!(show(known.fate(&"a.md".into())), format!("moved \"a2.md\" {}", short(&moved)));
    assert!(known.notes.is_empty(), "nothing was left unknown: {:?}", known.notes);
    let unknown = ask(&opened, "old.md");
    assert_eq!(show(unknown.fate(&"old.md".into())), "unknown");
    assert!(unknown.notes.len() == 1 && unknown.notes[0].contains("fetch-depth: 0"), "{:?}", unknown.notes);
    let asked = Questions { last_changes: ["a2.md".into(), "b.md".into()].into(), ..Questions::default() };
    let dated = opened.answer(&asked);
    assert_eq!(dated.last_changes.len(), 1, "b.md did not change at the commit where history is cut off");
    assert_eq!(dated.notes.len(), 1);
}

#[test]
fn partial_clones_answer_what_trees_alone_can() {
    let repo = Repo::with_files([("a.md", text("a")), ("b.md", text("b")), ("c.md", text("c"))]);
    repo.git(&["mv", "a.md", "a2.md"]);
    let moved = repo.commit("move");
    repo.write("b2.md", text("b") + "more\n").remove("b.md");
    let changed = repo.commit("move and change");
    repo.git(&["config", "uploadpack.allowFilter", "true"]);
    let url = format!("file://{}", repo.root().display());
    let unknown = || "unknown".to_owned();
    for (filter, a, b) in [
        ("blob:none", format!("moved \"a2.md\" {}", short(&moved)), format!("gone {}", short(&changed))),
        ("tree:0", unknown(), unknown()),
    ] {
        let clone = repo.beside(&filter.replace(':', "-"));
        repo.git(&["clone", "-q", "--filter", filter, &url, clone.to_str().expect("UTF-8")]);
        let opened = try_open(&repo, &clone, Side::Worktree, &[]).expect("opens");
        assert_eq!(show(ask(&opened, "a.md").fate(&"a.md".into())), a, "{filter}");
        let unknown = ask(&opened, "b.md");
        assert_eq!(show(unknown.fate(&"b.md".into())), b, "{filter}");
        assert!(unknown.notes.len() == 1 && unknown.notes[0].contains("partial clone"), "{:?}", unknown.notes);
    }
}

#[test]
fn without_a_past_nothing_is_claimed() {
    let folder = Repo::plain_folder();
    folder.write("a.md", "x");
    assert_eq!(show(ask(&open(&folder, Side::Worktree), "b.md").fate(&"b.md".into())), "unknown");
    let unborn = Repo::new();
    assert_eq!(fate_of(&unborn, Side::Worktree, "b.md"), "never");
    // Nobody asks: nothing is looked at, not even a repository that has been damaged since.
    let repo = Repo::with_files([("a.md", "x")]);
    let opened = open(&repo, Side::Worktree);
    repo.remove(".git");
    let answers = opened.answer(&Questions::default());
    assert!(answers.fates.is_empty() && answers.notes.is_empty());
    assert_eq!(ask(&opened, "b.md").notes.len(), 1);
}

#[test]
fn without_git_history_and_comparisons_are_unknown() {
    let repo = Repo::with_files([("a.md", text("a")), ("b.md", text("b")), ("c.md", text("c"))]);
    repo.remove("a.md").commit("delete");
    repo.git(&["rm", "-q", "b.md"]);
    std::fs::rename(repo.at("c.md"), repo.at("c2.md")).expect("moved");
    let paths = ["a.md", "b.md", "c.md"].map(RepoPath::new);
    let questions =
        Questions { fates: paths.clone().into(), last_changes: ["c.md".into()].into(), ..Questions::default() };
    for (side, c) in [(Side::Worktree, "moved \"c2.md\" now"), (Side::Index, "unknown"), (head(), "unknown")] {
        let opened = open_without_git(&repo, side).expect("opens");
        let answers = opened.answer(&questions);
        // The index and the worktree are compared here.
        assert_eq!(paths.each_ref().map(|path| show(answers.fate(path))), ["unknown", "unknown", c]);
        assert!(answers.last_changes.is_empty());
        assert!(answers.notes.len() == 1 && answers.notes[0].contains("git program is not installed"), "{answers:?}");
        for base in [Base::Previous, Base::MergeBase("main".to_owned())] {
            let error = opened.changes(&base).expect_err("nothing compares them");
            assert!(error.message.contains("not installed") && error.help.is_some(), "{error}");
        }
    }
}

#[test]
fn where_a_tree_is_missing_what_newer_commits_tell_holds() {
    let repo = Repo::with_files([("docs/a.md", text("a")), ("old.md", text("o")), ("kept.md", text("k"))]);
    repo.remove("old.md").commit("delete");
    repo.write("kept.md", "changed\n").commit("change");
    repo.git(&["mv", "docs", "guide"]);
    let moved = repo.commit("move");
    repo.write("kept.md", "changed again\n").commit("change");
    lose(&repo, "HEAD~3^{tree}");
    let opened = open(&repo, head());
    let answers =
        opened.answer(&Questions { fates: ["docs/a.md".into(), "old.md".into()].into(), ..Questions::default() });
    assert_eq!(show(answers.fate(&"docs/a.md".into())), format!("moved \"guide/a.md\" {}", short(&moved)));
    assert_eq!(show(answers.fate(&"old.md".into())), "unknown");
    assert_eq!(answers.notes.len(), 1, "{:?}", answers.notes);
}

#[test]
fn grafted_history_is_followed_as_git_follows_it() {
    let repo = Repo::with_files([("a.md", text("a"))]);
    repo.remove("a.md").write("b.md", "b").commit("delete");
    repo.commit("last");
    repo.git(&["replace", "--graft", "HEAD"]);
    let fate = || show(ask(&open(&repo, Side::Worktree), "a.md").fate(&"a.md".into()));
    assert_eq!(fate(), "never");
    repo.git(&["replace", "--delete", "HEAD"]);
    assert!(fate().starts_with("deleted"));
    // As it was done before `git replace`.
    repo.write(".git/info/grafts", repo.git(&["rev-parse", "HEAD"]));
    assert_eq!(fate(), "never");
}

/// The changes of a source, a line each.
fn changes(repo: &Repo, side: Side, base: &Base) -> Vec<String> {
    let line = |change: &hintlint::source::ChangedPath| match &change.kind {
        ChangeKind::Renamed { from, exact } => format!("R {from:?} {:?} {exact}", change.path),
        kind => format!("{} {:?}", &format!("{kind:?}")[..1], change.path),
    };
    open(repo, side).changes(base).expect("comparable").list.iter().map(line).collect()
}

#[test]
fn changes_of_each_side() {
    let files = ["a", "b", "c", "d", "e"].map(|name| (format!("{name}.md"), text(name)));
    let repo = Repo::with_files(files);
    assert_eq!(changes(&repo, Side::Index, &Base::Previous), [""; 0]);
    assert_eq!(changes(&repo, head(), &Base::Previous).len(), 5, "against nothing");
    repo.git(&["mv", "a.md", "a2.md"]);
    repo.write("b.md", "changed").remove("c.md").write("n.md", "new").add();
    std::fs::rename(repo.at("d.md"), repo.at("d2.md")).expect("moved");
    repo.remove("e.md").write("untracked.md", "x").write("a2.md", text("a") + "more\n");
    let staged = ["R \"a.md\" \"a2.md\" true", "M \"b.md\"", "D \"c.md\"", "A \"n.md\""];
    assert_eq!(changes(&repo, Side::Index, &Base::Previous), staged);
    let all = [
        "R \"a.md\" \"a2.md\" false",
        "M \"b.md\"",
        "D \"c.md\"",
        "R \"d.md\" \"d2.md\" true",
        "D \"e.md\"",
        "A \"n.md\"",
        "A \"untracked.md\"",
    ];
    assert_eq!(changes(&repo, Side::Worktree, &Base::Previous), all);
    repo.commit_staged("staged");
    assert_eq!(changes(&repo, head(), &Base::Previous), staged);
    assert_eq!(changes(&repo, Side::Index, &Base::Previous), [""; 0]);
}

#[test]
fn changes_since_a_branch_was_left() {
    let repo = Repo::with_files([("a.md", text("a")), ("b.md", text("b"))]);
    repo.git(&["checkout", "-q", "-b", "topic"]);
    repo.write("topic.md", "x").commit("topic");
    repo.git(&["checkout", "-q", "main"]);
    repo.remove("b.md").commit("main goes on");
    repo.git(&["checkout", "-q", "topic"]);
    repo.write("a.md", "staged").add();
    let since = Base::MergeBase("main".to_owned());
    assert_eq!(changes(&repo, head(), &since), ["A \"topic.md\""]);
    assert_eq!(changes(&repo, Side::Index, &since), ["M \"a.md\"", "A \"topic.md\""]);
    assert_eq!(changes(&repo, Side::Worktree, &since), ["M \"a.md\"", "A \"topic.md\""]);
    let error = open(&repo, Side::Index).changes(&Base::MergeBase("mian".to_owned())).expect_err("an error");
    assert!(error.help.is_some_and(|help| help.contains("`main`")));
    repo.git(&["checkout", "-q", "--orphan", "unrelated"]);
    repo.commit("unrelated");
    let error = open(&repo, Side::Index).changes(&since).expect_err("an error");
    assert!(error.message.contains("no common ancestor"), "{error}");
}

#[test]
fn before_the_first_commit_everything_is_new() {
    let repo = Repo::new();
    repo.write("staged.md", "x").add().write("not.md", "x");
    assert_eq!(changes(&repo, Side::Index, &Base::Previous), ["A \"staged.md\""]);
    assert_eq!(changes(&repo, Side::Worktree, &Base::Previous), ["A \"not.md\"", "A \"staged.md\""]);
}

#[test]
fn only_content_counts_as_a_change() {
    let repo = Repo::with_files([("a.md", "x"), ("b.md", "x")]);
    // The same bytes with another time stamp.
    repo.remove("a.md").write("a.md", "x");
    let later = std::time::SystemTime::now() + std::time::Duration::from_secs(100);
    std::fs::File::options().write(true).open(repo.at("a.md")).and_then(|file| file.set_modified(later)).expect("set");
    assert_eq!(changes(&repo, Side::Worktree, &Base::Previous), [""; 0]);
}

/// Run `git fast-import` on a stream.
fn import(repo: &Repo, stream: &[u8]) {
    use std::io::Write;
    let mut git = repo.command("git", repo.root());
    let git = git.args(["fast-import", "--quiet"]).stdin(std::process::Stdio::piped());
    let mut child = git.spawn().expect("git runs");
    child.stdin.take().expect("piped").write_all(stream).expect("written");
    assert!(child.wait().expect("it ends").success());
    repo.git(&["reset", "-q", "--hard", "main"]);
}

/// A history that knows what became of each of its files, since it made it.
#[derive(Default)]
struct Made {
    stream: Vec<u8>,
    commits: usize,
    seed: u64,
    /// The files of the moment: path, number, text.
    files: Vec<(String, usize, String)>,
    /// Who had a path last.
    owner: std::collections::BTreeMap<String, usize>,
}

impl Made {
    fn random(&mut self, below: usize) -> usize {
        self.seed = self.seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.seed >> 33) as usize % below
    }

    fn commit(&mut self, branch: &str, from: Option<usize>, merge: Option<usize>, changes: &str) -> usize {
        self.commits += 1;
        let (mark, time) = (self.commits, 1_700_000_000 + 60 * self.commits);
        let from = from.map_or(String::new(), |from| format!("from :{from}\n"));
        let merge = merge.map_or(String::new(), |merge| format!("merge :{merge}\n"));
        let head = format!("commit refs/heads/{branch}\nmark :{mark}\ncommitter A <a@example.invalid> {time} +0000\n");
        self.stream.extend(format!("{head}data 1\nx\n{from}{merge}{changes}\n").bytes());
        mark
    }

    fn put(&mut self, path: String, number: usize, text: String) -> String {
        let change = format!("M 100644 inline {path}\ndata {}\n{text}\n", text.len());
        self.owner.insert(path.clone(), number);
        self.files.push((path, number, text));
        change
    }

    fn new_file(&mut self) -> String {
        let number = self.owner.len() + self.commits * 1000;
        let path = format!("d{}/f{}.md", self.random(6), self.random(400));
        match self.files.iter().any(|file| file.0 == path) {
            true => String::new(),
            false => self.put(path, number, text(&format!("file {number}"))),
        }
    }

    /// The changes of one ordinary commit.
    fn step(&mut self) -> String {
        if self.files.len() < 30 {
            return self.new_file();
        }
        let at = self.random(self.files.len());
        match self.random(10) {
            0..3 => self.new_file(),
            3..5 => {
                let (path, ..) = self.files.swap_remove(at);
                format!("D {path}\n")
            }
            5 => {
                let (from, to) = (format!("d{}/", self.random(6)), format!("d{}/sub{}/", self.random(6), self.commits));
                let mut moved = String::new();
                for index in 0..self.files.len() {
                    if self.files[index].0.starts_with(&from) {
                        let (path, number, _) = &mut self.files[index];
                        let new = path.replacen(&from, &to, 1);
                        moved.push_str(&format!("R {path} {new}\n"));
                        self.owner.insert(new.clone(), *number);
                        *path = new;
                    }
                }
                moved
            }
            kind => {
                let (old, number, text) = self.files.swap_remove(at);
                let new = format!("d{}/r{}.md", self.random(6), self.commits);
                let more = if kind < 8 { "" } else { "one more line\n" };
                format!("D {old}\n{}", self.put(new, number, text + more))
            }
        }
    }
}

fn made(commits: usize) -> Made {
    let mut made = Made { seed: 7, ..Made::default() };
    let mut head = None;
    while made.commits < commits {
        if made.random(20) > 0 {
            let changes = made.step();
            head = Some(made.commit("main", head, None, &changes));
            continue;
        }
        let added = made.new_file();
        let side = made.commit("side", head, None, &added);
        let beside = made.commit("main", head, None, "");
        head = Some(made.commit("main", Some(beside), Some(side), &added));
    }
    made
}

#[test]
fn a_long_history_is_remembered_as_it_was() {
    let made = made(1500);
    let repo = Repo::new();
    import(&repo, &made.stream);
    let there: std::collections::BTreeSet<&str> = made.files.iter().map(|file| file.0.as_str()).collect();
    let gone: Vec<(&str, usize)> = made.owner.iter().map(|(path, number)| (path.as_str(), *number)).collect();
    let gone: Vec<_> = gone.into_iter().filter(|(path, _)| !there.contains(path)).collect();
    assert!(gone.len() > 400, "{}", gone.len());
    for few in [5, 60, gone.len()] {
        let asked = || gone.iter().step_by(gone.len() / few).take(few);
        let fates = asked().map(|(path, _)| RepoPath::new(path)).chain(["d0/never.md".into()]).collect();
        let questions = Questions { fates, ..Questions::default() };
        let answers = open(&repo, head()).answer(&questions);
        assert_eq!(answers.fate(&"d0/never.md".into()), &Fate::NeverTracked);
        for (path, number) in asked() {
            let expected = made.files.iter().find(|file| file.1 == *number).map(|file| RepoPath::new(&file.0));
            let found = match answers.fate(&(*path).into()) {
                Fate::Renamed { to, .. } => Some(to.clone()),
                Fate::Deleted { .. } => None,
                other => panic!("{path}: {other:?}"),
            };
            assert_eq!(found, expected, "{path}");
        }
    }
}

#[test]
fn a_long_chain_of_names_is_followed_to_its_end() {
    let repo = Repo::with_files([("n0.md", text("n"))]);
    let mut first = None;
    for number in 0..9 {
        repo.git(&["mv", &format!("n{number}.md"), &format!("n{}.md", number + 1)]);
        let id = repo.commit("move");
        first.get_or_insert(id);
    }
    let first = first.expect("a commit");
    assert_eq!(fate_of(&repo, head(), "n0.md"), format!("moved \"n9.md\" {}", short(&first)));
    let last = repo.remove("n9.md").commit("delete");
    assert_eq!(fate_of(&repo, head(), "n9.md"), format!("deleted {}", short(&last)));
    assert_eq!(fate_of(&repo, head(), "n0.md"), format!("deleted {}", short(&first)));
}

/// Take an object out of a repository whose objects are all loose.
fn lose(repo: &Repo, revision: &str) {
    let id = repo.git(&["rev-parse", revision]);
    let (dir, name) = id.trim().split_at(2);
    repo.remove(format!(".git/objects/{dir}/{name}"));
}

#[test]
fn where_files_are_missing_only_the_same_content_tells_a_rename() {
    let files = ["a", "b", "c", "d"].map(|name| (format!("{name}.md"), text(name)));
    let repo = Repo::with_files(files);
    let start = repo.git(&["rev-parse", "HEAD"]);
    repo.git(&["mv", "a.md", "a2.md"]);
    let moved = repo.commit("move");
    repo.write("b2.md", text("b") + "more\n").remove("b.md");
    let unclear = repo.commit("move and change");
    repo.remove("c.md");
    let deleted = repo.commit("delete");
    repo.write("d2.md", text("d") + "more\n").remove("d.md");
    let changed = repo.commit("move and change another");
    lose(&repo, &format!("{}:b.md", start.trim()));
    lose(&repo, &format!("{}:c.md", start.trim()));
    let opened = open(&repo, Side::Worktree);
    let fates = ["a.md", "b.md", "c.md", "d.md"].map(RepoPath::from);
    let answers = opened.answer(&Questions { fates: fates.clone().into(), ..Questions::default() });
    let found = fates.map(|path| show(answers.fate(&path)));
    let expected = [
        format!("moved \"a2.md\" {}", short(&moved)),
        format!("gone {}", short(&unclear)),
        format!("deleted {}", short(&deleted)),
        format!("renamed \"d2.md\" {}", short(&changed)),
    ];
    assert_eq!(found, expected);
    assert!(answers.notes.len() == 1 && answers.notes[0].contains("git fsck"), "{:?}", answers.notes);
    // What is certain needs no excuse.
    assert!(ask(&opened, "c.md").notes.is_empty());
}

#[test]
fn replaced_objects_are_read_as_git_reads_them() {
    let repo = Repo::with_files([("a.md", text("a")), ("b.md", "old\n".to_owned())]);
    repo.remove("a.md").commit("delete");
    let blob = repo.git(&["rev-parse", "HEAD:b.md"]);
    repo.write("other", "new\n");
    let other = repo.git(&["hash-object", "-w", "other"]);
    repo.remove("other").git(&["replace", blob.trim(), other.trim()]);
    let read = |side: Side, more: &[(&str, &Path)]| {
        let opened = try_open(&repo, repo.root(), side, more).expect("opens");
        let bytes = opened.source.read(&"b.md".into()).expect("readable");
        (String::from_utf8_lossy(&bytes).into_owned(), opened.source.notes().len())
    };
    for packed in [false, true] {
        if packed {
            repo.git(&["pack-refs", "--all"]);
        }
        for side in [Side::Index, head()] {
            assert_eq!(read(side.clone(), &[]), ("new\n".to_owned(), 0));
            assert_eq!(read(side, &[("GIT_NO_REPLACE_OBJECTS", Path::new("1"))]), ("old\n".to_owned(), 0));
        }
        let without = read(Side::Index, &[("PATH", &repo.home())]);
        assert_eq!(without, ("old\n".to_owned(), 1), "and a note says so");
    }
    let fate = show(ask(&open(&repo, head()), "a.md").fate(&"a.md".into()));
    assert!(fate.starts_with("deleted"), "{fate}");
}

#[cfg(unix)]
#[test]
fn no_program_that_a_repository_names_is_run() {
    let repo =
        Repo::with_files([("a.md", text("a")), ("b.md", text("b")), ("AGENTS.md", "See `b.md`, @a.md.\n".to_owned())]);
    repo.git(&["mv", "b.md", "c.md"]);
    repo.commit("move");
    repo.write(".gitattributes", "*.md filter=evil diff=evil merge=evil\n").add();
    let ran = repo.beside("ran");
    let touch = format!("touch {}; cat", ran.display());
    for name in [
        "filter.evil.clean",
        "filter.evil.smudge",
        "filter.evil.process",
        "filter.odd name.clean",
        "diff.evil.textconv",
        "diff.evil.command",
        "diff.external",
        "merge.evil.driver",
        "core.fsmonitor",
        "core.pager",
        "core.editor",
        "core.sshCommand",
        "core.alternateRefsCommand",
        "gpg.program",
        "alias.log",
        "alias.diff",
    ] {
        repo.git(&["config", name, &touch]);
    }
    repo.git(&["config", "filter.evil.required", "true"]);
    repo.git(&["config", "diff.orderFile", "/nonexistent"]);
    for hook in ["post-index-change", "reference-transaction", "fsmonitor-watchman"] {
        let path = format!(".git/hooks/{hook}");
        repo.write(&path, format!("#!/bin/sh\n{touch}\n"));
        use std::os::unix::fs::PermissionsExt;
        std::fs::set_permissions(repo.at(&path), std::fs::Permissions::from_mode(0o755)).expect("a mode");
    }
    // The same size and another time: whoever wants to know whether it changed has to read it.
    repo.write("c.md", text("c"));
    let later = std::time::SystemTime::now() + std::time::Duration::from_secs(100);
    std::fs::File::options().write(true).open(repo.at("a.md")).and_then(|file| file.set_modified(later)).expect("set");
    for side in [&[][..], &["--staged"], &["--rev", "HEAD"], &["--since", "HEAD~"], &["--fix"]] {
        let run = repo.run(&[&["--select", "all", "--format", "concise"], side].concat());
        assert!(run.code < 2 && !ran.exists(), "{side:?}: {run:?}");
    }
    let changed = changes(&repo, Side::Worktree, &Base::Previous);
    assert!(!changed.iter().any(|line| line.contains("\"a.md\"")), "{changed:?}");
    assert!(!ran.exists());
}
