//! What a repository's past says, and what changed between two sides. Everything is asked twice, with the `git` program and
//! without it, and both have to agree.

use std::path::{Path, PathBuf};

use hintlint::path::RepoPath;
use hintlint::source::history::{Answers, CommitRef, Fate, Questions};
use hintlint::source::{Base, ChangeKind, Opened, Side};

use crate::sources::{head, open, try_open};
use crate::support::{EPOCH, Repo};

/// Ten lines that tell a file from every other.
fn text(name: &str) -> String {
    (0..10).map(|line| format!("{name} says {line}\n")).collect()
}

fn opened(repo: &Repo, start: &Path, side: Side) -> [Opened; 2] {
    let without_git: PathBuf = repo.home();
    [vec![], vec![("PATH", without_git.as_path())]]
        .map(|more| try_open(repo, start, side.clone(), &more).expect("the repository opens"))
}

fn commit_id(commit: &Option<CommitRef>) -> String {
    commit.as_ref().map_or("now".to_owned(), |commit| commit.id.clone())
}

fn show(fate: &Fate) -> String {
    match fate {
        Fate::NeverTracked => "never".to_owned(),
        Fate::Unknown => "unknown".to_owned(),
        Fate::Deleted { commit } => format!("deleted {}", commit_id(commit)),
        Fate::Renamed { to, exact: true, commit } => format!("moved {to:?} {}", commit_id(commit)),
        Fate::Renamed { to, exact: false, commit } => format!("renamed {to:?} {}", commit_id(commit)),
    }
}

fn ask(opened: &Opened, path: &str) -> Answers {
    opened.answer(&Questions { fates: [RepoPath::new(path)].into(), ..Questions::default() })
}

/// Ask for the fate of one path, with and without the program.
fn fate_of(repo: &Repo, side: Side, path: &str) -> String {
    let [with, without] = opened(repo, repo.root(), side).map(|opened| show(ask(&opened, path).fate(&path.into())));
    assert_eq!(with, without, "with and without git: {path}");
    with
}

fn short(id: &str) -> &str {
    &id[..10]
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
    repo.remove("d.md").commit("delete d");
    assert_ne!(deleted, deleted_again);
    for side in [Side::Worktree, Side::Index, head()] {
        for (path, expected) in [
            ("a.md", format!("renamed \"dir/a3.md\" {}", short(&moved))),
            ("a2.md", format!("renamed \"dir/a3.md\" {}", short(&moved_again))),
            ("b.md", format!("deleted {}", short(&deleted_again))),
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
    let answers = opened(&repo, repo.root(), Side::Index).map(|opened| opened.answer(&all));
    assert_eq!(answers[0].fates, answers[1].fates);
    for path in [&paths[3], &paths[7], &paths[59], &"none.md".into()] {
        let alone = ask(&opened(&repo, repo.root(), Side::Index)[0], path.to_str().unwrap());
        assert_eq!(answers[0].fate(path), alone.fate(path));
    }
    assert!(matches!(answers[0].fate(&paths[3]), Fate::Renamed { to, .. } if to == &"third.md".into()));
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
    let [with, without] = opened(&repo, repo.root(), Side::Worktree).map(|opened| opened.answer(&questions));
    assert_eq!(with.last_changes, without.last_changes);
    let changed: Vec<_> = with.last_changes.keys().collect();
    assert_eq!(changed, [&paths[0], &paths[1], &paths[2]]);
    assert_eq!(with.last_changes[&paths[2]].id, short(&third));
    let times = [0, 1, 2].map(|index| with.last_changes[&paths[index]].time);
    assert!(EPOCH < times[0] && times[0] < times[1] && times[1] < times[2], "{times:?}");
    assert_eq!(with.last_changes[&paths[0]].date, "2026-01-01");
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
    for opened in opened(&repo, &shallow, Side::Worktree) {
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
}

#[test]
fn partial_clones_answer_what_trees_alone_can() {
    let repo = Repo::with_files([("a.md", text("a")), ("b.md", text("b")), ("c.md", text("c"))]);
    repo.git(&["mv", "a.md", "a2.md"]);
    let moved = repo.commit("move");
    repo.write("b2.md", text("b") + "more\n").remove("b.md").commit("move and change");
    repo.git(&["config", "uploadpack.allowFilter", "true"]);
    let url = format!("file://{}", repo.root().display());
    for (filter, a) in [("blob:none", format!("moved \"a2.md\" {}", short(&moved))), ("tree:0", "unknown".to_owned())] {
        let clone = repo.beside(&filter.replace(':', "-"));
        repo.git(&["clone", "-q", "--filter", filter, &url, clone.to_str().expect("UTF-8")]);
        let opened = try_open(&repo, &clone, Side::Worktree, &[]).expect("opens");
        assert_eq!(show(ask(&opened, "a.md").fate(&"a.md".into())), a, "{filter}");
        let unknown = ask(&opened, "b.md");
        assert_eq!(show(unknown.fate(&"b.md".into())), "unknown", "{filter}");
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
fn grafted_history_is_followed_as_git_follows_it() {
    let repo = Repo::with_files([("a.md", text("a"))]);
    repo.remove("a.md").write("b.md", "b").commit("delete");
    repo.commit("last");
    repo.git(&["replace", "--graft", "HEAD"]);
    let opened = open(&repo, Side::Worktree);
    assert_eq!(show(ask(&opened, "a.md").fate(&"a.md".into())), "never");
}

/// The changes of a source, a line each, with and without the program.
fn changes(repo: &Repo, side: Side, base: &Base) -> Vec<String> {
    let line = |change: &hintlint::source::Change| match &change.kind {
        ChangeKind::Renamed { from, exact } => format!("R {from:?} {:?} {exact}", change.path),
        kind => format!("{} {:?}", &format!("{kind:?}")[..1], change.path),
    };
    let [with, without] = opened(repo, repo.root(), side).map(|opened| {
        let changes = opened.changes(base).expect("comparable");
        changes.list.iter().map(line).collect::<Vec<_>>()
    });
    assert_eq!(with, without, "with and without git");
    with
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
