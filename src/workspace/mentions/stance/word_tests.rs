//! Words of several languages that say of a path that it is gone, the reader's own, or one of a kind.

use super::*;
use crate::base::kind::Kind;

fn of(text: &str) -> Stance {
    let document = Document::parse("AGENTS.md".into(), Kind::AgentsMd, text.as_bytes().into());
    let start = text.find("a/b.md").unwrap();
    stance(&document, Span::new(start, start + "a/b.md".len()))
}

#[test]
fn what_is_made_or_somebody_elses_is_no_file() {
    for text in [
        "**Outputs**:\n- `a/b.md`",
        "Create a `docs/` folder with relevant files:\n\n- `a/b.md` (always) — index",
        "- 若用户直接粘贴，保存为 `a/b.md`",
        "  - Installs `/build` at `a/b.md` (project-level)",
        "- Refer to `a/b.md` (run `x update` if you don't see it) for conventions.",
        "`a/b.md`（含 x）与 `a/c.md`（MIT）**已于 2026-08-18 删除**。",
        "- `a/b.md` criado: estágio build.",
        "Documentar evidencia en `a/b.md` para cerrar.",
        "Used by tests and (eventually) the `a/b.md` script.",
        "If one has since been added, run it (`a/b.md`) and stop.",
        "Lifts the validate loop out of `a/b.md` into a package.",
        "If the original repository had `a/b.md` at its root, it goes.",
        "Old commits tell you to run `a/b.md`. Both were wrong: `b.md` no longer exists.",
        "| Case | Run |\n|---|---|\n| `Makefile` with `test` target | `a/b.md` |",
        "| Found | Run |\n|---|---|\n| `deploy` target in Makefile | `a/b.md` |",
        "| Found | Run |\n|---|---|\n| `push.sh` exists | Run `a/b.md` |",
    ] {
        assert_eq!(of(text), Stance::Denies, "{text}");
    }
}

#[test]
fn a_file_of_each_thing_is_no_file() {
    for text in [
        "Context lives in each epic's `a/b.md`.",
        "Copy the sections into your own `a/b.md`.",
        "`a/b.md` в проекте нет намеренно — не создавать.",
        "创建 `x/b.md` 和 `a/b.md`，包含标准模板。",
        "No `.x/rules`, `.xrules`, or `a/b.md` exist.",
        "Each is independent: no root `a/b.md`. Do not run it from here.",
        "Any reference to it is stale by definition, including `a/b.md`.",
        "> Renomeado de `a/b.md` em 2026-06-21.",
        "Inclui a validação (fundida com `a/b.md` em 2026).",
        "`a/b.md` (Phase 2) holds the rest.",
        "   - Bad: `a/b.md`",
        "Produce a minimal, high-signal set of:\n\n- `a/b.md`",
        "Overlays may provide `a/b.md` and more.",
        "Each overlay can provide:\n\n- `a/b.md`, read first",
        "Do not read `a/b.md`.",
        "Never open the file @a/b.md again.",
        "You must not load `a/b.md`.",
        "`a/b.md`(补全)由宏从结构生成常量。",
        "It is a package (split from the pre-existing 2473-line `a/b.md` for navigation).",
        "| Clock | `a/b.md` | Pendente |",
        "Do not copy `a/b.md` into it.",
        "- `a/b.md` split into: `c/d.md`, `c/e.md`.",
        "There was a `a/b.md` classifier and a store.",
        "`a/b.md` ships in v2.",
        "`x.md` holds the figures (issue #135; was `a/b.md`)",
        "| Resurrect code from `a/b.md` | It's deleted |",
        "Create `docs/` directory structure:\n\n- `a/b.md` for the reference",
        "- `a/b.md` (if using the cache)",
        "Was `a/b.md` until the rail gave it a name.",
        "- 保存位置：`a/b.md`",
        "**Consolidated in v1.13.0** from former `x.md` + `a/b.md`.",
        "Replaces three v1 skills (`x`, `a/b.md`).",
        "These files (`a/b.md`) are always generated.",
        "> v0.6 absorbed `a/b.md` into the rest.",
        "拒否済み (`a/b.md` 参照、存在しなければ次へ)",
        "**没建 `a/b.md`**。",
        "- `a/b.md` and `c/d.md`: optional helpers",
        "Each phase appends an entry to `a/b.md`.",
        "반복되면 `a/b.md` 로 추출한다.",
        "Exemplos aceitáveis: `x.md`, `a/b.md`",
        "目录 `a/b.md` 一并清空。",
        "<claude-mem-context>\n\n**`a/b.md`**\n",
        "Installs leave residue (`x`, `a/b.md`) behind.",
    ] {
        assert_eq!(of(text), Stance::Denies, "{text}");
    }
}

