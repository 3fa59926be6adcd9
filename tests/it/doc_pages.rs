//! What docs/plans.md, docs/hooks.md and docs/explore.md show is what the program says: their consoles are run, in order, in a repository with the
//! files that they show. `UPDATE_README=1` writes the answers anew.

use crate::clients::own;
use crate::packaging::search_path;
use crate::support::Repo;

/// The page with the answers that its commands get now.
fn run(page: &str) -> String {
    let repo = Repo::new();
    let (mut out, mut file, mut block) = (String::new(), None, None::<(bool, String)>);
    for line in page.lines() {
        if let Some(path) = line.strip_prefix("<!-- file: ").and_then(|rest| rest.strip_suffix(" -->")) {
            file = Some(path.to_owned());
        }
        match (&mut block, line.strip_prefix("```")) {
            (None, Some(info)) => block = Some((info == "console", String::new())),
            (Some(_), Some(_)) => {
                let (is_console, text) = block.take().expect("it is open");
                if !is_console && let Some(path) = file.take() {
                    repo.write(path, text);
                }
            }
            (Some((false, text)), None) => text.push_str(&format!("{line}\n")),
            (Some((true, _)), None) => {
                // Old answers go.
                let Some(command) = line.strip_prefix("$ ") else { continue };
                out.push_str(&format!("{line}\n{}", answer(&repo, command)));
                continue;
            }
            (None, None) => {}
        }
        out.push_str(&format!("{line}\n"));
    }
    out
}

fn answer(repo: &Repo, command: &str) -> String {
    let mut shell = repo.command("sh", repo.root());
    let run = shell.args(["-c", &format!("{command} 2>&1")]).env("PATH", search_path()).output().expect("a shell");
    assert!(run.status.success(), "{command}: {run:?}");
    let text = String::from_utf8(run.stdout).expect("UTF-8");
    let [root, home] = [repo.root(), &repo.home()].map(|path| path.display().to_string());
    let text = text.replace(&root, "/home/you/payments").replace(&home, "/home/you");
    // The only clock in it.
    let line = |line: &str| match line.starts_with("Started: ") {
        true => "Started: 2026-01-09T10:00:00Z\n".to_owned(),
        false => format!("{line}\n"),
    };
    text.lines().map(line).collect()
}

fn check(name: &str) {
    let file = own(&format!("docs/{name}"));
    let page = std::fs::read_to_string(&file).expect("a page");
    let fresh = run(&page);
    assert!(fresh.matches("\n$ hintlint ").count() > 1, "{name} shows commands");
    if std::env::var_os("UPDATE_README").is_some() {
        std::fs::write(&file, &fresh).expect("the page can be written");
        return;
    }
    assert!(
        page == fresh,
        "{name} is stale; run UPDATE_README=1 cargo test doc_pages, and read the difference:\n{fresh}"
    );
}

#[cfg(unix)]
#[test]
fn plans_show_what_the_program_says() {
    check("plans.md");
}

#[cfg(unix)]
#[test]
fn looking_at_contexts_shows_what_the_program_says() {
    check("explore.md");
}

#[cfg(unix)]
#[test]
fn hooks_show_what_the_program_says() {
    check("hooks.md");
}
