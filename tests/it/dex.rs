//! The requirements named D: what the dialect `dex` loads.

use crate::tree::Tree;

const DEX: [&str; 2] = ["--agent", "dex"];

#[test]
fn d01_the_users_file_is_first_and_its_imports_stay() {
    let tree = Tree::new(&[
        ("home/.config/dex/hints.md", "mine\n@x.md\n"),
        ("home/.config/dex/x.md", "X"),
        ("r/.git/", ""),
        ("r/DEX.md", "d"),
    ]);
    let user = "<!-- From: {ROOT}/home/.config/dex/hints.md -->\nmine\n@x.md\n\n\n";
    let own = "<!-- From: {ROOT}/r/DEX.md -->\nd\n\n\n";
    assert_eq!(tree.show("r", &DEX), format!("# Project Context\n\n{user}{own}"));
    assert_eq!(tree.show("r", &["--agent", "dex", "--no-user"]), format!("# Project Context\n\n{own}"));
}

#[test]
fn d02_all_four_names_from_the_root_down() {
    let mut files = vec![("r/.git/", "")];
    for dir in ["r", "r/a"] {
        for name in ["CLAUDE.md", "AGENTS.md", "DEX.md", ".dexhints"] {
            let path: &str = Box::leak(format!("{dir}/{name}").into_boxed_str());
            files.push((path, if name == "DEX.md" { "" } else { "x" }));
        }
    }
    let tree = Tree::new(&files);
    let text = tree.show("r/a", &DEX);
    let from: Vec<&str> = text.lines().filter_map(|line| line.strip_prefix("<!-- From: {ROOT}/")).collect();
    let expected = ["r/.dexhints", "r/AGENTS.md", "r/CLAUDE.md", "r/a/.dexhints", "r/a/AGENTS.md", "r/a/CLAUDE.md"];
    assert_eq!(from, expected.map(|path| format!("{path} -->")));
}

#[test]
fn d03_the_form_of_the_text() {
    let tree = Tree::new(&[("r/.git/", ""), ("r/AGENTS.md", "a"), ("e/.git/", "")]);
    assert_eq!(tree.show("r", &DEX), "# Project Context\n\n<!-- From: {ROOT}/r/AGENTS.md -->\na\n\n\n");
    assert_eq!(tree.show("e", &DEX), "");
}

fn body(files: &[(&str, &str)]) -> String {
    let tree = Tree::new(files);
    tree.write("r/.git/", "");
    let text = tree.show("r", &DEX);
    text.strip_prefix("# Project Context\n\n<!-- From: {ROOT}/r/AGENTS.md -->\n").expect("one section").to_owned()
}

#[test]
fn d04_an_import_is_a_line_of_its_own_even_in_a_fence() {
    let found =
        body(&[("r/AGENTS.md", "```\n @d/a.md \n```\nsee @d/a.md"), ("r/d/a.md", "A\n@b.md"), ("r/d/b.md", "B")]);
    assert_eq!(found, "```\n<!-- Imported: d/a.md -->\nA\n<!-- Imported: b.md -->\nB\n\n\n```\nsee @d/a.md\n\n\n");
    assert_eq!(body(&[("r/AGENTS.md", "@/a.md"), ("r/a.md", "A")]), "<!-- Imported: /a.md -->\nA\n\n\n\n");
}

#[test]
fn d05_imports_stay_in_the_repository() {
    let found = body(&[
        ("r/AGENTS.md", "@../r-x/a.md\n@link.md\nend"),
        ("r-x/a.md", "A"),
        ("out.md", "O"),
        ("r/link.md", "->../out.md"),
    ]);
    let refused = "<!-- Import outside repository: ../r-x/a.md -->\n<!-- Import outside repository: link.md -->\n";
    assert_eq!(found, format!("{refused}end\n\n\n"));
}

#[test]
fn d06_a_missing_import_is_named_and_loading_goes_on() {
    let found = body(&[("r/AGENTS.md", "@gone.md\n@a.md"), ("r/a.md", "A")]);
    assert_eq!(found, "<!-- Import not found: gone.md -->\n<!-- Imported: a.md -->\nA\n\n\n\n");
}

