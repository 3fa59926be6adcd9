//! What sentences say of the paths in them, by example.

use super::*;
use crate::base::kind::Kind;

fn of(text: &str) -> Stance {
    let document = Document::parse("AGENTS.md".into(), Kind::AgentsMd, text.as_bytes().into());
    let start = text.find("a/b.md").unwrap();
    let link = document.markdown.links.iter().find(|link| link.span.covers(Span::empty(start)));
    stance(&document, link.map_or(Span::new(start, start + "a/b.md".len()), |link| link.span))
}

#[test]
fn what_was_is_told_and_not_relied_on() {
    for text in [
        "The original parser, which did it all, was in `a/b.md`.",
        "The first version of it lived under `a/b.md` and was slow.",
        "That logic used to live in `a/b.md`.",
        "The shim was once in `a/b.md`.",
        "These helpers were in `a/b.md` and are one crate by now.",
    ] {
        assert_eq!(of(text), Stance::Denies, "{text}");
    }
    for text in [
        "The parser is in `a/b.md`.",
        "It is used to build `a/b.md`.",
        "What was added is tested in `a/b.md`.",
        "The original design is described in `a/b.md`.",
        "A bug was fixed with the helper of `a/b.md`.",
    ] {
        assert_eq!(of(text), Stance::Claims, "{text}");
    }
}

#[test]
fn what_a_file_must_not_do_says_nothing_of_the_file() {
    for text in
        ["Logic (`a/b.md`) must NEVER import `x`.", "`a/b.md` should not depend on the rest.", "`a/b.md` can't use it."]
    {
        assert_eq!(of(text), Stance::Claims, "{text}");
    }
    for text in [
        "Never import `a/b.md`.",
        "`a/b.md` must never be committed.",
        "Do not create `a/b.md`.",
        "Never commit `x` or `a/b.md`.",
    ] {
        assert_eq!(of(text), Stance::Denies, "{text}");
    }
}

#[test]
fn a_drawing_of_how_files_should_lie_is_no_claim() {
    let of = |heading: &str| {
        let text = format!("{heading}\n\n```\nsrc/\n└── a.rs\n```\n");
        let document = Document::parse("AGENTS.md".into(), Kind::AgentsMd, text.into_bytes().into());
        of_tree(&document, document.markdown.code[0].span)
    };
    for heading in [
        "## Recommended layout",
        "### Proposed repository structure",
        "## Target layout",
        "A suggested folder structure:",
        "## Structure proposal",
    ] {
        assert_eq!(of(heading), Stance::Denies, "{heading}");
    }
    for heading in ["## Repository structure", "## Layout", "## Targets and layout", "The layout:"] {
        assert_eq!(of(heading), Stance::Claims, "{heading}");
    }
}

#[test]
fn quotation_marks_of_a_line_are_paired() {
    for (text, want) in [
        ("Say \"see [x](a/b.md)\".", true),
        ("He wrote “see [x](a/b.md)", true),
        ("He wrote “see” [x](a/b.md)", false),
        ("Sagt „siehe [x](a/b.md)“", true),
        ("The 27\" panel: [x](a/b.md) and \"y\".", false),
        ("A \"word\" and [x](a/b.md).", false),
        ("Open \"\n[x](a/b.md)\"", false),
    ] {
        let document = Document::parse("AGENTS.md".into(), Kind::AgentsMd, text.as_bytes().into());
        assert_eq!(is_in_quotes(&document, document.markdown.links[0].span), want, "{text}");
    }
}

#[test]
fn files_of_any_project_are_listed_as_alternatives() {
    let of = |text: &str, name: &str| {
        let document = Document::parse("AGENTS.md".into(), Kind::AgentsMd, text.as_bytes().into());
        let start = text.find(name).unwrap();
        stance(&document, Span::new(start, start + name.len()))
    };
    for (text, want) in [
        ("Look for `package-lock.json`, `pnpm-lock.yaml` or `yarn.lock` to tell the manager.", Stance::Denies),
        ("| `package.json` | x |\n| `yarn.lock` | y |\n| `go.mod` | z |", Stance::Claims),
        ("Read `go.mod` and `yarn.lock`.", Stance::Claims),
        ("Run the tests that `yarn.lock` pins.", Stance::Claims),
    ] {
        assert_eq!(of(text, "yarn.lock"), want, "{text}");
    }
}

