//! How much work hostile input makes: what each command and each hook allocates, for an input and for one twice as large.
//!
//! Bytes are counted, not seconds: the same on every machine and under any load. Everything runs in this process on one thread, which
//! is what the counter sees. It does not see loops that allocate nothing, other programs (git), and what libgit2 allocates in C.

use allocation_counter::AllocationInfo;
use clap::{CommandFactory as _, Parser as _};
use hintlint::cli::args::Cli;
use hintlint::cli::{self, Console};
use hintlint::env::Env;
use hintlint::report::printer::Printer;

use crate::support::Repo;

/// Run the program in this process, on one thread: its exit code, and what it allocated. What it prints is dropped.
fn run(repo: &Repo, args: &[&str], stdin: &[u8]) -> (u8, AllocationInfo) {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a pool");
    let cli = Cli::try_parse_from(std::iter::once(&"hintlint").chain(args)).expect("the arguments are right");
    let (env, directory) = (repo.variables().into_iter().collect::<Env>(), repo.root().to_owned());
    let (mut code, mut input) = (0, stdin);
    let info = pool.install(|| {
        allocation_counter::measure(|| {
            let (mut out, mut err) = (std::io::sink(), std::io::sink());
            let mut console = Console {
                env,
                directory,
                stdin: &mut input,
                stdout: Printer::new(&mut out),
                stderr: Printer::new(&mut err),
                stdout_is_terminal: false,
                stderr_is_terminal: false,
                width: None,
                done_with: Vec::new(),
            };
            code = cli::run(&cli, &mut console).unwrap_or(2);
        })
    });
    (code, info)
}

/// Makes a text of about so many bytes.
type Text = fn(usize) -> String;

/// Texts that cost careless Markdown readers most.
const TEXTS: &[(&str, Text)] = &[
    ("quotes", |size| ">".repeat(size)),
    ("lists", |size| "- ".repeat(size / 2) + "x"),
    ("indented lists", |size| {
        let depth = (size as f64).sqrt() as usize;
        (0..depth).map(|level| format!("{}- a\n", "  ".repeat(level))).collect()
    }),
    ("brackets", |size| "[".repeat(size)),
    ("images", |size| "![".repeat(size / 2)),
    ("links", |size| "[a](b) ".repeat(size / 7)),
    ("references", |size| format!("[a]: {}\n\n{}", "b".repeat(size / 2), "[a] ".repeat(size / 8))),
    ("definitions", |size| (0..size / 12).map(|n| format!("[{n}]: b.md\n")).collect()),
    ("emphasis", |size| "*_".repeat(size / 2)),
    ("html", |size| "<div>\n".repeat(size / 6)),
    ("inline html", |size| format!("a {}", "<b>".repeat(size / 3))),
    ("backticks", |size| (1..).map(|n| "`".repeat(n % 50 + 1) + " ").take(size / 26).collect()),
    ("tables", |size| format!("|a|b|\n|-|-|\n{}", "|".repeat(size))),
    ("rows", |size| format!("|a|b|\n|-|-|\n{}", "|a|\n".repeat(size / 4))),
    ("headings", |size| "#\n".repeat(size / 2)),
    ("items", |size| "-\n".repeat(size / 2)),
    ("tasks", |size| "- [ ] a\n".repeat(size / 8)),
    ("comments", |size| "<!-- a -->\n".repeat(size / 11)),
    ("suppressions", |size| "<!-- hintlint-ignore unicode: b -->\nx\n\n".repeat(size / 40)),
    ("imports", |size| (0..size / 9).map(|n| format!("@./{n}.md\n")).collect()),
    ("promises", |size| "<promise>".repeat(size / 9)),
    ("hidden", |size| "a\u{200b}\u{202e}b ".repeat(size / 9)),
    ("one line", |size| "word ".repeat(size / 5)),
    ("paths", |size| (0..size / 16).map(|n| format!("`src/{n}/gone.rs` ")).collect()),
    ("a table of paths", |size| {
        let rows = (0..size / 44).map(|n| format!("| `src/a.rs` | `src/n{n}.rs`, `src/m{n}.rs` |\n"));
        format!("| a | b |\n| - | - |\n{}", rows.collect::<String>())
    }),
    ("commands", |size| format!("```sh\n{}```\n", "npm run x\n".repeat(size / 10))),
    ("paragraphs", |size| format!("{}\n\n", "word ".repeat(60)).repeat(size / 302)),
    ("CR", |size| "\r".repeat(size)),
    ("NUL", |size| "\0".repeat(size)),
];

