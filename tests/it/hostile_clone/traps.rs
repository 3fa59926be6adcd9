//! A repository whose config, attributes and hooks name programs, each of which leaves a mark when it runs.

use std::cell::Cell;
use std::fs;
use std::path::PathBuf;

use crate::support::Repo;

/// A repository full of traps, and the folder in which they leave their marks.
pub(super) struct Trapped {
    pub(super) repo: Repo,
    marks: PathBuf,
    /// A file of the first commit whose bytes are missing, as in a partial clone.
    pub(super) missing: String,
    /// How often the files were made to look changed.
    touched: Cell<u32>,
}

impl Trapped {
    /// A repository in which the traps are set only after its history was made.
    pub(super) fn new(options: &[&str]) -> Trapped {
        let repo = Repo::init(options);
        let marks = repo.beside("marks");
        fs::create_dir(&marks).expect("made");
        let trapped = Trapped { repo, marks, missing: String::new(), touched: Cell::new(0) };
        trapped.with_history().with_config()
    }

    fn with_history(mut self) -> Trapped {
        let repo = &self.repo;
        let long = "A line of text.\n".repeat(20);
        repo.write("AGENTS.md", "# Project\n\nSee `docs/old.md` and caf\u{e9}\u{200b}s.\n")
            .write("CLAUDE.md", "@AGENTS.md\n");
        repo.write("docs/old.md", &long).write("docs/gone.md", "Gone.\n").write("a.proc", "x\n").write("empty.txt", "");
        repo.write(
            ".gitattributes",
            "* filter=evil diff=evil merge=evil\n*.proc filter=evilprocess\n*.sh diff=evilcommand\n",
        );
        repo.write("x.sh", "echo 1\n").write("plan.md", "- [ ] one\n").write("conflict.md", "base\n");
        repo.git(&["config", "user.signingkey", "x"]);
        repo.git(&["config", "gpg.program", self.script("gpg", SIGNER).to_str().expect("UTF-8")]);
        repo.add().git(&["commit", "-q", "-S", "-m", "signed"]);
        self.missing = repo.git(&["rev-parse", "HEAD:docs/gone.md"]).trim().to_owned();
        repo.git(&["checkout", "-q", "-b", "side"]);
        repo.write("conflict.md", "theirs\n").commit("theirs");
        repo.git(&["checkout", "-q", "main"]);
        repo.write("conflict.md", "ours\n").commit("ours");
        let merged = repo.try_git_in(repo.root(), &["merge", "-q", "side"]);
        assert_ne!(merged.code, 0, "{merged:?}");
        repo.write("conflict.md", "both\n").commit("merged");
        repo.write("docs/new.md", format!("{long}More.\n")).remove("docs/old.md").remove("docs/gone.md");
        repo.write("x.sh", "echo 2\n").commit("renamed");
        self
    }

