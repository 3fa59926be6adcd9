//! Rules about shell commands that are for the command without arguments alone, since they have no `*`: a pattern must fit the whole
//! command. ` *` at its end fits nothing, too. Observed on 1.18.33 in November 2026: `rm x` ran where `rm` was refused, and not where
//! `rm *` was.

use super::permissions::OpencodeRule;
use crate::agents::shared::globs::matches_stars;
use crate::agents::shared::runs::{DropBasis, PermissionList, SettingPlace};
use crate::base::sanitize;

/// Most rules that are tried.
const MAX_TRIED: usize = 200;
/// Programs that do all that they do without arguments.
const WHOLE: [&str; 9] = ["env", "exit", "halt", "history", "logout", "poweroff", "printenv", "reboot", "shutdown"];

/// The rules among `own` that refuse or ask, and of whose commands `chain`, all rules in order, allows every use but the bare one.
/// Where the pattern may be all that was meant it is supposed only.
pub(super) fn of(chain: &[OpencodeRule], own: &[OpencodeRule]) -> Vec<(SettingPlace, String, DropBasis)> {
    let restricting = own.iter().filter(|(list, ..)| *list != PermissionList::Allow);
    let bare = restricting.filter_map(|(_, rule, place)| Some((pattern(rule)?, place)));
    let bare = bare.filter(|(pattern, _)| !pattern.is_empty() && !pattern.contains(['*', '?']));
    let open = bare.take(MAX_TRIED).filter(|(pattern, _)| is_open(chain, pattern));
    let told = open.map(|(pattern, place)| {
        let shown = sanitize::line(pattern);
        let why = format!(
            "the pattern `{shown}` is for the bare command alone, and with arguments that runs unasked: write `{shown} *`"
        );
        let is_whole = WHOLE.contains(&pattern) || pattern.split(' ').next_back().is_some_and(|word| word.starts_with('-'));
        (place.clone(), why, if is_whole { DropBasis::Supposed } else { DropBasis::Documented })
    });
    told.collect()
}

/// The pattern of a rule about shell commands.
fn pattern(rule: &str) -> Option<&str> {
    rule.strip_prefix("bash(")?.strip_suffix(')')
}

/// Whether a command with an argument is allowed, and by no rule that speaks of it.
fn is_open(chain: &[OpencodeRule], command: &str) -> bool {
    let with_argument = format!("{command} x");
    let program = command.split(' ').next().unwrap_or(command);
    let fits = |rule: &str| match pattern(rule) {
        Some(pattern) => {
            let fits = |pattern: &str| matches_stars(pattern, &with_argument);
            fits(pattern) || pattern.strip_suffix(" *").is_some_and(fits)
        }
        None => matches!(rule, "*" | "bash"),
    };
    match chain.iter().rev().find(|(_, rule, _)| fits(rule)) {
        // Nothing is asked by default.
        None => true,
        Some((PermissionList::Allow, rule, _)) => !pattern(rule).is_some_and(|pattern| pattern.starts_with(program)),
        Some(_) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::text::Span;
    use crate::world::AbsPath;

    #[test]
    fn rules_for_bare_commands_are_told_where_the_rest_is_allowed() {
        use PermissionList::{Allow, Ask, Deny};
        let told = |rules: &[(PermissionList, &str)]| {
            let place = SettingPlace { path: AbsPath::new("/r/opencode.json"), span: Span::empty(0), line: 1 };
            let rules: Vec<_> = rules.iter().map(|(list, rule)| (*list, (*rule).to_owned(), place.clone())).collect();
            of(&rules, &rules).into_iter().map(|(_, _, basis)| basis).collect::<Vec<_>>()
        };
        let warned = [DropBasis::Documented];
        assert_eq!(told(&[(Ask, "bash(rm)")]), warned);
        assert_eq!(told(&[(Allow, "*"), (Deny, "bash(gh pr review)")]), warned);
        assert_eq!(told(&[(Allow, "bash(*)"), (Ask, "bash(git push)")]), warned);
        assert_eq!(told(&[(Deny, "bash(git push --force)")]), [DropBasis::Supposed]);
        assert_eq!(told(&[(Deny, "bash(env)")]), [DropBasis::Supposed]);
        for near_miss in [
            &[(Ask, "bash(rm *)")][..],
            &[(Ask, "bash(rm)"), (Ask, "bash(rm *)")],
            &[(Ask, "bash(*)"), (Deny, "bash(rm)")],
            &[(Ask, "*"), (Deny, "bash(rm)")],
            &[(Ask, "bash(git)"), (Allow, "bash(git status*)"), (Allow, "bash(git *)")],
            &[(Allow, "bash(ls)")],
            &[(Ask, "edit(rm)"), (Ask, "bash")],
        ] {
            assert_eq!(told(near_miss), [], "{near_miss:?}");
        }
    }
}
