//! `hintlint server`: the language server on standard input and output.

use std::io::BufReader;

use super::Console;
use crate::base::error::Error;

/// Serve the editor that started this process, until it asks for the end; the answer is the exit code.
///
/// # Errors
/// When the editor does not speak the protocol.
pub(super) fn server(console: &mut Console<'_>) -> Result<u8, Error> {
    let env = console.env.clone();
    // The console lends its input for a moment; the server reads on a thread of its own.
    crate::server::serve(env, BufReader::new(std::io::stdin()), console.stdout.raw()?)
}
