//! Standard input in place of a file: reading it, its place in the repository, and giving back what fixes make of it.

use std::io::{Read as _, Write as _};
use std::path::Path;
use std::sync::Arc;

use super::Console;
use crate::base::error::Error;
use crate::cli::args::CheckArgs;
use crate::engine::Fixed;
use crate::source::MAX_FILE_BYTES;

/// A text in place of a file.
pub(super) struct StdinText<'a> {
    /// The name under which it is linted, as the user gave it.
    pub(super) name: &'a Path,
    /// What was read.
    pub(super) bytes: Arc<[u8]>,
}

/// What stands on standard input; `None` where files are linted.
///
/// # Errors
/// When `-` and `--stdin-filename` do not stand together, or the text is too long to be linted.
pub(super) fn read<'a>(args: &'a CheckArgs, console: &mut Console<'_>) -> Result<Option<StdinText<'a>>, Error> {
    let dash = args.paths.iter().any(|path| path.as_os_str() == "-");
    let Some(name) = args.stdin_filename.as_ref() else {
        let help = "name the file that the text stands for: `hintlint --stdin-filename AGENTS.md -`";
        return if dash { Err(Error::failed("`-` reads standard input, which has no name", help)) } else { Ok(None) };
    };
    if !dash || args.paths.len() > 1 {
        let help = "`hintlint --stdin-filename AGENTS.md -`";
        return Err(Error::failed("--stdin-filename goes with `-` as the only path", help));
    }
    let mut bytes = Vec::new();
    console.stdin.take(MAX_FILE_BYTES + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MAX_FILE_BYTES {
        let message = format!("standard input is over the limit of {MAX_FILE_BYTES} bytes; nothing was checked");
        return Err(Error::failed(message, "split the text; agents do not read files of this size either"));
    }
    Ok(Some(StdinText { name, bytes: bytes.into() }))
}

/// Write the text that was read, with its fixes: what an editor puts back. On a terminal hidden characters are shown.
///
/// # Errors
/// When standard output cannot be written.
pub(super) fn give_back(before: &[u8], changes: &[Fixed], console: &mut Console<'_>) -> Result<(), Error> {
    let after = changes.first().map_or(before, |change| &change.after);
    console.pass_on(after)?;
    Ok(console.stdout.flush()?)
}