#[test]
fn d07_depth_is_three_and_both_cycles_and_depth_are_reported() {
    let tree = Tree::new(&[("r/.git/", ""), ("r/AGENTS.md", "@a.md"), ("r/a.md", "@a.md")]);
    let output = tree.run("r", &DEX);
    let text = tree.text(&output.stdout);
    assert_eq!(text.matches("<!-- Imported: a.md -->").count(), 3);
    assert_eq!(text.matches("\n@a.md\n").count(), 1);
    assert!(tree.text(&output.stderr).contains("imports are followed to depth 3"));
    let shallow = tree.show("r", &["--agent", "dex", "--agent-option", "dex.max_import_depth=1"]);
    assert_eq!(shallow.matches("<!-- Imported: a.md -->").count(), 1);
}

#[test]
fn d08_a_section_that_overflows_is_dropped_whole() {
    let (big, full) = ("x".repeat(51_200), "y".repeat(51_198));
    let tree = Tree::new(&[("r/.git/", ""), ("r/.dexhints", &big), ("r/AGENTS.md", &full), ("r/CLAUDE.md", "z")]);
    let output = tree.run("r", &DEX);
    let text = tree.text(&output.stdout);
    // Every line comes out with a line end of its own, so that 51,200 characters are one byte too many.
    assert!(!text.contains("xx") && text.contains(&full) && !text.contains("\nz\n"));
    assert!(tree.text(&output.stderr).contains("r/.dexhints is dropped"));
    let tree = Tree::new(&[("r/.git/", ""), ("r/.dexhints", "long line"), ("r/AGENTS.md", "a")])
        .env("DEX_HINTS_MAX_SIZE", "5");
    assert!(tree.show("r", &DEX).contains("AGENTS.md -->\na\n"));
}

#[test]
fn d09_hidden_characters_go() {
    let found = body(&[("r/AGENTS.md", "a\u{e0049}b\u{202e}c\u{200b}\n@i.md"), ("r/i.md", "\u{feff}I\u{e0001}")]);
    assert_eq!(found, "abc\n<!-- Imported: i.md -->\nI\n\n\n\n");
}

#[test]
fn d10_a_broken_file_stops_no_other() {
    let tree = Tree::new(&[("r/.git/", ""), ("r/AGENTS.md/", ""), ("r/DEX.md", "->nowhere"), ("r/CLAUDE.md", "c")]);
    std::fs::write(tree.path("r/.dexhints"), b"bad \xff byte").expect("a file");
    let text = tree.show("r", &DEX);
    assert!(text.contains("bad \u{fffd} byte") && text.contains("CLAUDE.md -->\nc"));
}

#[test]
fn d11_switches_and_the_environment_decide() {
    let files = [("r/.git/", ""), ("r/AGENTS.md", "a"), ("r/OWN.md", "own")];
    let tree = Tree::new(&files).env("DEX_HINTS_ENABLED", "false");
    assert_eq!(tree.show("r", &DEX), "");
    assert_ne!(tree.show("r", &["--agent", "dex", "--agent-option", "dex.enabled=true"]), "");
    let tree = Tree::new(&files);
    let own = tree.show("r", &["--agent", "dex", "--agent-option", "dex.filenames=[\"OWN.md\"]"]);
    assert_eq!(own, "# Project Context\n\n<!-- From: {ROOT}/r/OWN.md -->\nown\n\n\n");
}

#[test]
fn d12_show_works_in_the_current_directory() {
    let tree = Tree::new(&[("AGENTS.md", "here")]);
    assert!(tree.show(".", &DEX).contains("<!-- From: {ROOT}/AGENTS.md -->\nhere\n"));
}

#[test]
fn d15_outside_git_the_directory_alone_counts() {
    let tree = Tree::new(&[("r/AGENTS.md", "above"), ("r/a/AGENTS.md", "@../x.md"), ("r/x.md", "X")]);
    let expected =
        "# Project Context\n\n<!-- From: {ROOT}/r/a/AGENTS.md -->\n<!-- Import outside repository: ../x.md -->\n\n\n";
    assert_eq!(tree.show("r/a", &DEX), expected);
}

#[test]
fn d17_no_failure_is_an_abort() {
    let tree = Tree::new(&[("r/.git/", ""), ("r/AGENTS.md", "->AGENTS.md"), ("r/CLAUDE.md/", "")]);
    let output = tree.run("r", &DEX);
    assert_eq!((output.status.code(), tree.text(&output.stdout)), (Some(0), String::new()));
    assert!(tree.text(&tree.run("r", &["--agent", "dex", "-v"]).stderr).contains("r/AGENTS.md: could not be read"));
}

