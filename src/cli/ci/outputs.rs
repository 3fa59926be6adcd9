//! The outputs of a step of GitHub Actions: lines in the file that `GITHUB_OUTPUT` names.

use std::path::Path;

use crate::base::error::Error;
use crate::base::finding::Level;
use crate::cli::Console;
use crate::engine::Report;
use crate::rules::{self, Group};
use crate::write;

/// What a later step may want to know.
pub(super) struct CiOutputs<'c> {
    pub report: &'c Report,
    /// The files that were written, as they were named.
    pub sarif: Option<&'c Path>,
    pub summary: Option<&'c Path>,
}

impl CiOutputs<'_> {
    /// Append the outputs; nothing where no file is named.
    ///
    /// # Errors
    /// When the file does not take them.
    pub(super) fn write(&self, root: Option<&Path>, console: &Console<'_>) -> Result<(), Error> {
        let Some(file) = console.env.get("GITHUB_OUTPUT") else { return Ok(()) };
        let text = self.text(console);
        write::append(&console.directory.join(file), root, text.as_bytes()).map_err(|error| {
            let message = format!("cannot write the outputs to {file}: {error}");
            Error::failed(message, "unset GITHUB_OUTPUT to do without them")
        })
    }

    fn text(&self, console: &Console<'_>) -> String {
        let is_drift = |rule: &str| rules::find(rule).is_some_and(|info| info.group == Group::Artifacts);
        let drift = self.report.findings.iter().filter(|finding| is_drift(finding.rule)).count();
        let mut lines = vec![
            format!("errors={}", self.report.count(Level::Error)),
            format!("warnings={}", self.report.count(Level::Warning)),
            format!("fixable={}", self.report.fixable()),
            format!("drift={drift}"),
        ];
        for (name, file) in [("sarif-file", self.sarif), ("summary-file", self.summary)] {
            lines.extend(file.and_then(|file| place(file, console)).map(|place| format!("{name}={place}")));
        }
        lines.join("\n") + "\n"
    }
}

/// A file as the next step finds it, which runs in the workspace. `None` for a name that would begin another line.
fn place(file: &Path, console: &Console<'_>) -> Option<String> {
    let place = console.directory.join(file);
    let inside = console.env.get("GITHUB_WORKSPACE").and_then(|workspace| place.strip_prefix(workspace).ok());
    let text = inside.unwrap_or(&place).to_str()?;
    (!text.contains(['\n', '\r'])).then(|| text.to_owned())
}
