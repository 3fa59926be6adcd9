//! Rules of opencode that a later one overrides: of several that fit, the last counts. Run with 1.18.33 in November 2026: with
//! `"ls *": "allow"` before `"*": "ask"` the agent asked before `ls a.txt`, and in the other order it did not; the same for `edit` and
//! `read`, for `"ls a*"` before `"l*"`, and for a tool before `"*"` in `permission`.

use super::permissions::OpencodeRule;
use crate::agents::shared::globs::matches_stars;
use crate::agents::shared::runs::SettingPlace;
use crate::base::sanitize;

/// How the reason begins why such a rule has no effect.
const OVERRIDDEN: &str = "a later rule overrides `";
/// Most rules that are compared with each other.
const MAX_RULES: usize = 300;

/// The rules of one file that never decide, since a later one of the same file fits all that they fit and says something else.
pub(super) fn of(rules: &[OpencodeRule]) -> Vec<(SettingPlace, String)> {
    let rules = &rules[..rules.len().min(MAX_RULES)];
    let told = rules.iter().enumerate().filter_map(|(at, (list, rule, place))| {
        let later = rules[at + 1..].iter().rev();
        let (decides, by, _) =
            later.into_iter().find(|(_, other, there)| there.path == place.path && covers(other, rule))?;
        let (shown, by) = (sanitize::line(pattern(rule)), sanitize::line(pattern(by)));
        let why = format!("{OVERRIDDEN}{shown}`: `{by}` fits all of it, and the last rule that fits counts");
        (decides != list).then(|| (place.clone(), why))
    });
    told.collect()
}

/// A rule's tool and its pattern.
fn parts(rule: &str) -> (&str, &str) {
    rule.strip_suffix(')').and_then(|rule| rule.split_once('(')).unwrap_or((rule, "*"))
}

/// What a rule is called in the file: its pattern, or its tool where it is for all of that.
fn pattern(rule: &str) -> &str {
    if rule.ends_with(')') { parts(rule).1 } else { rule }
}

/// Whether a rule fits everything that another one fits.
fn covers(rule: &str, other: &str) -> bool {
    let ((tool, pattern), (other_tool, other_pattern)) = (parts(rule), parts(other));
    // What a star of the other one stands for, a star of this one can stand for, too.
    let fits = pattern == "*" || !other_pattern.contains('?') && matches_stars(pattern, other_pattern);
    (tool == "*" || tool == other_tool) && fits
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agents::shared::runs::PermissionList::{self, Allow, Ask, Deny};
    use crate::base::text::Span;
    use crate::world::AbsPath;

    /// The rules that are told, of rules in the files that are named beside them.
    fn told(rules: &[(PermissionList, &str, &str)]) -> Vec<String> {
        let place = |file: &str| SettingPlace { path: AbsPath::new(file), span: Span::empty(0), line: 1 };
        let rules: Vec<_> = rules.iter().map(|(list, rule, file)| (*list, (*rule).to_owned(), place(file))).collect();
        let name = |why: &str| why.strip_prefix(OVERRIDDEN).and_then(|rest| rest.split('`').next()).map(str::to_owned);
        of(&rules).iter().filter_map(|(_, why)| name(why)).collect()
    }

    fn of_one_file(rules: &[(PermissionList, &str)]) -> Vec<String> {
        told(&rules.iter().map(|(list, rule)| (*list, *rule, "/r/opencode.json")).collect::<Vec<_>>())
    }

    #[test]
    fn a_broader_rule_below_decides() {
        let found = of_one_file(&[(Allow, "bash(ls *)"), (Deny, "bash(rm *)"), (Ask, "bash(git *)"), (Ask, "bash(*)")]);
        assert_eq!(found, ["ls *", "rm *"], "one that says the same loses nothing");
        assert_eq!(of_one_file(&[(Deny, "bash(ls a*)"), (Allow, "bash(l*)")]), ["ls a*"]);
        assert_eq!(of_one_file(&[(Deny, "edit"), (Deny, "bash(ls *)"), (Allow, "*")]), ["edit", "ls *"]);
        assert_eq!(of_one_file(&[(Deny, "edit(b.md)"), (Allow, "edit(*)")]), ["b.md"]);
    }

    #[test]
    fn rules_that_decide_somewhere_are_not_told() {
        for rules in [
            &[(Ask, "bash(*)"), (Allow, "bash(ls *)"), (Deny, "bash(rm *)")][..],
            &[(Allow, "*"), (Deny, "bash"), (Ask, "edit")],
            &[(Deny, "bash(git push *)"), (Allow, "bash(git status *)")],
            &[(Deny, "bash(ls ?)"), (Allow, "bash(ls a)")],
            &[(Deny, "bash(ls)"), (Allow, "bash(ls -l)")],
            &[(Deny, "bash(rm *)"), (Allow, "edit(*)")],
            &[(Deny, "bash(git *)"), (Allow, "bash(git push*)"), (Deny, "bash(git push --force*)")],
        ] {
            assert_eq!(of_one_file(rules), [""; 0], "{rules:?}");
        }
        let two_files = [(Deny, "bash(rm *)", "/r/opencode.json"), (Allow, "bash(*)", "/r/.opencode/opencode.json")];
        assert_eq!(told(&two_files), [""; 0], "one file may take back what another says");
    }

    #[test]
    fn the_last_of_all_that_cover_a_rule_counts() {
        assert_eq!(of_one_file(&[(Deny, "bash(rm *)"), (Allow, "bash(r*)"), (Deny, "bash(*)")]), ["r*"]);
    }
}
