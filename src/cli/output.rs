//! Where a report goes: standard output, a file that `--output` names, and in CI the job summary. Knows no format.

use std::io::Write;
use std::path::{Path, PathBuf};

use super::Console;
use crate::base::error::Error;
use crate::report::printer::Printer;
use crate::write;

/// The place of a report.
pub(super) enum Output {
    /// Standard output.
    Stdout,
    /// Standard error: what `--fix` makes of standard input has standard output for itself.
    Stderr,
    /// A file: as the user wrote it, and where it is.
    File(PathBuf, PathBuf),
}

/// Whether a report is text for people or bytes for a program.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum OutputForm {
    /// Text, or a format that only has text fit to print.
    Text,
    /// Output that must not be changed: a patch, or commands for a CI runner.
    Raw,
}

impl OutputForm {
    fn pass<'p>(self, printer: &'p mut Printer<'_>) -> std::io::Result<&'p mut dyn Write> {
        match self {
            OutputForm::Text => Ok(printer),
            OutputForm::Raw => printer.raw(),
        }
    }
}

impl Output {
    /// The place that `file` names; `-` and `/dev/stdout` mean standard output. A place that cannot take a report is refused
    /// here, before the work: a run that fixes files must not fail afterwards.
    ///
    /// # Errors
    /// When the folder is missing, or a folder stands in the file's place.
    pub(super) fn new(file: Option<&Path>, console: &Console<'_>) -> Result<Output, Error> {
        let Some(file) = file.filter(|file| !["-", "/dev/stdout"].map(Path::new).contains(file)) else {
            return Ok(Output::Stdout);
        };
        let place = console.directory.join(file);
        if place.is_dir() {
            let help = format!("name a file in it, such as --output {}", file.join("report.txt").display());
            return Err(Error::failed(format!("cannot write {}: it is a folder", file.display()), help));
        }
        match place.parent() {
            Some(folder) if !folder.is_dir() => {
                let folder = file.parent().unwrap_or(file).display();
                let message = format!("cannot write {}: there is no folder {folder}", file.display());
                Err(Error::failed(message, "create the folder first, or name another place with --output"))
            }
            _ => Ok(Output::File(file.to_owned(), place)),
        }
    }

    /// The place of a report when standard output has something else to carry.
    pub(super) fn beside_text(self) -> Output {
        if let Output::Stdout = self { Output::Stderr } else { self }
    }

    /// Write the whole report. A file below `root`, the top of the worktree, stays there.
    ///
    /// # Errors
    /// When the place does not take it.
    pub(super) fn write(
        &self,
        root: Option<&Path>,
        console: &mut Console<'_>,
        form: OutputForm,
        text: &[u8],
    ) -> Result<(), Error> {
        let (named, place) = match self {
            Output::Stdout => {
                form.pass(&mut console.stdout)?.write_all(text)?;
                return Ok(console.stdout.flush()?);
            }
            // A closed standard error is not worth stopping for.
            Output::Stderr => {
                let _ = form.pass(&mut console.stderr).and_then(|stderr| stderr.write_all(text));
                return Ok(());
            }
            Output::File(named, place) => (named, place),
        };
        write::whole(place, root, text).map_err(|error| {
            let help = "make the place writable, or name another";
            Error::failed(format!("cannot write {}: {error}", named.display()), help)
        })
    }
}

/// Append `page` to the job summary that `GITHUB_STEP_SUMMARY` names. A file below `root` stays there.
///
/// # Errors
/// When the file does not take it.
pub(super) fn append_summary(file: &Path, root: Option<&Path>, page: &[u8]) -> Result<(), Error> {
    write::append(file, root, page).map_err(|error| {
        let message = format!("cannot write the job summary {}: {error}", file.display());
        Error::failed(message, "unset GITHUB_STEP_SUMMARY to write no summary")
    })
}