#[test]
fn manifests_of_any_project_fill_a_table() {
    let of = |rows: &str| {
        let text =
            format!("| Sign | Command |\n| --- | --- |\n| `package.json` with a script | `npm run x` |\n{rows}\n");
        let document = Document::parse("AGENTS.md".into(), Kind::AgentsMd, text.as_bytes().into());
        let start = text.find("package.json").unwrap();
        stance(&document, Span::new(start, start + "package.json".len()))
    };
    assert_eq!(of("| `Cargo.toml` | a |\n| `go.mod` | b |\n| `pom.xml` | c |"), Stance::Denies);
    assert_eq!(of("| `Cargo.toml` | a |\n| `src/main.rs` | b |"), Stance::Claims);
}

#[test]
fn what_must_not_be_taken_for_granted_is_no_claim() {
    for text in [
        "The root `x` and `a/b.md` are intentionally not part of the layout.",
        "Do not assume that `x/` or `a/b.md` exist here.",
        "Avoid legacy `x` / `a/b.md` references.",
        "Copy `x` → `a/b.md`.",
        "Der Rest unter `a/b.md` wurde bereits in v0.19.0 gelöscht.",
        "The `a/b.md` monolith was decomposed into the rest.",
        "The schema (`a/b.md`) is not generated on main.",
        "- 保存位置：a/b.md",
    ] {
        assert_eq!(of(text), Stance::Denies, "{text}");
    }
    for text in ["Do not assume the defaults of `a/b.md` are right.", "`x` → `a/b.md`", "Avoid loops: see `a/b.md`."]
    {
        assert_eq!(of(text), Stance::Claims, "{text}");
    }
}

#[test]
fn entries_of_a_log_and_columns_of_examples_claim_nothing() {
    for text in [
        "- 2026-01-02: split `a/b.md`.",
        "* **2026-01-02** the parser is in `a/b.md`.",
        "## Log\n\n### 2026-01-02 Parser\n\nIt is in `a/b.md`.",
        "| Pattern | Example |\n| --- | --- |\n| x | `a/b.md` |",
        "| 规则 | 例子 |\n| --- | --- |\n| x | `a/b.md` |",
        "Checks run if a `a/b.md` protocol is added.",
        "✅ **CORRECT**:\n- `a/b.md`",
        "**Valid:**\n\n- `a/b.md`",
        "引用时附带相对路径（如 `a/b.md`）。",
        "What was drafted or updated: the run drafted `a/b.md`.",
        "<example>\n\nRead `a/b.md`.\n\n</example>",
        "This command generates:\n- `a/b.md`",
        "It would be helpful to keep notes in `a/b.md`.",
        "`a/c.md` 取代旧 `a/b.md`。",
        "Das ersetzt die alte Datei `a/b.md`.",
    ] {
        assert_eq!(of(text), Stance::Denies, "{text}");
    }
    for text in [
        "- 2026 is in `a/b.md`.",
        "## 2026 goals\n\nIt is in `a/b.md`.",
        "| Pattern | Example |\n| --- | --- |\n| x | [b](a/b.md) |",
        "| 规则 | 例外 |\n| --- | --- |\n| x | `a/b.md` |",
        "| Example | File |\n| --- | --- |\n| x | `a/b.md` |",
        "If a rule is added, update `a/b.md`.",
        "It is helpful to read `a/b.md`.",
        "**Valid settings:**\n\n- `a/b.md`",
        "<example>\nx\n</example>\n\nRead `a/b.md`.",
        "Run `pytest test_<example-name>.py`.\n\nRead `a/b.md`.",
        "Tags are `<example>`.\n\nRead `a/b.md`.",
        "The generator is:\n- `a/b.md`",
        "如何写作：`a/b.md`。",
        "Relative to the repository root, it is `a/b.md`.",
    ] {
        assert_eq!(of(text), Stance::Claims, "{text}");
    }
}