/// YAML that costs careless readers most, as frontmatter of a rule.
const FRONTMATTER: &[(&str, Text)] = &[
    ("lists in lists", |size| format!("paths: {}", "[".repeat(size))),
    ("maps in maps", |size| "{a: ".repeat(size / 4)),
    ("aliases", |size| format!("a: &a [x]\n{}", (0..size / 8).map(|n| format!("b{n}: *a\n")).collect::<String>())),
    ("anchors", |size| (0..size / 14).map(|n| format!("a{n}: &a{n} [x]\n")).collect()),
    ("merges", |size| format!("a: &a {{b: 1}}\n{}", "<<: *a\n".repeat(size / 7))),
    ("same keys", |size| "a: 1\n".repeat(size / 5)),
    ("colons", |size| (0..size / 12).map(|n| format!("k{n}: b: c\n")).collect()),
    ("stars", |size| (0..size / 10).map(|n| format!("g{n}: *.ts\n")).collect()),
    ("tags", |size| format!("a: {}", "!x ".repeat(size / 3))),
    ("documents", |size| "---\na: 1\n".repeat(size / 9)),
    ("quotes", |size| format!("a: \"{}\"", "\\".repeat(size))),
    ("comments", |size| "# hintlint-ignore a: b\n".repeat(size / 23)),
    ("one brace bomb", |size| format!("KEY: \"{}\"", "{a,b}".repeat(size / 5))),
    ("many brace bombs", |size| format!("KEY:\n{}", format!("  - \"{}\"\n", "{a,b}".repeat(40)).repeat(size / 207))),
    ("many small braces", |size| format!("KEY:\n{}", "  - \"{a,b}{c,d}{e,f}\"\n".repeat(size / 22))),
    ("nested braces", |size| format!("KEY: \"{}{}\"", "{a,".repeat(size / 4), "}".repeat(size / 4))),
    ("many patterns", |size| {
        format!("KEY:\n{}", (0..size / 14).map(|n| format!("  - src/{n}/**\n")).collect::<String>())
    }),
    ("wildcards", |size| format!("KEY: \"{}\"", "**/".repeat(size / 3))),
    ("classes", |size| format!("KEY: \"{}\"", "[!a-z]".repeat(size / 6))),
];

/// What is run on each hostile text: every command that reads hint files, and every hook.
const COMMANDS: &[&[&str]] = &[
    &["check", "--select", "all", "--min-level", "info", "--unicode-scope", "all", "--format", "json"],
    &["check", "--select", "all", "--min-level", "info"],
    &["check", "--unsafe-fixes", "--diff"],
    &["files"],
    &["agents"],
    &["compile", "--stdout"],
    &["compile", "--check"],
    &["compile", "--stdout", "--agent", "claude"],
    &["diff", "HEAD"],
    &["show", "ROOT"],
    &["show", "--file", "ROOT/a.rs", "ROOT"],
    &["show", "--agent", "claude", "--file", "ROOT/a.rs", "ROOT"],
    &["show", "--why", "src a", "ROOT"],
    &["pack", "list"],
    &["pack", "metadata"],
    &["complete-names", "hints"],
    &["complete-names", "packages"],
    &["search", "src a b word"],
    &["search", "--list", "--kind", "rule"],
    &["list-all-hints", "-v"],
    &["show-hints", "src a b word"],
    &["plan"],
    &["plan", "status"],
    &["hook", "session-start"],
    &["hook", "post-tool-use"],
    &["hook", "stop"],
    &["hook", "session-end"],
];

/// So many of them, the first ones, run rules: a test of their own, since they take as long as all the others.
const CHECKS: usize = 3;

/// Commands that read no hint file, whose work is one of the above, or that are measured elsewhere: the server in `server/`, the page in
/// `explore/`.
const OTHERS: &[&str] = &[
    "rules",
    "explain",
    "init",
    "schema",
    "completions",
    "help",
    "tour",
    "manual",
    "config",
    "baseline",
    "ci",
    "server",
    "explore",
];

fn repository(files: &[(&str, &str)]) -> Repo {
    Repo::with_files(files.iter().chain(&[("a.rs", "x\n"), ("src/a.rs", "x\n")]).copied())
}

/// What a command allocates on `repo`, in all and at most at a time.
fn measured(repo: &Repo, command: &[&str]) -> (u64, u64) {
    let root = repo.root().to_str().expect("UTF-8");
    let args: Vec<String> = command.iter().map(|argument| argument.replace("ROOT", root)).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let message = serde_json::json!({
        "session_id": "s", "cwd": root, "tool_name": "Edit", "tool_input": {"file_path": repo.at("a.rs")},
    });
    let info = run(repo, &args, message.to_string().as_bytes()).1;
    // The answers of a hook are remembered, so that the next call has less to do.
    let _ = std::fs::remove_dir_all(repo.home().join(".sisyphus"));
    (info.bytes_total, info.bytes_max)
}

