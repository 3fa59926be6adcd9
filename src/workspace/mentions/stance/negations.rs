//! Negations of several languages. A negated verb governs the rest of its clause: the commands and files that follow it, and the
//! folder behind a preposition if the verb puts something there.

use std::sync::LazyLock;

use super::pattern::FoldedPattern;

/// How one language negates a verb that stands before what it is about.
struct Tongue {
    /// What stands before the verb, with the words that may lie between.
    negation: &'static str,
    /// Verbs for running, using or making something.
    acts: &'static str,
    /// Verbs for putting something into a folder.
    places: &'static str,
}

const TONGUES: [Tongue; 9] = [
    Tongue {
        negation: r"(?:(?:do|must|should|shall|may|to|can)\s+not|(?:do|must|should|shall|ca)n't|never|cannot|avoid|no\s+need\s+to)(?:\s+(?:ever|directly|also|manually|\w+ly))?",
        acts: r"run|running|execute|executing|invoke|invoking|launch|launching",
        places: r"duplicate|duplicating|mirror|mirroring|replicate|nest|move|moving|place|placing|store|storing|save|saving|stash|symlink|relocate|install",
    },
    Tongue {
        negation: r"(?:no|nunca|jamás|evita|evite|evitar|prohibido)(?:\s+(?:se|debes?|debe|hay|que|es|necesario|hace|falta|vuelvas|a))*",
        acts: r"ejecutes|ejecute|ejecuten|ejecutar|ejecuta|corras|corra|correr|lances|lanzar|uses|use|usen|usar|usa|utilices|utilice|utilizar|utiliza|invoques|invocar|llames|llamar|crees|crear|tiene|tienen|define|definen",
        places: r"dupliques|duplicar|duplique|copies|copiar|pongas|poner|coloques|colocar|guardes|guardar|muevas|mover|añadas|añadir|agregues|agregar",
    },
    Tongue {
        negation: r"(?:não|nao|nunca|jamais|evite|evitar|proibido)(?:\s+(?:se|deve|devem|deves|precisa|é|necessário|há))*",
        acts: r"execute|executem|executar|rode|rodem|rodar|use|usem|usar|utilize|utilizar|invoque|chame|chamar|crie|criem|criar|tem|têm|possui|define",
        places: r"duplique|dupliquem|duplicar|copie|copiar|coloque|colocar|ponha|salve|salvar|guarde|guardar|mova|mover|adicione|adicionar",
    },
    Tongue {
        negation: r"(?:ne\s+|n')(?:(?:pas|jamais|plus)\s+)?",
        acts: r"exécut(?:e|er|es|ez)|lanc(?:e|er|es|ez)|utilis(?:e|er|es|ez)|appel(?:er|ez|le|les)|emploie|employ(?:er|ez)|cré(?:e|er|es|ez)",
        places: r"dupliqu(?:e|er|es|ez)|copi(?:e|er|es|ez)|met(?:s|tre|tez)|plac(?:e|er|ez)|ajout(?:e|er|ez)|déplac(?:e|er|ez)",
    },
    Tongue {
        negation: r"(?:non|mai|evita|evitare|vietato)(?:\s+(?:si|deve|devi|bisogna))*",
        acts: r"eseguire|eseguite|eseguirlo|lanciare|lanciate|avviare|usare|usate|utilizzare|utilizzate|invocare|chiamare|creare|ha|definisce",
        places: r"duplicare|duplicate|copiare|copiate|mettere|mettete|salvare|spostare|aggiungere",
    },
    Tongue {
        negation: r"(?:jangan|janganlah|dilarang|tidak\s+(?:boleh|perlu|usah))(?:\s+(?:pernah|lagi|langsung))*",
        acts: r"jalankan|menjalankan|gunakan|menggunakan|pakai|memakai|panggil|memanggil|eksekusi|buat|membuat",
        places: r"salin|menyalin|duplikat|duplikasi|menduplikasi|simpan|menyimpan|taruh|letakkan|tambahkan|pindahkan",
    },
    Tongue {
        negation: r"(?:не|нельзя|запрещено|запрещается)(?:\s+(?:надо|нужно|следует))*",
        acts: r"запуска\w+|запусти\w+|выполня\w+|использу\w+|использова\w+|вызыва\w+|примен\w+|созда\w+",
        places: r"дублир\w+|копир\w+|помеща\w+|клад\w+|клас\w+|перемеща\w+|добавля\w+",
    },
    Tongue {
        negation: r"nie(?:\s+(?:należy|wolno|trzeba))*",
        acts: r"uruchamia\w+|używa\w+|wywołuj\w*|wywoływa\w+|wykonuj\w*|wykonywa\w+|stosuj\w*|stosowa\w+|twórz\w*|tworzy\w+",
        places: r"duplikuj\w*|duplikowa\w+|kopiuj\w*|kopiowa\w+|umieszcza\w+|dodawa\w+|przenoś\w*",
    },
    Tongue {
        negation: r"(?:không|đừng|cấm|chớ)(?:\s+(?:được|nên|cần|bao|giờ))*",
        acts: r"chạy|dùng|sử\s+dụng|gọi|thực\s+thi|tạo",
        places: r"sao\s+chép|nhân\s+bản|đặt|lưu|thêm|di\s+chuyển",
    },
];