#[test]
fn what_is_gone_made_or_a_sample_is_no_file() {
    for text in [
        "There is **no** `a/b.md` here.",
        "PR #47 (import) opened with `a/b.md` and more.",
        "**Past incidents:**\n\n- One came with `a/b.md`.",
        "`a/b.md` is reserved for later.",
        "Unter `a/b.md` liegt nichts mehr.",
        "Check `a/b.md` first. Read `x/b.md`. If it doesn't exist, ask.",
        "Changes are written to `a/b.md`.",
        "Some have a reviewer, a project-level `a/b.md` or similar.",
        "不要再创建 `a/b.md` 这类文件。",
        "### 已删除或不再适用\n\n- `a/b.md`",
        "### Что было удалено\n\n- `a/b.md`",
        "## Удалённые экраны\n\n- `a/b.md`",
        "Pass it by the shell, never a value in a tracked `a/b.md`.",
        "## Entfernte Dateien\n\n- `a/b.md`",
        "Full PR #347 5-round breakdown (`a/b.md`, 3 rounds).",
        "| Resurrect code from `a/b.md` | It's deleted - look at the history of it |",
        "Name files after what they test: `a/b.md`, `c/d.md`.",
        "Mirror source structure: `x/b.md` → `a/b.md`",
        "- Produces: `c/d.md`, `a/b.md`",
        "- **Output**: `c/d.md` and `a/b.md`",
        "> **Supersedes:** `x/c.md`, `a/b.md`",
        "> **Status:** Live\n> **Supersedes:** `x/c.md`, `a/b.md`\n> Use it.",
        "A `a/b.md` is a future possibility.",
        "圆点色由映射接管（原 `a/b.md` 已退役）",
        "| Rows | `a/b.md` 语义迁入 `c/d.md` |",
        "| `a/b.md` | Shared rows - *planned* (the root has them for now) | all |",
        "Do NOT use the old `useRows` pattern (`a/b.md`).",
        "It produces tool-specific files (`c/d.md`, `a/b.md`, etc.).",
        "For Kiro, this generates tool permission settings in `a/b.md`.",
        "8. Append entry to `a/b.md`",
        "External workspaces receive a resolved `a/b.md`.",
        "a/b.md           - skip (not in use)",
        "| `a/b.md` exists | Recommendations are there |",
    ] {
        assert_eq!(of(text), Stance::Denies, "{text}");
    }
}

#[test]
fn words_that_are_near_those_leave_a_path_alone() {
    for text in [
        "Context lives in the epic's `a/b.md`.",
        "Copy the sections into `docs` from `a/b.md`.",
        "It has no rival: `a/b.md` is short.",
        "`a/b.md` (phase diagram) holds the rest.",
        "Don't start without reading `a/b.md`.",
        "Do not forget to read `a/b.md`.",
        "The overlay can provide what `a/b.md` lacks.",
        "`a/b.md` splits into sections.",
        "Transforms from `x` to `a/b.md` are pure.",
        "It replaces three lines: see `a/b.md`.",
        "- `a/b.md` and `c/d.md`: options of the helpers",
        "It is appended to the lines of `a/b.md`.",
        "Do not use the rows of `x`, but the old page: see `a/b.md`.",
        "It generates the settings: see `a/b.md`.",
        "Skip nothing: `a/b.md` exists in many copies.",
        "`a/b.md` 로 시작한다.",
        "<claude-mem-context>\n\nx\n\n</claude-mem-context>\n\nRead `a/b.md`.",
        "必ず `a/b.md` を読まなければならない。",
    ] {
        assert_eq!(of(text), Stance::Claims, "{text}");
    }
}

#[test]
fn heads_and_hedges_tell_what_is_written_from_what_is_there() {
    for head in ["Output", "输出", "Produces", "**Deliverable**", "Artifact path", "Written to"] {
        assert_eq!(of(&format!("| Step | {head} |\n| --- | --- |\n| 1 | `a/b.md` |\n")), Stance::Hedges, "{head}");
    }
    for head in ["File", "Output format of", "Artifacts are read from"] {
        assert_eq!(of(&format!("| Step | {head} |\n| --- | --- |\n| 1 | `a/b.md` |\n")), Stance::Claims, "{head}");
    }
    assert_eq!(of("## Documents you maintain\n\n- `a/b.md`\n"), Stance::Hedges);
    assert_eq!(of("## Documents\n\n- `a/b.md`\n"), Stance::Claims);
    assert_eq!(of("### Required Documents\n\n- `a/b.md`\n"), Stance::Hedges);
    assert_eq!(of("Scan for existing context (`a/b.md`)."), Stance::Hedges);
    assert_eq!(of("It is typically `a/b.md`."), Stance::Hedges);
    assert_eq!(of("**Fichier** : `a/b.md`\n\n```ts\nx\n```\n"), Stance::Hedges);
    assert_eq!(of("**Fichier** : `a/b.md`\n\nText.\n"), Stance::Claims);
    assert_eq!(of("| Path | Holds |\n| --- | --- |\n| `a/b.md` | logs (FEAT-XXX.log) |\n"), Stance::Hedges);
    assert_eq!(of("If this file is at `a/b.md`, the rest is beside it."), Stance::Hedges);
    assert_eq!(of("The plan lives in the **`acme-context`** shared context repo: `a/b.md`."), Stance::Hedges);
    assert_eq!(of("Prefer project-local scripts (`a/b.md`)."), Stance::Hedges);
}