/// A hostile input in two sizes, the second twice the first.
struct Input {
    name: &'static str,
    once: Repo,
    twice: Repo,
    /// Bytes of the second.
    size: u64,
}

/// Hold that twice the input makes no more than twice the work of any command, and no more memory than a multiple of it.
fn hold(inputs: &[Input], empty: &Repo, commands: &[&[&str]]) {
    /// Allocations that come and go by chance, such as the growth of a list: bytes.
    const SLACK: u64 = 400_000;
    /// Bytes at a time for each byte of input. The dearest is `a: 1` again and again, five bytes for a finding with two places.
    const TIMES: u64 = 1200;
    let mut failed = Vec::new();
    for command in commands {
        // What is made once per process, such as compiled patterns, is no work of the input.
        measured(&inputs[0].once, command);
        let (base, idle) = measured(empty, command);
        for Input { name, once, twice, size } in inputs {
            let [(first, _), (second, peak)] = [once, twice].map(|repo| measured(repo, command));
            let (first, second) = (first.saturating_sub(base), second.saturating_sub(base));
            if second > first * 14 / 5 + SLACK {
                failed.push(format!("{name}, {command:?}: {first} bytes, and {second} for {size}, twice as much"));
            }
            if peak > idle + TIMES * size {
                failed.push(format!("{name}, {command:?}: {peak} bytes at a time for {size}"));
            }
        }
    }
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}

/// The command that runs all rules.
const CHECK: &[&str] = &["check", "--select", "all", "--min-level", "info", "--format", "json"];

/// Where a text is the frontmatter of a rule, and the key that has its patterns.
const RULES: [(&str, &str); 8] = [
    (".claude/rules/a.md", "paths"),
    (".claude/rules/b.md", "applies_to"),
    (".cursor/rules/a.mdc", "globs"),
    (".windsurf/rules/a.md", "globs"),
    (".github/instructions/a.instructions.md", "applyTo"),
    (".kiro/steering/a.md", "fileMatchPattern"),
    (".qwen/rules/a.md", "paths"),
    (".clinerules/a.md", "paths"),
];

fn rule(yaml: &str, key: &str) -> String {
    format!("---\n{}\n---\nx\n", yaml.replace("KEY", key))
}

#[test]
fn twice_the_text_makes_no_more_than_twice_the_work() {
    // What a sentence says of a path is looked for in the 4,000 bytes around it, so that shorter texts are dearer by the byte.
    const SIZE: usize = 16_000;
    let input = |(name, text): &(&'static str, Text)| {
        let repo = |size| repository(&[("AGENTS.md", text(size).as_str())]);
        Input { name, once: repo(SIZE), twice: repo(2 * SIZE), size: 2 * SIZE as u64 }
    };
    let inputs: Vec<Input> = TEXTS.iter().map(input).collect();
    hold(
        &inputs,
        &repository(&[("AGENTS.md", "x\n")]),
        &[CHECK, &["compile", "--stdout"], &["show", "--file", "ROOT/a.rs", "ROOT"]],
    );
}

#[test]
fn twice_the_frontmatter_makes_no_more_than_twice_the_work() {
    const SIZE: usize = 4_000;
    let repo = |yaml: &str| {
        let texts = RULES.map(|(path, key)| (path, rule(yaml, key)));
        repository(&texts.each_ref().map(|(path, text)| (*path, text.as_str())))
    };
    let input = |(name, yaml): &(&'static str, Text)| {
        let size = (2 * SIZE * RULES.len()) as u64;
        Input { name, once: repo(&yaml(SIZE)), twice: repo(&yaml(2 * SIZE)), size }
    };
    let inputs: Vec<Input> = FRONTMATTER.iter().map(input).collect();
    hold(&inputs, &repo(""), &[CHECK, &["show", "--file", "ROOT/a.rs", "ROOT"], &["hook", "post-tool-use"]]);
}

