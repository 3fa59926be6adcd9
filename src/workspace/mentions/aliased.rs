//! Paths that lead to files by an import alias of the project, as its programs spell them.

use std::collections::BTreeMap;

use super::{Mention, MentionForm, Miss};
use crate::base::path::{self, RepoPath};
use crate::parse::Document;
use crate::source::Source;
use crate::workspace::Workspace;
use crate::workspace::aliases::Aliases;

/// Signs before a path that may be part of an alias, and that are no part of the mention.
const SIGNS: [&str; 5] = ["@/", "~/", "@", "~", "#"];

/// Drop the mentions that an alias leads to a file.
pub(super) fn drop(source: &dyn Source, workspace: &Workspace, by_document: &mut BTreeMap<RepoPath, Vec<Mention>>) {
    let aliases = Aliases::new(source);
    for (path, mentions) in by_document {
        let Some(document) = workspace.document(path.as_bytes()) else { continue };
        mentions.retain(|mention| !is_aliased(&aliases, document, mention));
    }
}

fn is_aliased(aliases: &Aliases<'_>, document: &Document, mention: &Mention) -> bool {
    let is_absent = matches!(mention.place, Miss::Absent { .. } | Miss::Abbreviated { .. });
    let is_file = mention.form != MentionForm::Glob && is_absent;
    // With a slash behind it a folder is meant, and no module.
    let is_folder = mention.form == MentionForm::Directory && document.text[mention.span.end..].starts_with('/');
    // Agents bring pages in by an `@`, and know no alias.
    if !is_file || is_folder || path::is_markdown(mention.path.as_bytes()) {
        return false;
    }
    let before = &document.text[..mention.span.start];
    let sign = SIGNS.iter().find(|sign| before.ends_with(*sign));
    aliases.lead(&mention.path) || sign.is_some_and(|sign| aliases.lead(&format!("{sign}{}", mention.path)))
}

#[cfg(test)]
mod tests {
    use crate::config::Config;
    use crate::source::Memory;
    use crate::workspace::load;

    fn absent(path: &str, text: &str) -> Vec<String> {
        let config =
            r#"{"compilerOptions": {"paths": {"@/*": ["./src/*"], "@lib/*": ["src/lib/*"], "ui/*": ["src/*"]}}}"#;
        let files =
            [(path, text), ("tsconfig.json", config), ("src/lib/rows.ts", ""), ("lib/a1.ts", ""), ("lib/b1.ts", "")];
        let workspace = load(&Memory::of_files(files), Config::default(), &[]).unwrap().workspace;
        let mentions = workspace.mentions.of(&path.into());
        mentions.iter().map(|mention| mention.path.clone()).collect()
    }

    #[test]
    fn what_an_alias_leads_to_is_there() {
        let links = "[a](@/lib/rows.ts) [b](@/lib/rows) [c](@/lib/cells.ts) `ui/lib/rows.ts` `ui/lib/cells.ts`\n";
        assert_eq!(absent("AGENTS.md", links), ["@/lib/cells.ts", "ui/lib/cells.ts"]);
        assert_eq!(absent("AGENTS.md", "`src/lib/rows/` and `src/lib/rows`\n"), ["src/lib/rows"]);
        let behind_at =
            "---\nalwaysApply: true\n---\nUse @lib/rows.ts, @lib/a1.ts and @lib/b1.ts, not @lib/cells.ts.\n";
        assert_eq!(absent(".cursor/rules/x.mdc", behind_at), [""; 0]);
        let behind_at = behind_at.replace("not ", "then ");
        assert_eq!(absent(".cursor/rules/x.mdc", &behind_at), ["lib/cells.ts"]);
    }
}
