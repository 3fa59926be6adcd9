//! `hintlint server`: the language server on standard input and output.

use super::Console;
use crate::base::error::Error;

/// Serve the editor that started this process, until it asks for the end; the answer is the exit code.
///
/// # Errors
/// When the editor does not speak the protocol.
#[cfg(feature = "server")]
pub(super) fn server(console: &mut Console<'_>) -> Result<u8, Error> {
    let env = console.env.clone();
    // The console lends its input for a moment; the server reads on a thread of its own.
    crate::server::serve(env, std::io::BufReader::new(std::io::stdin()), console.stdout.raw()?)
}

/// Say that this program was built without it.
///
/// # Errors
/// Always.
#[cfg(not(feature = "server"))]
pub(super) fn server(_: &mut Console<'_>) -> Result<u8, Error> {
    Err(Error::failed(
        "this hintlint was built without the language server",
        "install a released one (`pip install hintlint`, `npm install hintlint`), or build it with `cargo install --locked hintlint --features server`",
    ))
}
