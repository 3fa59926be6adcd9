//! Permission rules, and folders beside the project's, that name a folder of one machine.

use super::effects::effects;
use super::one_disk::find;
use crate::agents::runs::RunKind;
use crate::base::finding::{Cause, Finding, Level};
use crate::base::sanitize;
use crate::rules::Cx;

/// Rules about tools, and further folders, that name a folder of one machine in settings for all. Elsewhere they cover nothing.
pub(super) fn covering_nothing(cx: &Cx<'_>, rule: &'static str, findings: &mut Vec<Finding>) {
    if cx.workspace.is_a_home() {
        return;
    }
    let is_wanted = |kind: &RunKind| match kind {
        RunKind::Setting { key, .. } => key.ends_with("Directories"),
        kind => matches!(kind, RunKind::Permission { .. }),
    };
    for effect in effects(cx, |_, item| is_wanted(&item.kind)) {
        let (RunKind::Permission { rule: text, .. } | RunKind::Setting { value: text, .. }) = &effect.item.kind else {
            continue;
        };
        // In rules a second slash stands for the root of the disk.
        let text = text.replace("(//", "(/");
        let Some(one) = find(&text).filter(|_| !cx.workspace.personal_settings.contains(&effect.path)) else {
            continue;
        };
        let folder = sanitize::line(one.folder).into_owned();
        let message = format!("`{folder}` is {}: on other machines this covers nothing", one.what);
        let cause = Cause {
            key: format!("one disk {} {folder}", effect.path.to_str_lossy()),
            subject: format!("`{folder}`"),
            many: "exist on one machine only, so what names them covers nothing on others",
            help: None,
        };
        let finding = effect.finding(rule, Level::Info, message).cause(cause);
        findings.push(finding.help("move it to personal settings"));
    }
}

#[cfg(test)]
mod tests {
    use crate::base::finding::Level;

    #[test]
    fn rules_for_one_machine_are_infos() {
        let found = |rules: &str| {
            let text = format!(r#"{{"permissions": {rules}}}"#);
            let files = [(".claude/settings.json", &text[..]), ("CLAUDE.md", "x\n")];
            let found = crate::rules::testing::repository("dead-setting", "agents = [\"claude\"]\n", &files);
            let found = found.into_iter().filter(|finding| finding.message.contains("covers nothing"));
            found.map(|finding| (finding.level, finding.message.to_string())).collect::<Vec<_>>()
        };
        let message = |folder: &str, what: &str| {
            [(Level::Info, format!("`{folder}` is {what}: on other machines this covers nothing"))]
        };
        let person = message("/Users/joe", "one person's folder");
        for rules in [
            r#"{"allow": ["Read(//Users/joe/x/**)"]}"#,
            r#"{"allow": ["Bash(/Users/joe/x/a.sh:*)"]}"#,
            r#"{"deny": ["Read(//Users/joe/x/**)"]}"#,
            r#"{"additionalDirectories": ["/Users/joe/x"]}"#,
        ] {
            assert_eq!(found(rules), person, "{rules}");
        }
        let drive = message("/Volumes/Work", "a folder on a drive of one machine");
        assert_eq!(found(r#"{"allow": ["Bash(ls /Volumes/Work/x:*)"]}"#), drive);
        for near_miss in [r#"{"allow": ["Read(~/x/**)"]}"#, r#"{"allow": ["Read(//home/node/x)", "Bash(ls:*)"]}"#] {
            assert_eq!(found(near_miss), [], "{near_miss}");
        }
    }
}
