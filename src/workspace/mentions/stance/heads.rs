//! What the head of a column, or the first cell of a row, says of the paths in it.

use std::sync::LazyLock;

use super::pattern::FoldedPattern;

/// The head of a column that lists what was, or is yet to come.
pub(super) static GONE_HEAD: LazyLock<FoldedPattern> = LazyLock::new(|| {
    FoldedPattern::new(
        r"(?x)^[*_\x60]*(?:
            (?:old|former|previous|before|legacy|deprecated|obsolete|removed|deleted|was|renamed\s+from|moved\s+from|replaced|planned|proposed|future|new\s+file|v[0-9]+)\b
          | 旧
        )",
    )
});

/// The head of a column that tells what follows where a file is missing.
pub(super) static MAY_MISS_HEAD: LazyLock<FoldedPattern> = LazyLock::new(|| {
    FoldedPattern::new(r"(?x)\b(?:if|when|where)\s+(?:it\s+is\s+|not\s+)?(?:missing|absent|found|present|there)\b")
});

/// The head of a column that lists what a step or an agent makes.
pub(super) static MADE_HEAD: LazyLock<FoldedPattern> = LazyLock::new(|| {
    FoldedPattern::new(
        r"(?x)^[*_\x60]*(?:
            (?:expected\s+)?(?:outputs?|artifacts?|artefacts?|deliverables?)(?:\s+(?:files?|paths?|locations?|artifacts?|documents?))?
          | 输出物? | 產出 | 产出 | 产物 | 輸出 | 出力 | 출력 | 산출물
          | produces | produced | generates | creates | writes(?:\s+to)? | (?:written|saved?)\s+to
        )[*_\x60]*$",
    )
});

/// The head of a column of examples.
pub(super) static EXAMPLE_HEAD: LazyLock<FoldedPattern> = LazyLock::new(|| {
    FoldedPattern::new(
        r"^[*_\x60]*(?:examples?|samples?|e\.g\.|beispiele?|ejemplos?|exemplos?|exemples?|例|例子|示例|예시?)(?:$|[^0-9a-z_\x80-\xff])",
    )
});

/// The first cell of a row that is for the projects which have something: "`Makefile` with `test` target".
pub(super) static CASE: LazyLock<FoldedPattern> = LazyLock::new(|| {
    FoldedPattern::new(
        r"(?x)^\x60?(?:makefile|justfile|taskfile|rakefile|package\.json|pyproject\.toml|composer\.json|cargo\.toml|build\.gradle)\x60?
            \s+(?:with|has|contains|defines|exists?)\b
          | ^\x60[^\x60]+\x60\s+(?:targets?|scripts?|recipes?|tasks?)\s+in\s+(?:the\s+|an?\s+)?\x60?(?:makefile|justfile|taskfile|package\.json|pyproject\.toml|composer\.json)\b
          | ^\x60[^\x60]+\x60\s+(?:exists|is\s+(?:present|there))$",
    )
});
