//! Tests of the paths in commands.

use super::*;
use crate::base::kind::Kind;

fn of(text: &str) -> Vec<String> {
    let document = Document::parse("AGENTS.md".into(), Kind::AgentsMd, text.as_bytes().into());
    let shown = |word: CommandPath| {
        format!("{}{}{}", word.folder, if word.folder.is_empty() { "" } else { ":" }, document.slice(word.span))
    };
    paths(&document).into_iter().map(shown).collect()
}

#[test]
fn what_commands_read_or_run() {
    assert_eq!(
        of("`node scripts/a.mjs --x` `./tools/b.sh` `FOO=1 python3 src/c.py`\n"),
        ["scripts/a.mjs", "./tools/b.sh", "src/c.py"]
    );
    let text = "```bash\n$ sudo dev/setup.sh x # y/z.sh\ncat docs/a.md | grep x > out/b.txt\nuv run pytest tests/t.py::test_x\n```\n";
    assert_eq!(of(text), ["dev/setup.sh", "docs/a.md", "tests/t.py::test_x"]);
}

#[test]
fn a_script_stands_alone_in_a_line_of_a_shell() {
    assert_eq!(of("```sh\nscripts/a.sh\nsrc/a.rs\n```\n\n```\nscripts/b.sh\n```\n`scripts/c.sh`\n"), ["scripts/a.sh"]);
}

#[test]
fn what_commands_make_or_do_elsewhere() {
    let text = "`touch src/a.rs` `git add src/a.rs` `mkdir -p a/b` `src/a.rs` `and/or then` `node -o out/x.js` `curl https://x.y/z.sh`\n\n\
                ```bash\n# node scripts/a.js\ncd web\nnode scripts/b.js\n```\n\n```ts\nnode scripts/c.js\n```\n\n\
                ```sh\ngit clone x\nnode scripts/d.js\n```\n";
    assert_eq!(of(text), ["and/or", "web", "web:scripts/b.js"]);
}

#[test]
fn folders_to_which_lines_go_count() {
    let text = "```bash\ncd web && node a/b.js\nnode a/c.js\ncd ../api\npython x/y.py\ncd $HOME\nnode a/d.js\n```\n";
    assert_eq!(of(text), ["web", "web:a/b.js", "web:a/c.js", "web:../api", "api:x/y.py"]);
}

#[test]
fn lines_that_go_to_the_same_folder_are_alternatives() {
    let text = "```bash\ncd web && node a/b.js\ncd web/x && node a/c.js\n```\n";
    assert_eq!(of(text), ["web", "web:a/b.js", "web:web/x", "web/x:a/c.js"]);
}

#[test]
fn a_file_that_is_run_needs_no_folder() {
    let text = "`python tool.py` `node x.js a.js` `./run.sh` `bash go.sh` `pip install -r dev.txt` `node -e x.y` `pytest a.py`\n";
    assert_eq!(of(text), ["tool.py", "x.js", "./run.sh", "go.sh", "dev.txt"]);
}

#[test]
fn playbooks_are_run_and_folders_entered() {
    let text = "`ansible-playbook site.yml --limit x.yml` `ansible-playbook -i hosts.yml --tags a site.yaml` `terraform -chdir=infra plan`\n";
    assert_eq!(of(text), ["site.yml", "site.yaml", "infra"]);
    assert_eq!(of("`ansible-playbook --version` `ansible-lint site.yml` `terraform -chdir=/tmp/x plan`\n"), [""; 0]);
}

#[test]
fn what_a_command_printed_is_no_command() {
    let text = "```\n| src/a.ts | 83% |\nsrc/b.ts 12 34\nsrc/c.rs:1: error\ntools/go x/y.z\nParts/   # a tree\n./d.ts x\n```\n";
    assert_eq!(of(text), ["tools/go", "x/y.z", "./d.ts"]);
    assert_eq!(of("```\ncore/make.py \u{2192} the prices\ncore/make.py --all\n```\n"), ["core/make.py"]);
}

#[test]
fn values_of_options_are_read() {
    let text = "`npm --prefix=apps/web run x` `jest --config=cfg/a.js --outDir=x/y --coverage=a/b`\n";
    assert_eq!(of(text), ["apps/web", "cfg/a.js"]);
}
