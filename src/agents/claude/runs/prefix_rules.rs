//! Permission rules of Claude Code for commands that begin with a text (`Bash(git push:*)`), whose text ends where no command has a
//! blank: a blank must follow it, or nothing. Run on 2.1.330 in November 2026, as rules that refuse and as rules that
//! allow: `dd if=/dev/null` ran where `Bash(dd if=:*)` was refused, `ga x` and `ga` where `Bash(ga :*)` was, and `./scr/a` where
//! `Bash(./scr/:*)` was; `gn a/ b`, `gl -- x` and `gj - x` were refused as their rules say.

use super::command_rules::DeadCommand;
use crate::agents::shared::runs::PermissionList;
use crate::base::sanitize;

/// How the reason begins why a rule fits no command.
const AMID_WORD: &str = "with `:*` a blank must follow, so the rule fits no `";

/// Programs whose first argument is one file, and no folder.
const OF_FILES: [&str; 14] =
    ["bash", "cat", "head", "node", "perl", "php", "python", "python3", "ruby", "sh", "source", "tail", "tsx", "zsh"];

/// What is wrong with `rule`, where it is for the beginning of a command that cannot go on so.
pub(super) fn dead_prefix(rule: &str, list: PermissionList) -> Option<DeadCommand> {
    let prefix = rule.strip_prefix("Bash(")?.strip_suffix(":*)")?;
    let plain = prefix.trim();
    if plain.is_empty() || prefix.contains(['*', '\n']) {
        return None;
    }
    let shown = sanitize::line(plain).into_owned();
    if plain.len() < prefix.len() {
        let side = if prefix.starts_with(char::is_whitespace) { "before" } else { "behind" };
        let why = format!("with the blank {side} `{shown}` the rule fits no command: `:*` stands for the blank, too");
        return Some(DeadCommand { why, instead: Some(format!("Bash({plain}:*)")), is_harmless: false });
    }
    ends_amid_word(plain).then(|| {
        let restricts = list != PermissionList::Allow;
        let meant = if restricts { format!(": write `{shown}*`") } else { String::new() };
        DeadCommand {
            why: format!("{AMID_WORD}{shown}…`{meant}"),
            instead: restricts.then(|| format!("Bash({plain}*)")),
            is_harmless: !restricts,
        }
    })
}

/// Whether a command that begins with this text goes on without a blank, whatever it is.
fn ends_amid_word(prefix: &str) -> bool {
    let (before, word) = prefix.rsplit_once(char::is_whitespace).unwrap_or(("", prefix));
    let is_quoted = prefix.contains(['"', '\'', '`']);
    let Some(last) = word.chars().next_back() else { return false };
    let stem = &word[..word.len() - last.len_utf8()];
    let follows_name = stem.ends_with(|c: char| c.is_ascii_alphanumeric());
    match last {
        // An empty value is one, too, before another command: `CI= make`.
        '=' => follows_name && !before.is_empty() && !is_quoted && !before.contains('='),
        '"' | '\'' => stem.is_empty() && prefix.matches(last).count() % 2 == 1 && !before.is_empty(),
        ':' => follows_name && !is_quoted,
        '.' => follows_name && !is_quoted && (before.is_empty() || stem.starts_with('.')),
        '/' if word.ends_with("://") => !is_quoted,
        '/' => !is_quoted && (before.is_empty() || OF_FILES.contains(&before)),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use PermissionList::{Allow, Ask, Deny};

    #[test]
    fn a_blank_before_the_star_is_one_too_many() {
        let meant = |rule: &str, list| dead_prefix(rule, list).and_then(|dead| dead.instead);
        assert_eq!(meant("Bash(git push :*)", Deny).as_deref(), Some("Bash(git push:*)"));
        assert_eq!(meant("Bash(git  :*)", Allow).as_deref(), Some("Bash(git:*)"));
        assert_eq!(meant("Bash( git:*)", Ask).as_deref(), Some("Bash(git:*)"));
        for near_miss in
            ["Bash(git push:*)", "Bash(git push *)", "Bash(git  *)", "Bash( :*)", "Read(a :*)", "Bash(a * :*)"]
        {
            assert_eq!(dead_prefix(near_miss, Deny), None, "{near_miss}");
        }
    }

    #[test]
    fn a_prefix_within_a_word_fits_nothing() {
        for (rule, meant) in [
            ("Bash(dd if=:*)", "Bash(dd if=*)"),
            ("Bash(curl --data=:*)", "Bash(curl --data=*)"),
            ("Bash(mkfs.:*)", "Bash(mkfs.*)"),
            ("Bash(cat .env.:*)", "Bash(cat .env.*)"),
            ("Bash(npm run test::*)", "Bash(npm run test:*)"),
            ("Bash(curl http://:*)", "Bash(curl http://*)"),
            ("Bash(./scripts/:*)", "Bash(./scripts/*)"),
            ("Bash(python3 scripts/:*)", "Bash(python3 scripts/*)"),
            ("Bash(python3 -c ':*)", "Bash(python3 -c '*)"),
        ] {
            let found = dead_prefix(rule, Deny).and_then(|dead| dead.instead);
            assert_eq!(found.as_deref(), Some(meant), "{rule}");
            let allowed = dead_prefix(rule, Allow).map(|dead| (dead.instead, dead.is_harmless));
            assert_eq!(allowed, Some((None, true)), "{rule}");
        }
        for near_miss in [
            "Bash(rm -rf /:*)",
            "Bash(rm -rf ~/:*)",
            "Bash(ls src/:*)",
            "Bash(pytest tests/:*)",
            "Bash(git checkout --:*)",
            "Bash(cat -:*)",
            "Bash(pip install .:*)",
            "Bash(cd ..:*)",
            "Bash(ls ./:*)",
            "Bash(CI=:*)",
            "Bash(A=1 B=:*)",
            "Bash(echo \"a b\":*)",
            "Bash(git commit -m \"fix:*)",
            "Bash(echo done.:*)",
            "Bash(: :*)",
            "Bash(dd if=*)",
            "Bash(test a ==:*)",
        ] {
            let found = dead_prefix(near_miss, Deny).filter(|dead| dead.why.starts_with(AMID_WORD));
            assert_eq!(found, None, "{near_miss}");
        }
    }
}