#[test]
fn what_a_text_relies_on() {
    for text in [
        "禁止修改 `a/b.md`。",
        "`a/b.md` 必须存在",
        "Read `a/b.md` first.",
        "The repository is private: `a/b.md` tells why.",
        "What the app reads is in `a/b.md`, the runtime flags too.",
        "Copy the types from `a/b.md`.",
        "Don't guess: `a/b.md` has the rules.",
        "3. Register in `a/b.md`.",
        "Old things are deleted. See `a/b.md`.",
        "- Define types in `a/b.md` (e.g., `X`, `Y`).",
        "## Layout\n\n- `a/b.md` - the layers",
        "Do not edit `a/b.md` by hand.",
        "| `a/b.md` | config |",
        "Removed things:\n\n- `x.md`\n\n## Now\n\n- `a/b.md`",
        "Also update: `c.ts`, `a/b.md`.",
        "If a change touches the API, edit `a/b.md`.",
        "Never edit `x.md`. Use `a/b.md`.",
        "Rules to follow:\n\n`a/b.md` has them.",
        "Never:\n\n- Edit `a/b.md` by hand",
        "## Never guess\n\n- `a/b.md` has the rules",
        "Look for the rules in `a/b.md`.",
        "Move on to these:\n\n- `a/b.md` has the rules",
        "Run the tests before merging; `a/b.md` lists them.",
        "To create a widget, edit:\n\n- `a/b.md`",
        "No changes are needed; `a/b.md` has the rules.",
        "> - `x.md`\n> - `a/b.md` has them.",
        "Fixes go through a pull request; see `a/b.md`.",
        "Lea `a/b.md` antes de empezar.",
        "详见 `a/b.md`。",
        "没有把握时读 `a/b.md`。",
        "Example:\n\n`x.md` holds it.\n\nThe rules are in `a/b.md`.",
        "## Making changes\n\nUse `a/b.md` when preparing a pull request.",
        "## Database migrations\n\nThe schema is `a/b.md`.",
        "The \"layers\" are in [the notes](a/b.md), the \"rules\" elsewhere.",
        "A 5\" screen: [see](a/b.md), or a 6\" one.",
        "It is now in `a/b.md`.",
        "Add the analyzer to `a/b.md`.",
        "Append your entry to `a/b.md`.",
        "Moving logic to `a/b.md` keeps the page small.",
        "`a/b.md` adds backward-compatible aliases.",
        "Use constants from `a/b.md` instead of inline strings.",
        "`a/b.md` no longer needs sudo.",
        "If you need a new error, add it to `a/b.md`.",
        "Plugins are loaded in `a/b.md` at runtime.",
        "Never edit `x.md` in `a/b.md` without running the tests.",
        "Deploy is automatic via `a/b.md` - do NOT run `mike deploy`.",
        "Gitignore coverage: `a/b.md` checks it.",
        "| `a/b.md` | keeps the list of removed features and old names |",
        "| File | Notes |\n| --- | --- |\n| `a/b.md` | the flag `x` was removed here |",
        "| Old things were removed in 2024 | `a/b.md` |",
    ] {
        assert_eq!(of(text), Stance::Claims, "{text}");
    }
}