/// All hostile texts in one repository, since every command on each of them would take too long.
fn hold_everything(commands: &[&[&str]]) {
    const SIZE: usize = 4_000;
    let repo = |size: usize| {
        let texts = TEXTS.iter().enumerate().map(|(n, (_, text))| (format!("d{n}/AGENTS.md"), text(size)));
        let rules = FRONTMATTER.iter().enumerate();
        let rules = rules.map(|(n, (_, yaml))| (format!(".claude/rules/{n}.md"), rule(&yaml(size), "paths")));
        let package = [
            ("PLAN.md", TEXTS[0].1(size)),
            (
                "src/hints/a.md",
                format!("---\ndescription: {}\n---\n{}", "src a.b-c ".repeat(size / 20), TEXTS[26].1(size)),
            ),
            ("hints/p/hint.md", "- Get-A `Get-B` <ps_call>Get-C\n".repeat(size / 32)),
            ("hints/p/hint.yaml", format!("description: {}\n", "x".repeat(size))),
            ("hints/p/modules/p.psm1", "function Get-Z{ <# '@'\n".repeat(size / 24)),
        ];
        let package = package.map(|(path, text)| (path.to_owned(), text));
        let files: Vec<(String, String)> = texts.chain(rules).chain(package).collect();
        let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
        repository(&files)
    };
    let size = (2 * SIZE * (TEXTS.len() + FRONTMATTER.len())) as u64;
    let input = Input { name: "everything", once: repo(SIZE), twice: repo(2 * SIZE), size };
    hold(&[input], &repo(0), commands);
}

#[test]
fn twice_of_everything_makes_no_more_than_twice_the_work_of_checks() {
    hold_everything(&COMMANDS[..CHECKS]);
}

#[test]
fn twice_of_everything_makes_no_more_than_twice_the_work_of_any_other_command() {
    hold_everything(&COMMANDS[CHECKS..]);
}

#[test]
fn every_command_and_hook_is_measured() {
    let cli = Cli::command();
    let measured: Vec<&str> = COMMANDS.iter().map(|command| command[0]).collect();
    for command in cli.get_subcommands().map(clap::Command::get_name) {
        assert!(measured.contains(&command) || OTHERS.contains(&command), "{command} is not measured");
    }
    let hook = cli.find_subcommand("hook").expect("there are hooks");
    let events = hook.get_arguments().flat_map(|argument| argument.get_possible_values());
    for event in events.filter(|event| !event.is_hide_set()) {
        let is_measured = COMMANDS.iter().any(|command| *command == ["hook", event.get_name()]);
        assert!(is_measured || event.get_name().len() < 6, "hook {} is not measured", event.get_name());
    }
}

/// The memory for one large file, with the rules that look at every block of it.
#[test]
fn memory_is_a_small_multiple_of_a_large_file() {
    /// What a text may cost that is as dense as is read, and bytes for each byte of a file beyond it.
    const DENSE: u64 = 48 << 20;
    const TIMES: u64 = 50;
    const SIZE: usize = 2 << 20;
    const NAMES: [&str; 9] =
        ["quotes", "lists", "brackets", "emphasis", "html", "backticks", "tables", "headings", "items"];
    for (name, text) in TEXTS.iter().filter(|(name, _)| NAMES.contains(name)) {
        let repo = Repo::with_files([("AGENTS.md", text(SIZE))]);
        let (_, info) = run(&repo, &["check", "--select", "repeated-text,context", "--min-level", "info"], b"");
        let bound = DENSE + TIMES * SIZE as u64;
        assert!(info.bytes_max <= bound, "{name}: {} bytes for {SIZE}", info.bytes_max);
    }
}

/// Who reads a file is told by its name wherever that is enough. To load what an agent has in each directory, with all rules of the
/// repository, would take as many times as there are directories.
#[test]
fn directories_and_rules_add_up_and_do_not_multiply() {
    let allocated = |directories: usize, rules: usize| {
        let text = "Say why. ".repeat(100);
        let claude = |n| (format!(".claude/rules/{n}.md"), format!("---\npaths: d{n}/**\n---\n{text}{n}\n"));
        let cursor = |n| (format!(".cursor/rules/{n}.mdc"), format!("---\nglobs: d{n}/**\n---\n{text}{n}\n"));
        let hints = (0..directories).map(|n| (format!("d{n}/AGENTS.md"), format!("Part {n}.\n")));
        let files = hints.chain((0..rules).flat_map(|n| [claude(n), cursor(n)]));
        let repo = Repo::with_files(files.chain([("CLAUDE.md".to_owned(), "All of it.\n".to_owned())]));
        run(&repo, &["check"], b"").1.bytes_total as f64
    };
    // What is made once per process is no work of the input.
    allocated(40, 40);
    let (few, more_directories, more_rules) = (allocated(20, 20), allocated(40, 20), allocated(20, 40));
    let both = allocated(40, 40);
    let sum = more_directories + more_rules - few;
    assert!(both < 1.1 * sum, "{both} bytes for twice of both, and {sum} if they add up");
}