/// Words behind which a clause is about something else: exceptions to what the negation forbids, the other half of a contrast, and
/// verbs that turn the negation around ("do not forget to run").
const TURNS: [&str; 62] = [
    "after",
    "antes",
    "außer",
    "avant",
    "aber",
    "before",
    "besides",
    "beyond",
    "but",
    "except",
    "excepto",
    "exceto",
    "fail",
    "forget",
    "fora",
    "from",
    "fuera",
    "hasta",
    "hesitate",
    "hors",
    "if",
    "instead",
    "instead,",
    "jusqu'à",
    "kecuali",
    "lupa",
    "mais",
    "mas",
    "neglect",
    "olvides",
    "olvide",
    "omit",
    "oublie",
    "oubliez",
    "outside",
    "pero",
    "rather",
    "sans",
    "sauf",
    "selain",
    "sem",
    "senza",
    "sin",
    "sino",
    "skip",
    "skipping",
    "sondern",
    "than",
    "tanpa",
    "tranne",
    "unless",
    "until",
    "vergiss",
    "when",
    "while",
    "with",
    "without",
    "без",
    "кроме",
    "но",
    "забудьте",
    "забывай",
];

/// Words that join a clause of its own to the one before, unless a command or file follows.
const JOINS: [&str; 8] = ["and", "dan", "e", "et", "then", "und", "y", "и"];

/// Prepositions: what stands behind one is a place, and not what the verb acts on.
const PREPOSITIONS: &str = r"in|into|inside|to|under|below|beneath|within|at|on|onto|through|via|for|of|by|as|like|en|dentro\s+de|bajo|a|hacia|para|por|con|de|em|no|na|sob|com|dans|sous|vers|avec|pour|da|del|della|nel|nella|sotto|per|di|ke|dalam|untuk|dengan|в|во|на|под|для|из|с|через|w|do|pod|na|z|dla|vào|trong|ở|cho|với";

/// Prepositions of a place into which something is put.
const INTO: &str = r"in|into|inside|to|under|below|beneath|within|en|dentro\s+de|bajo|a|hacia|em|para|sob|dans|sous|vers|nel|nella|sotto|di|ke|dalam|в|во|на|под|w|do|pod|vào|trong|ở";

/// Marks between a verb and the path, or the last code span of the clause before the path's own.
const MARKS: &str = r"[\x20\n`'\x22(\[*_@]*";

/// A negated verb that runs, uses or makes what its clause goes on to name.
static NEGATED_ACT: LazyLock<FoldedPattern> = LazyLock::new(|| of_tongues(|tongue| tongue.acts, r"(?:[^\w].*)?"));

/// A negated verb that puts something, and the preposition right before the path.
static NEGATED_PLACE: LazyLock<FoldedPattern> =
    LazyLock::new(|| of_tongues(|tongue| tongue.places, &format!(r"\s+(?:.*[^\w])?(?:{INTO})\s{MARKS}")));

/// A path behind a preposition.
static PLACE: LazyLock<FoldedPattern> =
    LazyLock::new(|| FoldedPattern::new(&format!(r"(?s)(?:^|[^\w])(?:{PREPOSITIONS})\s{MARKS}$")));