#[test]
fn what_a_text_says_is_not_there() {
    for text in [
        "Never commit `a/b.md` or inline tokens.",
        "The schema is `a/b.md` of the core, not here.",
        "To go back, restore `a/b.md` from the commit history.",
        "되돌리려면 커밋 이력에서 `a/b.md` 복원.",
        "Copy it to the target location based on scope:\n\n- **Project**: `a/b.md`\n- **Global**: `x`",
        "`a/b.md` lives in the other repository.",
        "The rules (`a/b.md`) are kept in our private infra repository.",
        "The app reads `a/b.md` at runtime.",
        "当前仓库没有 `a/b.md`。",
        "未发现 `x.md` 或 `a/b.md`。",
        "Neither `x.md` nor `a/b.md` was found: not found.",
        "Don't use `a/b.md`.",
        "Avoid importing from `a/b.md`.",
        "`x.ts` (was `a/b.md`)",
        "`x.ts` supersedes `a/b.md`",
        "The code of `a/b.md` moved to `x.ts`.",
        "Historically `a/b.md` did this.",
        "`a/b.md` used to hold this.",
        "Legacy: `a/b.md`",
        "Copy `x.ts` to `a/b.md`.",
        "- ❌ `a/b.md`",
        "不要使用 `a/b.md`",
        "`a/b.md` → 不得存在",
        "禁止建立 `a/b.md`",
        "不要创建 `a/b.md`",
        "Не используйте `a/b.md`.",
        "`a/b.md` est supprimé.",
        "Use X, not `a/b.md` (doesn't exist).",
        "`a/b.md` has been deleted.",
        "The file `a/b.md` does not exist.",
        "Paths (e.g., `./c.d` or `x a/b.md`) are resolved.",
        "Names (e.g., `a/b.md`).",
        "- Example: `a/b.md` for references",
        "Do not create files like `a/b.md`.",
        "Don’t create `a/b.md`.",
        "Write the report to `a/b.md`.",
        "Create `a/b.md` with:",
        "Save results as `a/b.md`.",
        "- `a/b.md` is generated by the build",
        "~~`a/b.md`~~",
        "Removed files:\n- `x`\n- `a/b.md`",
        "## Removed files\n\n- `a/b.md`",
        "If `a/b.md` exists, read it.",
        "Use `x.ts` instead of `a/b.md`.",
        "The old `a/b.md`\nwas fine.",
        "文件 `a/b.md` 不存在。",
        "There is no `a/b.md` here.",
        "- `a/b.md` - bulk processing (planned)",
        "No member ships a `a/b.md`.",
        "Check `a/b.md` or generated by the plugin:",
        "List what needs to be created:\n1. `a/b.md` - setup",
        "Show the user a draft of:\n\n- The contents of `a/b.md`",
        "Create the following files:\n\n- `a/b.md`",
        "Legacy `a/b.md` is supported for backwards compatibility.",
        "| 2 | 前端 | 新增 | `a/b.md` | 实现 |",
        "Never:\n\n- Recreate `x.ts`, `a/b.md`, or others",
        "### Don't\n\n- Use `a/b.md`",
        "## Forbidden\n\n- `a/b.md`",
        "Look for patterns like:\n\n- `x_*.md`\n- `a/b.md`",
        "First inspect the app. Look for:\n\n- `x` and `a/b.md`",
        "Plans go to `a/b.md`; remove or promote them before merge.",
        "Move details to references/:\n\n- Patterns -> `a/b.md`",
        "Look for `a/b.md`.",
        "Include a\nfile named `a/b.md` in the change.",
        "Die Datei `a/b.md` existiert nicht.",
        "`a/b.md` fue eliminado.",
        "`a/b.md` n'existe plus.",
        "Le fichier `a/b.md` a été supprimé.",
        "Файл `a/b.md` больше не нужен.",
        "`a/b.md` は廃止されました。",
        "## Comment triage (PR #1461 - all resolved)\n\n| `a/b.md` | 710 | P2 | Fixed |",
        "> **PR #1461 snapshot** (26 lines missing):\n>\n> | File | Gaps |\n> |---|---|\n> | `a/b.md` | 5 |",
        "4. [x](docs/x.md) - the roles in `a/b.md` (NEW)",
        "Example:\n\n`a/b.md` holds it.",
        "**Examples:**\n\n- `a/b.md` holds it.",
        "Name them by topic, for example:\n\n1. `a/b.md`",
        "Do not run `a/b.md`.",
        "Never use the old script `a/b.md`.",
        "This crate was born when it was extracted from `a/b.md` in #12.",
        "`a/b.md` is no longer used.",
        "We no longer use `a/b.md`.",
        "`a/b.md` is created by the server at runtime.",
        "Put it there rather than in `a/b.md`.",
        "Add `a/b.md` to .gitignore.",
        "Read `a/b.md` (if any).",
        "Kept for backward compatibility: `a/b.md`",
        "`a/b.md` was 4,564 lines; it is now five files.",
        "The file was 4,564 lines (`a/b.md`) and is now five files.",
        "`a/b.md` is now three modules.",
        "`a/b.md` was the entry point.",
        "Write \"See [Pricing](a/b.md)\" in such cases.",
        "Say “read [it](a/b.md) first”.",
        "| `a/b.md` | removed |",
        "| `a/b.md` was removed | config |",
        "| Before | After |\n|---|---|\n| `x.md` | `y.md` |\n| `a/b.md` | `z.md` |",
    ] {
        assert_eq!(of(text), Stance::Denies, "{text}");
    }
}