#[test]
fn words_of_other_languages_make_files_too() {
    for text in [
        "テストを整備した時点で `a/b.md` を作成する。",
        "`a/b.md` というファイルを新規に作成する",
        "Sentinel errors: tambahkan ke `a/b.md` baru (saat ini hanya satu).",
        "Buat file `a/b.md` untuk itu.",
        "Simpan hasil di `a/b.md`.",
        "Criar um script temporário `a/b.md` para isso.",
        "Crie o arquivo `a/b.md`.",
        "Crear un archivo nuevo llamado `a/b.md`.",
        "Salvar o resultado em `a/b.md`.",
        "`a/b.md` 파일을 새로 만들고",
        "`a/b.md`를 작성한다.",
        "新建一个文件 `a/b.md`",
        "创建临时脚本 `a/b.md`",
    ] {
        assert_eq!(of(text), Stance::Denies, "{text}");
    }
    for text in [
        "`a/b.md` を参照する。",
        "`a/b.md` にまとめてあるテストを作成順に読む。",
        "`a/b.md` 파일을 참고한다.",
        "Tambahkan baris ke `a/b.md`.",
        "Adicionar linhas ao arquivo `a/b.md`.",
        "参考 `a/b.md` 创建组件",
    ] {
        assert_ne!(of(text), Stance::Denies, "{text}");
    }
}

#[test]
fn a_list_behind_what_was_done_with_it_is_gone() {
    for text in [
        "It crawls. (Replaced the `x.sh` + `a/b.md` pair on 2026-08-08.)",
        "Merged `x.md`, `y.md` and `a/b.md` into one page.",
        "- Updated the views (`x.jsx`, `a/b.md`) to show rows.\n- Added support for more.",
        "Checked on 2026-03-20:\n- Files found: `a/b.md`, `x.md`.",
    ] {
        assert_eq!(of(text), Stance::Denies, "{text}");
    }
    for text in [
        "The pair is merged by CI. See `x.md` + `a/b.md`.",
        "- Updated the views in `a/b.md`.\n- The rest is here.",
        "- Implemented in `a/b.md`\n- Added by `x.md`",
        "Checked by CI:\n- `a/b.md`",
    ] {
        assert_ne!(of(text), Stance::Denies, "{text}");
    }
}

#[test]
fn items_between_semicolons_speak_for_themselves() {
    for text in [
        "- `x/` holds `o.ts` (x); `p.ts` (the glyphs are retired); `a/b.md` (merges rows); `q.ts`.",
        "`p.ts` (removed in v2); `q.ts` (new); `a/b.md` (merges rows).",
    ] {
        assert_eq!(of(text), Stance::Claims, "{text}");
    }
    for text in [
        "Removed: `p.ts`; `q.ts`; `a/b.md`.",
        "`p.ts`; `q.ts`; `a/b.md` were removed.",
        "- [x] Split it: `a/b.md` has `readRows()`.",
        "`p.ts`; (the old part; it is gone, with `a/b.md`); `q.ts`.",
        "It is the direct replacement for the old setup (`a/b.md`).",
    ] {
        assert_eq!(of(text), Stance::Denies, "{text}");
    }
}

#[test]
fn a_clause_that_says_when_to_read_makes_nothing() {
    assert_eq!(of("When writing any test, read [b](a/b.md) first."), Stance::Claims);
    assert_eq!(of("Before generating rows, always see `a/b.md`."), Stance::Claims);
    assert_eq!(of("When writing prompts, follow best practices from:\n\n- `a/b.md`"), Stance::Claims);
    assert_eq!(of("When writing any test, save it to `a/b.md`."), Stance::Denies);
}

#[test]
fn a_remark_in_a_drawing_tells_what_is_to_come() {
    for remark in [
        "# (future) Repository pattern",
        "# future: rows",
        "# placeholder",
        "# TODO: write",
        "  (planned)",
        "# rows (create directory when first needed)",
        "# rows (not yet written)",
        "# 单元测试占位/补充",
        "# kept for future use",
    ] {
        assert!(remark_denies(remark), "{remark}");
    }
    for remark in ["# futures and options", "# entry point", "# 单元测试"] {
        assert!(!remark_denies(remark), "{remark}");
    }
}

#[test]
fn what_stands_for_something_or_shows_a_form_claims_nothing() {
    for text in ["`a/b.md` is one of the placeholders for a future split.", "Exemples de chemins :\n\n- `a/b.md`"] {
        assert_ne!(of(text), Stance::Claims, "{text}");
    }
}
