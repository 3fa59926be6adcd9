//! The baseline as a file: sorted, one entry a line, so that branches which add different entries merge.

use std::io::{self, Write};

use serde_json::json;

use super::safe_json;
use crate::engine::baseline::{Baseline, VERSION};

/// Write `baseline`.
///
/// # Errors
/// When `out` cannot be written.
pub(crate) fn write(baseline: &Baseline, out: &mut dyn Write) -> io::Result<()> {
    write!(out, "{{\n  \"version\": {VERSION},\n  \"findings\": [")?;
    for (number, (entry, count)) in baseline.entries.iter().enumerate() {
        let line = format!("{:016x}", entry.line);
        let value = json!({"path": entry.path, "rule": entry.rule, "line": line, "count": count});
        write!(out, "{}\n    {}", if number > 0 { "," } else { "" }, safe_json::line(&value))?;
    }
    writeln!(out, "{}]\n}}", if baseline.entries.is_empty() { "" } else { "\n  " })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::baseline::BaselineEntry;

    #[test]
    fn what_is_written_is_read() {
        let mut baseline = Baseline::default();
        for (path, rule, line) in [("b.md", "stale-path", 255), ("a\\u{202E}\"b.md", "missing-import", u64::MAX)] {
            baseline.entries.insert(BaselineEntry { path: path.into(), rule: rule.into(), line }, 2);
        }
        let mut text = Vec::new();
        write(&baseline, &mut text).expect("a Vec takes everything");
        insta::assert_snapshot!(String::from_utf8_lossy(&text), @r#"
        {
          "version": 1,
          "findings": [
            {"path":"a\\u{202E}\"b.md","rule":"missing-import","line":"ffffffffffffffff","count":2},
            {"path":"b.md","rule":"stale-path","line":"00000000000000ff","count":2}
          ]
        }
        "#);
        assert_eq!(Baseline::parse(&"b.json".into(), &text).expect("a baseline"), baseline);
        let mut empty = Vec::new();
        write(&Baseline::default(), &mut empty).expect("a Vec takes everything");
        assert_eq!(Baseline::parse(&"b.json".into(), &empty).expect("a baseline"), Baseline::default());
    }
}