#[test]
fn d11_show_obeys_the_config_below_the_environment_and_the_options() {
    let config = "[limits]\ncontext-bytes = 20\nimport-depth = 1\n\n[dex]\nfilenames = [\"HINTS.md\", \"DEX.md\"]\n";
    let files = [
        ("r/.git/", ""),
        ("r/hintlint.toml", config),
        ("r/DEX.md", "dex\n"),
        ("r/AGENTS.md", "agents\n"),
        ("r/a/HINTS.md", "@one.md\n"),
        ("r/a/one.md", "@two.md\n"),
        ("r/a/two.md", "too deep\n"),
        ("r/b/HINTS.md", "more than twenty bytes of text\n"),
        ("off.toml", "[dex]\nenabled = false\n"),
    ];
    let tree = Tree::new(&files);
    let from = |tree: &Tree, dir: &str, args: &[&str]| -> Vec<String> {
        let text = tree.show(dir, &[&DEX[..], args].concat());
        text.lines().filter_map(|line| Some(line.strip_prefix("<!-- From: {ROOT}/r/")?.replace(" -->", ""))).collect()
    };
    assert_eq!(from(&tree, "r", &[]), ["DEX.md"], "AGENTS.md is none of the names");
    assert_eq!(from(&tree, "r/b", &[]), ["DEX.md"], "the limit is the config's");
    assert_eq!(from(&tree, "r/b", &["--agent-option", "dex.max_total_size=900"]), ["DEX.md", "b/HINTS.md"]);
    assert_eq!(from(&tree, "r", &["--no-config"]), ["DEX.md", "AGENTS.md"]);
    assert_eq!(from(&tree, "r", &["--config", "off.toml"]), [""; 0]);
    assert_eq!(from(&tree, "r", &["--agent-option", "dex.filenames=[\"AGENTS.md\"]"]), ["AGENTS.md"]);
    let one = tree.show("r/a", &[&DEX[..], &["--agent-option", "dex.max_total_size=900"]].concat());
    assert!(one.contains("Imported: one.md") && one.contains("@two.md") && !one.contains("too deep"), "{one}");
    let tree = Tree::new(&files).env("DEX_HINTS_MAX_SIZE", "900").env("DEX_HINTS_ENABLED", "1");
    assert_eq!(
        from(&tree, "r", &["--config", "off.toml"]),
        ["DEX.md", "AGENTS.md"],
        "the environment wins over the config"
    );
    assert_eq!(from(&tree, "r/b", &[]), ["DEX.md", "b/HINTS.md"], "here too");
    assert_eq!(from(&tree, "r/b", &["--agent-option", "dex.enabled=false"]), [""; 0], "an option wins over both");
    tree.write("r/hintlint.toml", "nonsense = {\n");
    let run = tree.run("r", &DEX);
    assert!(run.status.success() && String::from_utf8_lossy(&run.stderr).contains("has problems"), "{run:?}");
}

#[test]
fn d11_show_and_compile_agree() {
    use crate::support::Repo;
    let config = "[limits]\ncontext-bytes = 60\n\n[dex]\nfilenames = [\"HINTS.md\", \"DEX.md\"]\n";
    let repo = Repo::with_files([
        ("hintlint.toml", config),
        ("DEX.md", "dex\n"),
        ("AGENTS.md", "agents\n"),
        ("a/HINTS.md", "hints of a\n"),
        ("a/b/DEX.md", "a text that is longer than what the limit of the config leaves room for\n"),
        ("c/x.txt", ""),
    ]);
    let deeper = repo.run(&["show", "a/b", "--agent", "dex", "--no-user"]).stdout;
    assert_eq!(deeper, repo.run(&["show", "a", "--agent", "dex", "--no-user"]).stdout, "the rest is over the limit");
    assert_eq!(repo.run(&["compile", "a/b", "--agent", "dex", "--stdout"]).stdout, "", "so that it has no artifact");
    for dir in [".", "a"] {
        let shown = repo.run(&["show", dir, "--agent", "dex", "--no-user"]).stdout;
        let root = format!("{}/", repo.root().display());
        let compiled = repo.run(&["compile", dir, "--agent", "dex", "--stdout"]).stdout;
        let expected = shown.replace(&root, "");
        assert!(expected.contains("From: DEX.md"), "{dir}: {expected}");
        assert!(compiled.contains(expected.trim_end()), "{dir}:\n{compiled}\n---\n{expected}");
    }
}
