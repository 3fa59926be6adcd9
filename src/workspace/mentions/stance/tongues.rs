//! Words of other languages that say of a path that it is made, as those of English do in `words`.

use std::sync::LazyLock;

use super::pattern::FoldedPattern;

/// What stands right before the path says that it is to be made.
pub(super) static MAKE_BEFORE: LazyLock<FoldedPattern> = LazyLock::new(|| {
    FoldedPattern::new(
        r"(?x)
        (?:
            \b(?:crie|criar|criando|cria|crea|crear|cree|creando)
                \s+(?:(?:um|uma|un|una|o|a|el|la|novo|nova|nuevo|nueva|arquivo|archivo|fichero|ficheiro|pasta|carpeta|directorio|diretório|script|temporário|temporal|chamad[oa]|llamad[oa])\s+)*
          | \b(?:crie|criar|crea|crear|cree|salve|salvar|guarde|guardar)\s+(?:[\w'-]+\s+){0,8}(?:em|en|como)\s*:?\s*
          | \b(?:buat|buatlah|membuat)\s+(?:(?:file|berkas|folder|direktori|skrip|sebuah|baru)\s+)*
          | \b(?:buat|buatlah|membuat|simpan|simpanlah)\s+(?:[\w'-]+\s+){0,8}(?:di|ke|sebagai)\s*:?\s*
          | \b(?:(?:novo|nova|nuevo|nueva)\s+(?:arquivo|archivo|fichero|ficheiro|pasta|carpeta|módulo|script)|(?:arquivo|archivo|script)\s+(?:temporário|temporal|novo|nuevo)|(?:file|berkas|folder|skrip)\s+(?:baru|sementara))\s*:?\s*
          | (?:创建|創建|新建|建立|新增|生成)(?:一个|一個|一份|新的|新|临时的?|臨時的?)*(?:文件夹|文件|檔案|目录|目錄|脚本|腳本|模块)?\s*
          | (?:创建|創建|新建|建立|新增|生成)[\x20]*`[^`\n]+`[\x20]*(?:和|与|與|及|以及)[\x20]*
          | (?:临时|臨時)(?:文件|檔案|脚本|腳本|目录|目錄)\s*:?\s* | 一時(?:ファイル|スクリプト|フォルダ)\s*:?\s* | 임시\s*(?:파일|스크립트|폴더)\s*:?\s*
        )[(\x22'*_]*$",
    )
});

/// What follows the path says that it is to be made.
pub(super) static MAKE_AFTER: LazyLock<FoldedPattern> = LazyLock::new(|| {
    FoldedPattern::new(
        r"(?x)^[)\x22'*_\x20\n]*(?:
            (?:という)?(?:ファイル|フォルダー?|ディレクトリ|スクリプト|ページ)?を(?:新規に?|新たに|自動で)?(?:作成|作る|作り|作っ|生成|新設|用意)
          | (?:に|へ|として)(?:新規に?|新たに)(?:作成|追加|保存)
          | (?:という)?(?:ファイル|フォルダー?|スクリプト)(?:に|へ|として)(?:保存|出力|書き出)
          | (?:파일|폴더|디렉토리|디렉터리|스크립트|페이지)?(?:을|를)\s*(?:새로\s*)?(?:생성|작성|만들|만든)
          | (?:파일|폴더)?(?:에|로|으로)\s*(?:새로\s*)?(?:생성|저장|만들)
          | baru(?:\s*[(.,;:)]|\s*$)
        )",
    )
});

/// All of this file, to compile.
pub(super) static PATTERNS: [&LazyLock<FoldedPattern>; 2] = [&MAKE_BEFORE, &MAKE_AFTER];
