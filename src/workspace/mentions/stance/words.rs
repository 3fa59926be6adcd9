//! The words that say of a path that it is gone, made, or an example: one pattern for each part of the text around it.

use std::sync::LazyLock;

use super::pattern::FoldedPattern;

/// The sentence says that something is not there, wherever it says so.
pub(super) static GONE: LazyLock<FoldedPattern> = LazyLock::new(|| {
    FoldedPattern::new(
        r"(?x)
        \b(?:
            (?:do|does|did|is|are|was|were|must|should|will|may|might|need|can|has|have)(?:es)?(?:\s+\w+ly)?\s*n(?:o|')t\s+(?:\w+\s+)?
                (?:exist|present|there|tracked|committed|included|checked\s+in|shipped|available|yet|needed|required|supported|part)
          | (?:never|not)\s+(?:be\s+)?(?:committed|tracked|checked\s+in|pushed|recreated) | doesn't\s+exist | don't\s+exist | not\s+exist
          | no\s+longer\s+(?:\w+\s+)?(?:exist\w* | there | here | us(?:e|es|ed|ing) | present | needed | supported | part | maintained | available | required |
                relevant | active | live | valid | tracked | shipped | lives? | generated | has | have | contains? | in | an? | the) | non-?existent | nonexistent | not\s+yet | not\s+present
          | isn't\s+(?:there|tracked|committed|present)
          | (?:is|are)\s+(?:only\s+)?(?:an?\s+)?(?:future|later|possible)\s+(?:addition|extension|option|possibility|work)
          | (?:(?:do|does|must|should|shall)(?:\s+not|n't)|never)\s+use\s+(?:the\s+|any\s+)?(?:old|legacy|former|deprecated|obsolete)
          | (?:produces?|generates?|emits?)\s+(?:[\w-]+\s+){0,4}files\s+\([^)]*\bx
          | (?:is|are)\s+not\s+generated\s+(?:on|in|here)
          | (?:not|don't|never)\s+(?:assume|expect)\s+[^.;]*\b(?:exists?|(?:is|are)\s+(?:there|present|available))
          | avoid(?:ing)?\s+(?:the\s+|any\s+|all\s+)?(?:legacy|old|outdated|deprecated|obsolete|stale)
          | (?:remove|delete|drop)\s+(?:\w+\s+){1,4}before\s+(?:the\s+)?(?:merg\w+|commit\w*|pr\b|pull) | git-?ignored | coming\s+soon | ignored\s+by\s+git | (?:in|to|by|see|via)\s+(?:the\s+|your\s+)?[`'\x22]?\.gitignore | untracked | uncommitted
          | (?:been|being|was|were|is|are|now|got|gets)\s+(?:\w+ly\s+|now\s+|since\s+)?
                (?:deleted|removed|renamed|replaced|moved|merged|retired|dropped|eliminated|superseded|consolidated|migrated|split|folded|
                   archived|relocated|gone|obsolete|extracted|absorbed|deprecated|decomposed|dissolved|inlined|unified)
          | (?:deleted|removed|renamed|retired|superseded|obsoleted|formerly|previously|originally)
          | (?:from|replac(?:e|es|ed|ing))\s+(?:the\s+|its\s+|our\s+)?former | replacements?\s+(?:for|of)\s+(?:the\s+|its\s+|our\s+)?(?:former|old|previous|legacy) | replac(?:e|es|ed)\s+(?:all\s+)?(?:two|three|four|five|six|seven|several|both|[0-9]+)\s+(?:of\s+)?(?:\w+\s+){0,3}(?:agents?|commands?|files?|modules?|pages?|prompts?|rules?|scripts?|skills?)
          | (?:is|are|gets?)\s+(?:always|automatically)\s+(?:re)?(?:generated|created|written|produced) | always[\x20-]generated
          | used\s+to\s+(?:be|live|have|exist|hold|contain|do|handle|sit|reside|lie|stand|point|belong) | (?:lived|existed|resided|sat)\s+(?:in|at|under|inside)
          | (?:the|an?|our|its)\s+(?:original|initial|earlier|prior|first|previous|former|old)\s+(?:\S+\s+){1,6}?(?:was|were|lived|had|came|stood) | historically | moved\s+(?:in)?to | there\s+(?:is|are|was|were)\s+no | predecessor
          | (?:was|were|had|at)\s+(?:[a-z]+\s+)?[0-9][0-9,.]*k?\+?[\x20-]*(?:lines?|loc)\b[^.;]*\b(?:now|became|split|today)
          | (?:ships?|comes?|lands?|arrives?)\s+(?:in|with)\s+v[0-9] | there\s+(?:was|were)\s+(?:once\s+)?an? | (?:was|were)\s+\x60?x\x60?\s+until
          | (?:not|none|never)\s+found | could(?:\s+not|n't)\s+find
          | residues? | (?:is|are)\s+(?:now\s+)?stale | (?:no|neither)\s[^;]*\bx\b[^;]*\bexists?
          | (?:pr|pull\s+request|issue|incident|ticket)\s*\#[0-9]+\s+(?:[\w-]+\s+){0,3}?(?:breakdown|post-?mortem|retro(?:spective)?|case\s+study|precedent|write-?up|walkthrough)
          | (?:pr|pull\s+request)\s*\#[0-9]+\s+(?:\([^)]*\)\s+)?(?:opened|introduced|added|shipped|landed|proposed|duplicated|reimplemented)
          | (?:is|are)\s+reserved\s+for
          | (?:merged|folded|fused)\s+with\s+x | as\s+planned
          | not\s+(?:in\s+)?(?:here|this\s+(?:repo\w*|folder|directory|package|project))
          | (?:lives?|is|are|resides?|sits?|kept|maintained|hosted|defined|documented)\s+(?:\w+\s+)?in\s+(?:(?:the|an?|its|our|their)\s+)?(?:[\w-]+\s+)?
                (?:other|another|separate|own|private|sibling|companion|upstream|downstream)\s+(?:[\w-]+\s+)?(?:repo|repos|repository|repositories|checkout)
          | (?:reads?|loads?|expects?|looks?\s+(?:up|for)|fetch(?:es)?|resolves?|picks?\s+up)\s+(?:\S+\s+){1,8}?at\s+runtime
          | (?:but|and|yet|though)\s+(?:(?:was|were|is|are)\s+)?(?:not|never)\s+(?:shipped|built|written|implemented|created|published|released|merged|landed|added|done)
          | (?:was|were|has\s+been|have\s+been)\s+never\s+(?:shipped|built|written|implemented|created|published|released|merged|landed|added|committed)
          | (?:do|does|did)\s+not\s+need\s+(?:an?\s+|the\s+|their\s+own\s+)?\x60?x\b
          | no\s+(?:root|top[\x20-]level|separate|single|shared|global|central|dedicated)\s+\x60?x\b
          | no\s+\w+\s+(?:ships?|has|have|contains?|includes?|defines?|uses?|provides?|owns?)
          | (?:if|when|where|once|unless|whether)\s+(?:\S+\s+){0,6}?(?:exists?|present|available|found|missing|absent)\b
          | (?:if|when|where)\s+(?:configured|installed|set\s+up|defined)
          | (?:restore|recover|retrieve)\s+(?:\S+\s+){0,4}?from\s+(?:the\s+)?(?:git\s+|commit\s+)?history
          | if\s+(?:an?\s+|the\s+)?`?x`?\s+(?:[\w-]+\s+)?(?:is|are|gets|has\s+been)\s+(?:ever\s+)?(?:added|created|introduced|written)
          | (?:would|could|might)\s+be\s+(?:helpful|useful|nice|good|handy)\s+to
          | if\s+(?:one|any|it|they|some)\s+(?:has|have)\s+(?:since\s+|now\s+|been\s+){0,3}(?:added|created|introduced|installed|wired)
          | (?:if|when|where)\s+(?:the|an?|your|that)\s+(?:original|imported|incoming|target|user'?s?)\s+(?:\S+\s+){0,4}?(?:had|has|have|contains?|contained)
          | commits?\s+(?:before|until|prior\s+to)\s+\S+\s+(?:say|says|said|tell|told)
          | if\s+(?:you|they|we)\s+(?:do\s*n(?:o|')t|do\s+not|cannot|can't)\s+(?:see|find|have)
          | if\s+(?:any\s+exist|one\s+exists|there\s+(?:is\s+one|are\s+any)) | if\s+(?:you|they|the\s+\w+)\s+(?:have|has|had)\b
          | (?:each|every|any|an?)\s+(?:[\w-]+\s+){1,3}can\s+(?:optionally\s+)?(?:contain|have|include|override|provide|ship)
          | (?:may|might|could)\s+(?:not\s+|optionally\s+)?(?:be\s+(?:missing|absent|present)|exist|contain|have|provide) | (?:is|are)\s+optional | (?:begins?|starts?)\s+(?:out\s+)?empty | only\s+(?:if|when|once)\s+(?:\S+\s+){1,3}(?:needed|necessary|required|genuinely)
          | (?:creat|generat|writ|made|mak|popul|produc|built|build|fetch|download|inject|mount)\w*\s+(?:\w+\s+){0,3}(?:at|on)\s+runtime | not\s+a\s+(?:real\s+)?(?:file|path) | still\s+(?:contains?|has|had)
        )\b
        | \((?:optional|planned|todo|tbd|future|deprecated|legacy|not\s+implemented|wip|proposed|in\s+design|currently\s+empty|new|to\s+be\s+\w+|if\s+any)\) | \bfor\s+(?:\w+\s+)?backwards?[\x20\n-]+compatib
        | (?:existiert\s+nicht | nicht\s+vorhanden | fehlt | nichts\s+mehr | entfällt | ehemals | ehemalige[rsmn]? | nicht\s+(?:mehr\s+)?(?:verwenden|benutzen|nutzen) | gibt\s+es\s+nicht | nicht\s+mehr | (?:wurde|wird|werden)\s+(?:\S+\s+){0,5}?(?:gelöscht|entfernt|umbenannt|verschoben|ersetzt|erzeugt|erstellt|generiert|angelegt)
          | n'existe(?:nt)?\s+(?:pas|plus) | (?:est|sont)\s+supprimée?s? | n'utilise[rz]?\s+pas | a\s+été\s+(?:supprimé|renommé|déplacé|remplacé)e? | (?:sera|est)\s+(?:généré|créé)e?
          | (?:no|ya\s+no)\s+existen? | ya\s+no\s+(?:está|se\s+usa|hay) | já\s+não\s+existe | n'est\s+plus | больше\s+нет | (?:fue|ha\s+sido|foi)\s+(?:eliminad|borrad|renombrad|movid|reemplazad|removid|excluíd|renomead|substituíd)[oa]s?
          | (?:se|será|es|é)\s+(?:genera|crea|generad[oa]|cread[oa]|gerad[oa]|criad[oa]) | não\s+existem?
          | (?:renomead|renombrad|fundid|fusionad|incorporad|arquivad|archivad|eliminad|removid|substituíd|sustituid|reemplazad)[oa]s?
          | (?:umbenannt|zusammengeführt|verschoben)\s | (?:renommé|fusionné|supprimé)e?s?
          | не\s+использу\w+ | не\s+существу\w+ | больше\s+не | (?:в\s+)?(?:проекте|репозитории)\s+нет | не\s+созда(?:вать|вай\w*|ём|ем) | намеренно\s+(?:нет|отсутств\w+) | нет\s+намеренно | (?:был(?:а|о|и)?\s+)?(?:удал(?:е|ё)н|переименован|перемещ(?:е|ё)н|замен(?:е|ё)н)(?:а|о|ы)? | устарел\w* | (?:создаётся|создается|генерируется))
        | (?:不要|请勿|請勿|禁止|严禁|嚴禁|不得|不应|不應|勿)(?:再|重新|再次){0,2}(?:引入|恢复|恢復|添加|加入|依赖|依賴|引用|保留) | \x60\s*금지 | 不要使用 | 请勿使用 | 避免使用 | 使わない | 使用しない | 사용하지 | ❌ | ✗ | ✘ | 請勿使用 | 不存在 | (?:不得|禁止|不应|不應|不能|不可)存在 | (?:不要|请勿|請勿|禁止|严禁|嚴禁|不得)(?:再|再次|重新)?(?:创建|創建|建立|新建) | 未发现 | 未發現 | 未找到 | 暂无 | 尚无 | (?:は|が)ありません | 見つかりません | 已删除 | 已刪除 | 已(?:于|在|於|經|经)[\x20-\xff]{0,40}?(?:删除|刪除|移除|下线|废弃|弃用|归档) | 已移除 | 已废弃 | 已廢棄 | 已弃用 | 已移动 | 已移至 | 已迁移 | 已重命名 | 已改名 | 已归档 | 不要提交 | 不再 | 待创建 | 将创建 | 自动生成 | 自動生成
        | (?:取代|替代|代替|替换|替換)(?:了|原|旧|舊) | 旧的 | 舊的 | 已合并 | 已合併 | 已拆分 | 已并入 | に代わる | の代わり | 置き換え | 대체
        | (?:ersetzt|remplace|reemplaza|substitui|sostituisce)\s+(?:\S+\s+){0,2}?(?:alte\w*|ancien\w*|antigu\w*|antig\w*|vecchi\w*) | заменя\w+
        | ^[\x20\x01*_]*(?:新增|新規|신규)[\x20\x01*_]*$ | 如果存在 | 若存在 | 如存在 | 旧版 | 舊版 | 新增(?:文件|檔案|的?文件|一) | \(新增 | 规划中 | 未实现 | 清空 | 运行时(?:自建|创建|生成|建立) | 没建 | 没有建 | 没新造 | 已退役 | 已下线 | 未建 | 不要建 | 未创建 | 没创建
        | 存在しない | もうない | なくなった | 已经没有 | 已不存在 | 存在しなければ | がなければ | が無ければ | がない場合 | 存在しません | 削除済 | 削除され | 削除しま | 廃止 | 非推奨 | 移動しました | 移動済 | 生成され | 作成予定 | 存在する場合 | 新規(?:作成|ファイル|追加|に) | \(新規
        | 삭제 | 없음 | 없는 | 없습니다 | 존재하지 | 제거 | 더\s*이상 | 폐기 | 이동됨 | 이름\s*변경 | 자동\s*생성 | 커밋\s*이력에서 | 생성됨 | 생성됩니다 | 레거시 | 신규\s*(?:파일|생성|작성|추가) | \(신규 | 있었다면 | 있으면 | 없으면 | 있는\s*경우",
    )
});

/// The sentence forbids to make the file or to rely on it.
pub(super) static FORBIDDEN: LazyLock<FoldedPattern> = LazyLock::new(|| {
    FoldedPattern::new(
        r"(?x)
        \b(?:never|not|\w+n't|avoid|cannot|without)[*_]*\s+(?:\w+\s+){0,2}?
            (?:commit|committing|copy|copying|create|creating|add|adding|introduce|introducing|check\s+in|track|push|reintroduce|recreate|restore|look\s+for|
               import(?:ing)?|writ(?:e|ing)|put(?:ting)?|depend(?:ing)?|generate|make|include|ship|publish)\b
        | \b(?:never|not|\w+n't|avoid|cannot)[*_]*\s+(?:\w+\s+){0,2}?(?:reference|use|using|rely|reach|run|running|execute|invoke|call)
            (?:\s+(?:the|any|this|these|those|old|legacy|following|files?|paths?|scripts?|folders?|on|upon|directly|to))*\s*[`'\x22(\[*]*
            (?:(?:bash|zsh|sh|python3?|node|ruby|perl|pwsh|source)\s+)?(?:x\b|:?\s*$)
        | \b(?:never|(?:do|must|should|shall|may|to)\s+not|don't|mustn't|shouldn't|avoid)[*_]*\s+(?:\w+ly\s+|ever\s+)?(?:read|open|load)(?:ing)?
            (?:\s+(?:the|any|this|these|those|old|legacy|following|files?|paths?|from))*\s*[`'\x22(\[*@]*(?:x\b|:?\s*$)",
    )
});

/// What follows the path says what the file itself must not do.
pub(super) static ACTS: LazyLock<FoldedPattern> = LazyLock::new(|| {
    FoldedPattern::new(
        r"(?x)^[)\x22'*_\x20\n]*(?:(?:must|should|may|can|will|shall|does|do)\s+)?(?:never|not|\w+n't|cannot)\s+(?:\w+ly\s+)?
            (?:import|depend|use|call|know|rely|reference|write|include|generate|create|add|introduce|make|run|ship|push|touch|put)\b",
    )
});

/// What stands right before the path says that it is of former times. It may be there all the same.
pub(super) static OLD: LazyLock<FoldedPattern> = LazyLock::new(|| {
    FoldedPattern::new(
        r"(?x)\b(?:
            (?:old|former|obsolete|legacy|deprecated)\s*:\s*
          | (?:old|former|previous|obsolete|legacy|deprecated)\s+(?:[\w-]+\s+){0,3}
        )[(\x22'*_]*$",
    )
});

/// What stands right before the path tells the reader to read it.
pub(super) static READ: LazyLock<FoldedPattern> = LazyLock::new(|| {
    FoldedPattern::new(
        r"(?x)(?:^|[.:;,(*_\x20\n])(?:read|see|follow|load|open|consult|triggers?|refer\s+to)\s+(?:the\s+)?(?:full\s+|current\s+|existing\s+)?[(\x22'*_]*$",
    )
});

/// What stands right before the path sends the reader there. What a program runs may be made; what the reader is told to run is there.
pub(super) static SENDS: LazyLock<FoldedPattern> = LazyLock::new(|| {
    FoldedPattern::new(
        r"(?x)(?:^|[.:;,(*_\x20\n])(?:
            (?:read|see|follow|consult|review|per|refer\s+to|according\s+to|(?:start|begin|comply)\s+with)
          | (?:check|see|read)\s+(?:the\s+)?(?:[\w-]+\s+){0,3}(?:docs|documentation)\s+(?:at|in|under)
          | (?:described|documented|defined|explained|detailed|specified|listed|implemented|found|details|instructions|guidelines|lives?)\s+(?:are\s+)?in
        )\s+(?:the\s+)?(?:full\s+|complete\s+|current\s+|existing\s+)?[(\x22'*_]*$
          | (?:^[^0-9a-z]*(?:[0-9]+[.)]\s+)?|[.:;(]\s|\b(?:then|and)\s)(?:run|execute|invoke)\s+(?:the\s+)?[(\x22'*_]*$
          | (?:查阅|查閱|阅读|閱讀|参见|參見|详见|詳見|参照|參照)了?[\x20(\x22'*_]*$",
    )
});

/// The sentence tells of something that is to be added, or may be.
pub(super) static ADDS: LazyLock<FoldedPattern> = LazyLock::new(|| {
    FoldedPattern::new(
        r"(?x)\b(?:add(?:s|ed|ing)?|append\w*|captur\w*|document(?:s|ed|ing)?|draft\w*|fill\w*|go(?:es)?\s+(?:in|into|under|below)|implement(?:s|ing)?|introduc\w*|keep(?:s|ing)?|log(?:s|ged|ging)?
          |maintain\w*|mov(?:e|es|ing)|not(?:e|es|ing)|plac(?:e|es|ing)|plan(?:s|ned|ning)?|propos\w*|puts?|report(?:s|ing)?|summari[sz]\w*|track(?:s|ing)?
          |new|should|would|could|will|may|might|can|want\w*|future|if|when\s+you)\b",
    )
});

/// A comment in a fence says that the command below or beside it is no command of today.
pub(super) static COMMENT_DENIES: LazyLock<FoldedPattern> = LazyLock::new(|| {
    FoldedPattern::new(
        r"(?x)\b(?:deleted|removed|deprecated|obsolete|legacy|old|renamed|planned|todo|future|examples?|e\.g\.?|bad|wrong|broken|invalid|don't|never|instead\s+of|no\s+longer|not\s+yet
            |if\s+(?:you\s+use|(?:you're\s+|you\s+are\s+)?using)|or\s+similar)\b | ❌",
    )
});

/// What stands right before the path says that it is not there, or not there yet.
pub(super) static BEFORE: LazyLock<FoldedPattern> = LazyLock::new(|| {
    FoldedPattern::new(
        r"(?x)
        (?:
            (?:\(|;\s)(?:was|were|formerly|previously)\s+
          | ^[-*+\x20]*\[[\x20x]\]\s+[^.;]*\bexists?\s+(?:at|in|under|as)\s+
          | \b(?:was|were|had\s+been)\s+(?:(?:once|originally|formerly|all|only|located|kept|housed|hidden|buried|found|inlined)\s+)?(?:in|at|under|inside|within|part\s+of)\s+(?:the\s+)?
          | \bsupersed(?:e|es|ing)\s+(?:the\s+)?
          | (?:^|\n)[^0-9a-z\x80-\xff]*(?:supersedes|replaces|formerly|obsoletes)[*_\x20]*:[^\n]*
          | \b(?:generates|emits|writes)\s+(?:[\w-]+\s+){0,5}(?:files?|settings?|configs?|configuration|output|reports?|definitions?)\s+in\s+(?:the\s+)?
          | \bappends?\s+(?:an?\s+|the\s+)?(?:new\s+)?(?:entry|entries|line|lines|row|rows|note|record)\s+to\s+(?:the\s+)?
          | \b(?:repositories|workspaces|projects)\s+(?:receive|get)\s+(?:an?\s+)?(?:\w+\s+)?
          | \b(?:is|are|gets?)\s+(?:then\s+|also\s+)?(?:saved|written|persisted|recorded|logged|generated|created)\s+(?:in|under|at|to|into)\s+(?:the\s+)?
          | \b(?:absorb(?:s|ed)|subsum(?:es|ed))\s+(?:the\s+)?(?:former\s+)?(?:\x60[^\x60\n]+\x60[,\x20]*(?:(?:and|or)\s+)?){0,6}
          | \b(?:into|in|to|as|at|from)\s+your\s+own\s+(?:[\w-]+\s+){0,2}
          | ^[^0-9a-z]*(?:bad|wrong|incorrect)[^0-9a-z]*:[\x20\x01]*
          | \bnever\s+(?:an?|any)\s+(?:\S+\s+){1,3}(?:in|into|to)\s+(?:an?|any)\s+(?:[\w-]+\s+)?
          | \b(?:each|every)\s+(?:[\w-]+\s+){0,2}[\w-]+'s?\s+(?:own\s+)?
          | \b(?:copy|copies|copying)\s+(?:\S+\s+){1,4}(?:to|into|as|->)\s+
          | \b(?:extracted|carved|split|migrated|ported|factored|moved)\s+(?:from|out\s+of)\s+(?:the\s+)?(?:(?:pre-existing|original|former|old|[0-9][0-9,.]*[\x20-]lines?)\s+){0,3}
          | \b(?:instead\s+of|rather\s+than)\s+(?:\w+ing\s+)?(?:an?\s+|the\s+|in\s+|from\s+|to\s+|old\s+)*
          | \b(?:not|no|without|unlike|except|vs\.?|versus)[*_]*\s+(?:an?\s+|the\s+|in\s+|from\s+|just\s+|(?:root|top-level|global|shared|central)\s+)*
          | \b(?:hypothetical|fictional|fake|dummy|new|proposed|planned|future|upcoming|missing|optional(?:ly)?:?)\s+(?:[\w-]+\s+){0,3}
          | \b(?:delet(?:e|es|ed|ing)|remov(?:e|es|ed|ing)|drop(?:s|ped|ping)?|renam(?:e|es|ed|ing)|replac(?:e|es|ed|ing)|retir(?:e|es|ed|ing)|rm)
                (?:\s+-\w+)?\s+(?:[\w-]+\s+){0,4}
          | \b(?:add|adds|adding|create|creates|created|creating|create/update|make|makes|touch|introduce|introduces|place|places|put|puts|scaffold|set\s+up|initialize|initialise)
                \s+(?:an?\s+|the\s+|new\s+|file\s+|named\s+|called\s+|and\s+|empty\s+|both\s+|your\s+|temporary\s+|local\s+|own\s+)*
          | \b(?:create|creates|creating|put|puts|place|save|saves|drop)\s+(?:[\w'-]+\s+){0,8}(?:at|to|under|as|called|named|into|here)\s*:?\s*
          | \b(?:create|creates|creating)\s+(?:an?\s+|the\s+|your\s+|new\s+){0,2}[\w'-]+\s+in\s+
          | \b(?:eventually|someday)\)?,?\s+(?:the\s+|an?\s+)?
          | ^[^0-9a-z\x80-\xff]*installs?\s+(?:\S+\s+){1,4}?(?:at|in|into|to|under)\s+(?:the\s+)?
          | \b(?:documentar|guardar|registrar|escribir|generar|salvar|gravar|gerar|enregistrer|écrire|speichern|dokumentieren)\s+(?:\S+\s+){0,4}(?:en|em|dans|in|unter)\s+(?:el\s+|la\s+|o\s+|a\s+|le\s+)?
          | \b(?:carv|extract|factor|lift|mov|pull|split|tak)(?:e|es|ed|ing|s)?\s+(?:\S+\s+){1,8}?out\s+of\s+(?:the\s+)?
          | \b(?:must|should|have\s+to|needs?\s+to)\s+(?:implement|provide|supply)\s+(?:[\w'-]+\s+){0,9}(?:at|in|to|under|as|called|named)\s*:?\s*
          | \b(?:add|adds|adding)\s+(?:[\w'-]+\s+){0,8}(?:at|under|as|called|named|here)\s*:?\s*
          | \b(?:look|looks|looking)\s+for(?:\s+(?:an?|the|any|existing|files?|folders?|patterns?|like|such\s+as|named|called))*\s*:?\s*
          | \b(?:include|add|create)\s+an?\s+(?:[\w-]+\s+){0,2}(?:file|folder|directory|document)\s+(?:named|called)\s+
          | (?:没有|沒有)\s* | (?:取代|替代|替换)了?(?:旧的?|原有?的?)?\s* | 创建\s* | 新增\s* | 新規\s* | 신규\s* | 新建\s*\|?\s* | 建立\s* | 生成\s* | 写入\s* | (?:保存|另存|存)(?:为|爲|為)\s* | (?:保存|存放|输出|輸出)(?:位置|路径|路徑|目录|目錄)\s*:?\s* | (?:保存|存放|输出|輸出)\s*:\s* | (?:保存|出力)先\s*:?\s* | 보관\s*위치\s*:?\s* | 保存到\s* | 输出到\s* | 作成\s* | 생성\s*
        )[(\x22'*_]*$",
    )
});

/// A verb of the sentence makes the file.
pub(super) static MAKES: LazyLock<FoldedPattern> = LazyLock::new(|| {
    FoldedPattern::new(
        r"(?x)\b(?:
            (?:write|writes|writing|written|save|saves|saving|saved|output|outputs|export|exports|exported|emit|emits|emitted|produce|produces|produced
              |appends|appended|draft|drafts|drafted|drafting|dump|dumps|dumped|persist|persists|persisted|store|stores|stored|log|logs|logged|record|records|recorded|generate|generates|generated|generating|creates
              |report|result|results)
            (?:\s+(?:[\w'\x22()/,-]+\s+){0,10}?)?
            (?:to|into|at|as|under|file|files)?\s*:?\s*
        )[(\x22'*_]*$",
    )
});

/// A label before the path says that what follows is made.
pub(super) static MADE_LABEL: LazyLock<FoldedPattern> = LazyLock::new(|| {
    FoldedPattern::new(
        r"(?x)^[^0-9a-z\x80-\xff]*(?:produces|creates|generates|writes|outputs?|deliverables?|artifacts?|artefacts?|ausgabe|erzeugt|salida|genera|sortie|saída|gera
            |产出物?|產出|输出|輸出|生成物?|出力|成果物|산출물|출력)[*_\x20]*:",
    )
});

/// Something else is made or read by means of the path.
pub(super) static SOURCE_OF: LazyLock<FoldedPattern> = LazyLock::new(|| {
    FoldedPattern::new(
        r"(?x)\b(?:by|from|with|using|via|in|inside|within|see|of|through|calls?|running|run)\s+(?:the\s+|a\s+)?[(\x22'*_]*$",
    )
});

/// What follows the path says that it is made, or yet to be made.
pub(super) static AFTER: LazyLock<FoldedPattern> = LazyLock::new(|| {
    FoldedPattern::new(
        r"(?x)^[)\x22'*_\x20\n]*(?:[-:(|,]\s*)?(?:
            (?:was|were|had|used\s+to)\s+(?:(?:an?|the|our|once|too|over|about|nearly|almost|originally|only)\b|[0-9])
          | (?:was|were|had)\s+\w+\s+(?:before|until|when)\b
          | (?:it|they)(?:'s|'re|\s+(?:is|are|was|were|has\s+been|have\s+been))\s+(?:now\s+|long\s+)?(?:gone|deleted|removed|retired)\b
          | -?\s*or\s+(?:similar|equivalent)\b
          | if\s+(?:ever\s+)?(?:added|created|introduced)\b
          | (?:语义)?(?:已)?迁(?:入|至|移到)
          | exists?\s*(?:$|->|[|:])
          | split(?:\s+(?:up|out))?\s+(?:in)?to\b | \(?if\s+(?:you\s+use|using)\b
          | is\s+now\s+(?:[a-z]+|[0-9]+)\s+(?:files|modules|parts|pieces|packages|components|crates|scripts)\b
          | (?:(?:,|and|or|&)\s*(?:and\s+|or\s+)?\x60[^\x60\n]+\x60\s*)+[-:(]\s*optional\b
          | (?:absolute|relative)\s+(?:[a-z]+\s+)?(?:path|link|parent|same|directory|folder|repo)
          | \(?(?:new|create[ds]?|criad[oa]s?|cread[oa]s?|erstellt|créée?s?|to\s+be\s+\w+|deleted|removed|renamed|gone|planned|proposed|todo|pending|pendente|pendiente|ausstehend|optional|generated|auto-?generated|ignored|example|missing|skip(?:ped)?|excluded|not\s+\w+)\b
          | (?:will|gets?|is|are|was|were|to)\s+(?:be\s+)?(?:auto-?|automatically\s+)?(?:created|generated|written|produced|emitted|built|removed|deleted|replaced|renamed|moved|made|saved|populated|compiled)
          | ->\s*(?:deleted|removed|gone)
          | or\s+(?:is\s+)?(?:auto-?)?generated\b | (?:으)?로\s*(?:추출|분리|이동|옮)
          | [^;.]{0,99}(?:由[^;.]*|によって|から)生成
          | \(?(?:m|phase\s*|sprint\s*|milestone\s*)[0-9]+\+?\)
        )
        | ^[\x60)\x22'*_\x20\n]*(?:[-:|]\s*)(?:the\s+)?[a-z]+\s+(?:writes|drops|logs|appends|saves)\s+(?:[\w-]+\s+){0,4}?(?:requests?|reports?|notes?|results?|entries|logs?|findings|feedback|here)\b",
    )
});

/// The path is only an example.
pub(super) static EXAMPLE: LazyLock<FoldedPattern> = LazyLock::new(|| {
    FoldedPattern::new(
        r"(?x)(?:\b(?:exemplos?|ejemplos?|exemples?|beispiele)(?:\s+\w+)?\s*:|\b(?:e\.\s?g\.?|eg\.|for\s+example|for\s+instance|z\.\s?b\.|p\.\s?ej\.)|\b(?:examples?|file-?\s?names)\s*:|\bname\s+(?:the\s+|your\s+|all\s+|new\s+)?(?:test\s+)?(?:files?|folders?|modules?|scripts?|tests?)\b|\bmirror(?:s|ing)?\s+(?:the\s+)?(?:source|src|package|module|directory|folder|code)\b|\breference\s+\w+\s+(?:as|like|with)\s*:|例如|比如|例えば|예를|예:)(?:[^.;!?\n]|\.[^\x20\n])*$|(?:如|像|诸如|譬如)[\x20\n:]*$",
    )
});

/// The words before the path announce an example.
pub(super) static EXAMPLE_LEAD: LazyLock<FoldedPattern> = LazyLock::new(|| {
    FoldedPattern::new(
        r"(?x)(?:^|[.;,(\x20\n*_])(?:for\s+(?:example|instance)|e\.\s?g\.?|examples?(?:\s+(?:usage|output))?|例|例如|(?:正确|正確|错误|正面|反面)?示例|예시?|(?:beispiele?|ejemplos?|exemples?|exemplos?|examples?|пример(?:ы)?)(?:\s+(?:de|of|für|von)\s+[\w-]+|\s+путей)?)\s*[*_]*[:][*_\x20\n]*$
        |^[^0-9a-z]*(?:in)?(?:valid|correct)[^0-9a-z]*$|^[^0-9a-z]*(?:good|bad|right|wrong)[^0-9a-z]*$",
    )
});

/// What introduces the path lists files that are yet to be made.
pub(super) static PRODUCES_LEAD: LazyLock<FoldedPattern> = LazyLock::new(|| {
    FoldedPattern::new(
        r"(?x)\b(?:
            (?:to|will|should|must|can|gets?|are|is)\s+(?:be\s+)?(?:created|written|generated|produced|scaffolded)
          | (?:create|creates|write|writes|generate|generates|produce|produces|scaffold|scaffolds|draft|add)\s+(?:the\s+|all\s+)?(?:following|these|this|new)
          | drafts?\s+(?:of|for)
          | (?:produce|create|generate|write|scaffold)\s+(?:an?|the)\s+(?:[\w,-]+\s+){0,5}(?:set|collection|list)\s+of
          | (?:files?|artifacts?|artefacts?|outputs?|deliverables?|documents?)\s+to\s+(?:create|write|produce|generate|add)
        )\b
        | \b(?:move|put|place|extract|split)\s+(?:[\w-]+\s+){1,5}(?:to|into)\s+\S+/\x60?:
        | \b(?:copy|install|symlink)\s+(?:it|them|this|these|the\s+[\w-]+)\s+(?:[\w-]+\s+){0,3}?(?:to|into)\b
        | \b(?:create|set\s+up|scaffold)\s+(?:\S+\s+){0,3}?(?:directory|folder)\s+(?:structure|with)\b
        | \b(?:generates?|creates?|produces?|emits?|outputs?|writes?|deliverables?|entregables?|entregáveis|salidas?|saídas?|livrables?)[*_]*\s*[:][*_\x20\n]*$",
    )
});

/// What introduces the path, or stands above it, is about one past event.
pub(super) static RECORD: LazyLock<FoldedPattern> = LazyLock::new(|| {
    FoldedPattern::new(
        r"(?x)(?:\banti-?patterns?\b | \bpast\s+(?:incidents?|mistakes?|bugs?|failures?|regressions?)\b | \b(?:pr|pull\s+request|issue|incident|ticket)\s*\#[0-9]+ | \b(?:all\s+resolved|post-?mortem|retrospective|case\s+stud(?:y|ies)|snapshot\s+(?:of|from)|session\s+log|(?:last|previous|prior)\s+session|sesión\s+anterior)\b)",
    )
});

/// The path may be an example, or stand in another repository.
pub(super) static HEDGE: LazyLock<FoldedPattern> = LazyLock::new(|| {
    FoldedPattern::new(
        r"(?x)\b(?:such\s+as|like|similar\s+to|named|called|typically|inherited\s+from|(?:portfolio|org|organi[sz]ation|company|team)-wide|user-(?:level|global)|some\s+(?:projects|repositories|repos|codebases|teams)|common\s+(?:paths?|locations?|places?)|project-local|repo-local|example|examples|imagine|suppose|template|placeholders?|upstream|sibling|hypothetical|format|pattern|convention
          |(?:other|another|external|separate|different|downstream)\s+(?:\w+\s+)?repo\w* | repo\s*:|github\.com | npm | package | dependency | installed | checkout | cloned?
          |in\s+(?:the\s+)?[`*]*\w+(?:-\w+)+[`*]*\s+(?:shared\s+)?(?:\w+\s+)?repo(?:sitory)?
          |if\s+(?:this|the|that|your)\s+(?:file|page|component|module|test)\s+(?:is|lives|sits|lies)\s+(?:at|in|under)
          |対象リポジトリ|消費側|利用側|目标仓库|目标项目|のような|といった
          |(?:scan|check|search|look)\s+for\s+(?:any\s+)?existing
          |relative\s+to\s+(?:the\s+)?(?:current|feature|module|output|package|plugin|skill|target|user'?s?|working|your|each|its)
          |(?:each|every)\s+(?:[\w-]+\s+){1,4}(?:must|should|needs?|has|have|contains?|includes?|carries|ships|gets)
          |(?:if|as|when|where)\s+(?:needed|necessary|required|applicable|appropriate|desired) | (?:for|in)\s+(?:the\s+|an?\s+)?future
          |(?:within|inside|in)\s+(?:that|each|every|your|the\s+consum\w+|the\s+target)\s+(?:\w+\s+)?(?:instance|project|repo|repository|workspace) | consum(?:er|ing)\s+(?:project|repo|repository)s?)\b",
    )
});

/// A command may be an example, or one of another repository.
pub(super) static HEDGE_COMMAND: LazyLock<FoldedPattern> = LazyLock::new(|| {
    FoldedPattern::new(
        r"(?x)\b(?:such\s+as|similar\s+to|project-local|repo-local|examples?|imagine|suppose|templates?|placeholder|hypothetical|samples?|scenarios?
          |(?:other|another|external|separate|different|downstream|sibling|upstream|target|user'?s?|your|their)\s+(?:\w+\s+)?(?:repo\w*|projects?|packages?|apps?|plugins?)
          |in\s+(?:the\s+)?\w+(?:-\w+)+\s+repo(?:sitory)?
          |(?:if|when|where)\s+(?:an?|the|this|that|your)\s+(?:app|package|project|repo\w*|workspace)\s+(?:contains|defines|has|provides|ships|uses)
          |(?:add|adding)\s+(?:\S+\s+){0,4}(?:to|in)\s+(?:\S+\s+)?package\.json|adicionar\s+ao|añadir\s+al?
          |(?:or|and)\s+(?:an?\s+|the\s+|its\s+|your\s+)?(?:project(?:'s|-specific)?\s+)?equivalents?)\b",
    )
});

/// A heading, or the line above a list, that forbids all that follows.
pub(super) static FORBIDS: LazyLock<FoldedPattern> = LazyLock::new(|| {
    FoldedPattern::new(
        r"(?x)^[^a-z]*(?:you\s+must\s+|always\s+)?(?:never|don'?ts?|do\s+not|must\s+not|avoid|forbidden|prohibited|not\s+allowed|disallowed)(?:\s+(?:do|ever|this|these|the\s+following))*[^a-z]*$",
    )
});

/// Headings under which files are named that are not there.
pub(super) static GONE_HEADING: LazyLock<FoldedPattern> = LazyLock::new(|| {
    FoldedPattern::new(
        r"(?x)\b(?:removed|deleted|deletions?|retired|not\s+in\s+use|no\s+longer\s+used|renamed|moved|changelog|change\s*log|history|historical|former|formerly|recent(?:ly)?|completed|migrated|planned|future|proposed|roadmap
          |anti-?patterns?|to\s+(?:create|add|delete|remove)|new\s+files?|files?\s+created|not\s+(?:implemented|included)|will\s+be)\b
          |^[^0-9a-z_\x80-\xff]*20[0-9][0-9][-/.][0-9][0-9][-/.][0-9][0-9]
          |建议(?:新增|添加|增加)|建議(?:新增|添加)|待(?:实现|开发|創建|创建)|향후|예정|今後|予定
          |已(?:删除|刪除|移除|废弃|廢棄|弃用|棄用|归档|歸檔|下线|迁移) | 不再(?:适用|適用|使用|支持|维护) | 删除済|削除済|廃止|非推奨 | 삭제됨|삭제된|제거됨|제거된|폐기
          |\b(?:entfernte?s?|gelöschte?s?|veraltete?s?|supprim(?:é|és|ée|ées)|obsol(?:è|e)tes?|eliminad[oa]s?|removid[oa]s?|obsolet[oa]s?)\b
          | (?:у|У)дал(?:ено|(?:ё|е)нн(?:ые|ая|ое|ый|ых)) | (?:у|У)старевш(?:ее|ие|ий)",
    )
});

/// What stands above a drawing of how files should lie.
pub(super) static OUTLINE: LazyLock<FoldedPattern> = LazyLock::new(|| {
    FoldedPattern::new(
        r"(?x)(?:\b(?:recommended|suggested|proposed|targeted|desired|ideal|intended|typical|preferred|planned|future|possible|eventual|to-be|example|sample)
              | (?:^[^a-z]*|\b(?:the|an?|our|its|new|final)\s+)target)\s+
            (?:[\w/-]+\s+){0,3}?(?:lay-?outs?|structures?|organi[sz]ations?|trees?|hierarch(?:y|ies)|folders?|director(?:y|ies)|files?|architectures?|skeletons?|scaffold(?:s|ing)?)\b
          | \bconsider\s+(?:the\s+following|this|a|an)\s+(?:[\w/-]+\s+){0,3}?(?:lay-?out|structure|organi[sz]ation|tree|hierarchy|architecture)\b
          | \b(?:lay-?out|structure|tree)\s+(?:proposal|template|suggestion|recommendation|example)\b",
    )
});

/// Headings under which files may be named that are not there.
pub(super) static HEDGE_HEADING: LazyLock<FoldedPattern> = LazyLock::new(|| {
    FoldedPattern::new(
        r"(?x)\b(?:examples?|templates?|outputs?|artifacts?|legacy|sample|scenario|(?:target|consum(?:er|ing)|downstream)\s+(?:repo|repository|project)|install(?:ation)?\s+(?:locations?|paths?|targets?)|use\s+cases?|good|bad|naming|upstream
          |(?:required|mandatory|expected)\s+(?:[\w-]+\s+){0,2}(?:documents?|documentation|docs|files?|pages?)
          |(?:artifacts?|artefacts?|deliverables?|docs?|documents?|files?|items?|outputs?|pages?)\s+(?:that\s+)?you\s+(?:create|generate|maintain|own|produce|write))\b",
    )
});

/// A heading, or the line above a list, that names only what took the place of something, or what is gone.
pub(super) static REPLACES: LazyLock<FoldedPattern> = LazyLock::new(|| {
    FoldedPattern::new(
        r"(?x)^[^0-9a-z]*(?:(?:this|these|it|which|that|the|\w+)\s+){0,3}(?:replaces|supersedes|obsoletes|retires)
            (?:\s+(?:all|these|those|the|following|old|older|former|legacy|existing|previous|separate|\w+ed)){0,4}
            (?:\s+(?:agents?|commands?|documents?|docs|files?|folders?|modules?|pages?|paths?|prompts?|rules?|scripts?|skills?|tools?))?[^0-9a-z]*$",
    )
});

/// A later sentence that begins with `it` says that the file which the first one is about lies elsewhere now, or is gone.
pub(super) static LATER: LazyLock<FoldedPattern> = LazyLock::new(|| {
    FoldedPattern::new(
        r"(?x)[.!?:][^0-9a-z]+(?:it|this\s+(?:file|script|page|document|folder|module|test))\s+(?:
            (?:now\s+)(?:lives?|sits?|resides?|stands?)\s+in\b
          | (?:lives?|sits?|resides?|stands?)\s+in\s+(?:\S+\s+){1,5}?now\b
          | (?:has\s+)?moved\s+(?:in)?to\b
          | (?:is|was|has\s+been)\s+(?:now\s+|since\s+)?(?:gone|removed|deleted|retired|moved|replaced)\b
          | no\s+longer\s+exists\b
        )",
    )
});

/// A later sentence says what follows where the file that this one names is not there.
pub(super) static MAY_MISS_LATER: LazyLock<FoldedPattern> = LazyLock::new(|| {
    FoldedPattern::new(
        r"(?x)[.!?][^0-9a-z]+(?:if|when|where)\s+(?:it|that\s+file|the\s+file|this\s+file|that)\s+(?:
            (?:does|is)\s*n(?:o|')t\s+(?:exist|there|present|found|available) | is\s+(?:missing|absent))",
    )
});