#[test]
fn what_may_be_an_illustration() {
    for text in [
        "Files such as `a/b.md`.",
        "## Examples\n\n`a/b.md`",
        "In the upstream tree, `a/b.md`.",
        "Keys are in `a/b.md` (in the big-app repo).",
        "Partials: `a/b.md` (if needed for components)",
        "`a/b.md` holds the structure for future utilities.",
        "Tasks of an instance belong in `a/b.md` within that instance.",
        "It installs the skill at `a/b.md` in the consumer project.",
    ] {
        assert_eq!(of(text), Stance::Hedges, "{text}");
    }
}

#[test]
fn words_for_new_things_say_nothing_of_old_files() {
    for text in [
        "`a/b.md`は全体のテストで、新規adapterも対象になる。",
        "新增的模块在 `a/b.md` 里注册。",
        "`a/b.md`에 신규 모듈을 등록한다.",
        "# Conventions\n\nThe lock in `a/b.md` protects only the reference.",
        "It was not built by hand: see `a/b.md`.",
    ] {
        assert_eq!(of(text), Stance::Claims, "{text}");
    }
    for text in [
        "新規ファイル: `a/b.md`",
        "新增 `a/b.md` 并注册。",
        "신규 파일 `a/b.md`",
        "不要重新引入 `a/b.md` 作为主路径。",
        "An extract at `a/b.md` was scoped but not shipped.",
        "These are no longer active: `a/b.md`.",
        "| v3 | v4 |\n| --- | --- |\n| `a/b.md` | `c.md` |",
    ] {
        assert_eq!(of(text), Stance::Denies, "{text}");
    }
}

#[test]
fn a_path_above_a_fence_is_its_caption() {
    for text in [
        "**`a/b.md`**\n\n```md\nText.\n```\n",
        "**`a/b.md`**：\n```md\nText.\n```\n",
        "1. `a/b.md`:\n```md\nText.\n```\n",
    ] {
        assert_eq!(of(text), Stance::Hedges, "{text}");
    }
    for text in ["See `a/b.md`:\n\n```md\nText.\n```\n", "- `a/b.md`\n\nText.\n"] {
        assert_eq!(of(text), Stance::Claims, "{text}");
    }
}

#[test]
fn a_later_sentence_or_the_lead_of_a_list_says_that_a_file_is_gone() {
    for text in [
        "- `a/b.md` fails if x has no y. Serving is fine. It lives in **`infra`** now, not here.",
        "`a/b.md` did it all. It was removed in June.",
        "> The cutover is complete. `a/b.md`, `x.md`, the tag\n> model and the tree are **retired**.",
        "### Replaces These Commands:\n\n- `a/b.md` -> `x` (any)",
        "This replaces the following files:\n\n- `a/b.md`",
        "Legacy:\n\n- `a/b.md`",
        "## Records (`x/`) - NOT IN USE\n\n**Manifest:** `a/b.md`",
        "| Artifact | Path | Impact if missing |\n| --- | --- | --- |\n| x | `a/b.md` | high |",
        "- `a/b.md` - backend writes feature requests",
        "The issuers are deployed by `infra` (`a/b.md`, two apps). The `infra` repo has more.",
        "- `a/b.md` → `/b`",
    ] {
        assert_eq!(of(text), Stance::Denies, "{text}");
    }
    for text in [
        "- `a/b.md` fails if x has no y. It lives in the root.",
        "The check of `a/b.md` is strict. It was removed from CI.",
        "> `x.md` was retired.\n>\n> `a/b.md` has the rules.",
        "> - `x.md` was retired.\n> - `a/b.md` has the rules.",
        "### How the new engine replaces the old one\n\n`a/b.md` tells.",
        "| Artifact | Path | Impact |\n| --- | --- | --- |\n| x | `a/b.md` | high |",
        "- `a/b.md` - the store writes rows",
        "The issuers are made by `infra` (`a/b.md`, two apps).",
    ] {
        assert_eq!(of(text), Stance::Claims, "{text}");
    }
}

#[test]
fn names_of_files_to_come_are_examples() {
    assert_eq!(of("- Use descriptive filenames: `x.md`, `a/b.md`, etc."), Stance::Denies);
    assert_eq!(of("The file names are in `a/b.md`."), Stance::Claims);
}