/// Negations that stand behind the path with their verb, and those of languages that write no blanks.
static NEGATED_BEHIND: LazyLock<FoldedPattern> = LazyLock::new(|| {
    FoldedPattern::new(
        r"(?x)^[\x60)\x22'*_\x20\n]*(?:
            (?:[^.;:,!?\n]*[\x20\x60])?(?:nicht|niemals|keinesfalls)\s+(?:\w+\s+)?(?:aus|auf|an|ausführen|aufrufen|verwenden|benutzen|nutzen|starten|anlegen|duplizieren|kopieren)(?:[^\w]|$)
          | (?:[^.;:,!?\n]*[\x20\x60])?(?:niet|nooit)\s+(?:\w+\s+)?(?:uit|gebruiken|uitvoeren|aanroepen|starten|maken|kopiëren)(?:[^\w]|$)
          | (?:komutunu\s+)?(?:çalıştırma|kullanma)(?:yın|yınız)?(?:[^\w]|$)
          | (?:コマンド)?(?:を|は)(?:直接|手動で)?(?:実行|使用|利用|起動)(?:しない|するな|せず|してはいけ|してはなら|禁止)
          | (?:을|를|은|는)?\s*(?:직접\s*)?(?:실행|사용|호출)\s*(?:하지\s*(?:않|마|말)|금지|하면\s*안)
        )",
    )
});

/// Negations of Chinese, up to the path.
static NEGATED_WITHOUT_BLANKS: LazyLock<FoldedPattern> = LazyLock::new(|| {
    FoldedPattern::new(
        r"(?x)(?:不要|请勿|請勿|禁止|严禁|嚴禁|不得|不可|切勿|无需|無需|不用|不必)(?:再|直接|手动|手動|自行|擅自|随意|隨意)*
            (?:运行|運行|执行|執行|调用|調用|启动|啟動|跑)[\x60\x22'(/\x20x]*$",
    )
});

/// The text says behind the path that this repository has no such thing.
static HAS_NONE: LazyLock<FoldedPattern> = LazyLock::new(|| {
    FoldedPattern::new(
        r"(?x)^[^;]*[^\w](?:
            (?:this|the|our)\s+(?:repo|repository|project|package|workspace|codebase|module|app)\s+(?:has|have|defines|ships|provides|contains)\s+(?:none|neither|no\s+such)
          | there\s+(?:is|are)\s+none
          | (?:repo|repositorio|proyecto|paquete)\s+no\s+(?:l[oa]s?)\s+(?:tiene|define|incluye|trae|usa)
          | (?:repo|repositório|projeto|pacote)\s+não\s+(?:[oa]s?)\s+(?:tem|possui|define|inclui|usa)
          | (?:repo|dépôt|projet|paquet)\s+n'en\s+(?:a|contient|définit|fournit)\s+(?:pas|aucun|aucune)
          | (?:repo|repository|projekt|paket)\s+(?:hat|kennt|enthält|definiert)\s+(?:sie\s+nicht|es\s+nicht|keine|keinen|keines|keins)
          | (?:repo|repository|progetto|pacchetto)\s+non\s+(?:ne|li|le|lo|la)\s+(?:ha|contiene|definisce|prevede)
          | (?:repo|repositori|proyek)\s+ini\s+tidak\s+(?:punya|memilikinya|memiliki\s+itu)
          | (?:репозитории|проекте)\s+(?:их|его|её)\s+нет
        )(?:[^\w]|$)
        | ^[^;]*(?:仓库|倉庫|项目|專案)(?:里|裡|中|内)?(?:没有|沒有)(?:这些|這些|它们|它們|该|此)?[)\x01\x20]*$",
    )
});

/// The pattern for the verbs that `verbs` takes of each language, each behind its negation and before what `rest` says.
fn of_tongues(verbs: impl Fn(&Tongue) -> &'static str, rest: &str) -> FoldedPattern {
    let tongue = |tongue: &Tongue| {
        let blank = if tongue.negation.ends_with(r"\s+)?") { "" } else { r"\s+" };
        format!("(?:{}){blank}(?:{})", tongue.negation, verbs(tongue))
    };
    let tongues: Vec<String> = TONGUES.iter().map(tongue).collect();
    FoldedPattern::new(&format!(r"(?s)(?:^|[^\w])(?:{}){rest}$", tongues.join("|")))
}

/// Whether a negation governs the path between `before` and `after`, which are folded and of its sentence.
pub(super) fn is_negated(before: &str, after: &str) -> bool {
    let clause = clause_of(before);
    NEGATED_PLACE.is_match(&clause)
        || NEGATED_ACT.is_match(&clause) && !PLACE.is_match(&clause)
        || NEGATED_WITHOUT_BLANKS.is_match(&clause)
        || NEGATED_BEHIND.is_match(after)
        || HAS_NONE.is_match(after)
}