    fn with_config(self) -> Trapped {
        let repo = &self.repo;
        // Where the objects of another repository are looked up, too.
        let other = Repo::with_files([("x", "x")]);
        fs::rename(other.root(), repo.beside("other")).expect("moved");
        let alternates = format!("{}\n", repo.beside("other/.git/objects").display());
        if !repo.git(&["rev-parse", "--show-object-format"]).starts_with("sha256") {
            repo.write(".git/objects/info/alternates", alternates);
        }
        let mark = |name: &str| format!("touch {}; true", self.marks.join(name).display());
        let script = |name: &str| self.script(name, "exit 1").to_str().expect("UTF-8").to_owned();
        let hooks = repo.beside("hooks");
        for hook in ["post-index-change", "reference-transaction", "pre-commit", "post-checkout", "pre-auto-gc"] {
            let place = self.script(hook, "exit 0");
            fs::create_dir_all(&hooks).expect("made");
            fs::rename(place, hooks.join(hook)).expect("moved");
        }
        let settings = [
            ("filter.evil.clean", mark("clean")),
            ("filter.evil.smudge", mark("smudge")),
            ("filter.evilprocess.process", mark("process")),
            ("filter.evilprocess.required", "true".to_owned()),
            ("diff.evil.textconv", mark("textconv")),
            ("diff.evil.cachetextconv", "true".to_owned()),
            ("diff.evilcommand.command", mark("diff-command")),
            ("diff.external", mark("diff-external")),
            ("merge.evil.driver", mark("merge-driver")),
            ("log.diffMerges", "remerge".to_owned()),
            ("log.showSignature", "true".to_owned()),
            ("gpg.program", script("gpg")),
            ("core.fsmonitor", mark("fsmonitor")),
            ("core.untrackedCache", "true".to_owned()),
            ("core.hooksPath", hooks.to_str().expect("UTF-8").to_owned()),
            ("core.sshCommand", mark("ssh")),
            ("core.gitProxy", script("proxy")),
            ("core.pager", mark("pager")),
            ("pager.log", mark("pager")),
            ("pager.ls-files", mark("pager")),
            ("core.askPass", script("askpass")),
            ("core.editor", mark("editor")),
            ("core.alternateRefsCommand", mark("alternate-refs")),
            ("credential.helper", format!("!{}", mark("credential"))),
            ("alias.ls-files", format!("!{}", mark("alias"))),
            ("alias.evil", format!("!{}", mark("alias"))),
            ("diff.submodule", "log".to_owned()),
            ("submodule.recurse", "true".to_owned()),
            ("remote.origin.url", "ssh://nowhere.invalid/x".to_owned()),
            ("remote.origin.promisor", "true".to_owned()),
            ("remote.origin.partialclonefilter", "blob:none".to_owned()),
        ];
        for (name, value) in &settings {
            repo.git(&["config", name, value]);
        }
        self.sprung();
        self
    }

    /// A program in a file of its own that leaves a mark. It is written by a shell: a file that this process holds open for
    /// writing while another test starts a program cannot be run.
    pub(super) fn script(&self, name: &str, then: &str) -> PathBuf {
        let place = self.repo.beside(&format!("script-{name}"));
        let text = format!("#!/bin/sh\ntouch {}\n{then}\n", self.marks.join(name).display());
        let mut made = self.repo.command("sh", self.repo.root());
        let status = made.args(["-c", r#"printf %s "$1" > "$2" && chmod +x "$2""#, "sh", &text]).arg(&place).status();
        assert!(status.expect("sh starts").success());
        place
    }

    /// The marks that were left, and no longer are.
    pub(super) fn sprung(&self) -> Vec<String> {
        let marks = fs::read_dir(&self.marks).expect("listed").flatten();
        let mut names: Vec<String> = marks
            .map(|mark| {
                fs::remove_file(mark.path()).expect("removed");
                mark.file_name().to_string_lossy().into_owned()
            })
            .collect();
        names.sort();
        names
    }

    /// Make every file look changed, so that only its content can tell that it is not. Each time to another second, long ago:
    /// git takes a file for unchanged whose time is of the second that its index remembers.
    pub(super) fn touch(&self) {
        self.touched.set(self.touched.get() + 1);
        let time = format!("@{}", 1_000_000_000 + self.touched.get());
        let touched = self
            .repo
            .command("sh", self.repo.root())
            .args(["-c", r#"find . -name .git -prune -o -type f -exec touch -d "$1" {} +"#, "sh", &time])
            .status();
        assert!(touched.expect("sh starts").success());
    }

    pub(super) fn remove_object(&self, id: &str) {
        self.repo.remove(format!(".git/objects/{}/{}", &id[..2], &id[2..]));
        // A pack with that mark is what makes it a partial clone.
        self.repo.write(".git/objects/pack/pack-0.promisor", "");
        self.repo.git(&["config", "core.repositoryFormatVersion", "1"]);
        self.repo.git(&["config", "extensions.partialClone", "origin"]);
    }
}

const SIGNER: &str = "cat > /dev/null\necho '[GNUPG:] SIG_CREATED ' >&2\n\
    printf -- '-----BEGIN PGP SIGNATURE-----\\n\\nx\\n-----END PGP SIGNATURE-----\\n'";