/// The clause at the end of `before`, with an `x` for each code span in it.
fn clause_of(before: &str) -> String {
    let mut text = String::new();
    let mut parts = before.split('`').peekable();
    let mut is_code = false;
    while let Some(part) = parts.next() {
        match is_code {
            // The last one is open: the path stands in it.
            true if parts.peek().is_none() => text.push('`'),
            true => text.push_str("`x`"),
            false => text.push_str(part),
        }
        is_code = !is_code;
    }
    let words: Vec<&str> = text.split_ascii_whitespace().collect();
    let follows_code = |index: usize| words.get(index + 1).is_none_or(|next| next.starts_with(['`', '(', '[']));
    let ends_clause = |index: usize, word: &str| {
        let bare = word.trim_matches(|c: char| c.is_ascii_punctuation() && c != '\'');
        let is_list = word.ends_with([',', '\x01']) || JOINS.contains(&bare);
        word.ends_with([';', ':', '!', '?', ')'])
            || word == "-"
            || TURNS.contains(&bare)
            || is_list && !follows_code(index)
    };
    let start = (0..words.len()).rev().find(|&index| ends_clause(index, words[index])).map_or(0, |index| index + 1);
    let mut clause = words[start..].join(" ");
    if text.ends_with(char::is_whitespace) {
        clause.push(' ');
    }
    clause
}

/// All of this file, to compile.
pub(super) static PATTERNS: [&LazyLock<FoldedPattern>; 6] =
    [&NEGATED_ACT, &NEGATED_PLACE, &PLACE, &NEGATED_BEHIND, &NEGATED_WITHOUT_BLANKS, &HAS_NONE];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workspace::mentions::stance::pattern::folded;

    /// Whether the path `PATH` of the sentence is negated.
    fn told(sentence: &str) -> bool {
        let (before, after) = sentence.split_once("PATH").expect("each sentence names the path");
        is_negated(&folded(before), &folded(after))
    }

    #[test]
    fn a_negated_verb_governs_the_rest_of_its_clause() {
        for sentence in [
            "Skills live in `a`; do not duplicate them under `PATH`.",
            "Never mirror these files into PATH.",
            "NO ejecutes `PATH`/`npm run build` (este repo no los tiene).",
            "NO ejecutes `npm test`/`PATH`.",
            "No se debe ejecutar `npm run a:b` ni `PATH`.",
            "Este repo NO tiene `npm test`/`PATH`; la verificación es `x`.",
            "No dupliques las skills en `PATH`.",
            "Não execute `a`, `PATH`.",
            "Ne lancez pas `PATH`.",
            "N'exécutez jamais `PATH`.",
            "Non eseguire i test (`PATH`).",
            "Jangan jalankan `PATH`.",
            "Не запускайте `PATH`.",
            "Nie uruchamiaj `PATH`.",
            "Không chạy `PATH`.",
            "不要直接运行 `PATH`。",
            "Führe `PATH` nicht aus.",
            "`PATH` niet gebruiken.",
            "`PATH`を直接実行しない",
            "`PATH`를 실행하지 마세요",
            "Never run lint or `PATH`.",
            "Run `PATH` (this repo has none).",
            "Skip `PATH`, since there are none.",
            "`PATH` (ce dépôt n'en a pas)",
            "`PATH` (dieses Repo hat keine)",
        ] {
            assert!(told(sentence), "{sentence}");
        }
    }

    #[test]
    fn what_another_clause_forbids_is_not_governed() {
        for sentence in [
            "Do not duplicate code; put it in `PATH`.",
            "Do not duplicate helpers, use `PATH`.",
            "Do not duplicate `PATH`.",
            "Do not duplicate code from `PATH`.",
            "Do not run the migrations without `PATH`.",
            "Do not forget to run `PATH`.",
            "Never run jest by hand but `PATH`.",
            "Never run tests and read `PATH`.",
            "Do not run commands in `PATH`.",
            "No ejecutes migraciones sin `PATH`.",
            "No olvides ejecutar `PATH`.",
            "No hay tests: ejecuta `PATH`.",
            "No uses tipos sueltos en `PATH`.",
            "Este repo no tiene tests, usa `PATH`.",
            "No ejecutes jest y lee `PATH`.",
            "Não há testes, rode `PATH`.",
            "Ne lancez pas jest, lancez `PATH`.",
            "Non serve altro: eseguire `PATH`.",
            "不要跳过测试，运行 `PATH`。",
            "Führe `PATH` aus, wenn nicht alles läuft.",
            "The other services have tests; run `PATH` here.",
            "Run `PATH`; this repo has none of the others.",
        ] {
            assert!(!told(sentence), "{sentence}");
        }
    }
}
