//! The language server: one client, on a stream in and a stream out. It turns the client's texts into the engine's unsaved text,
//! and findings and files back into the protocol's words. It opens no port, runs nothing and writes no file: what changes a file
//! is an edit that the client applies.
//!
//! One thread reads messages, one checks ([`worker`]), and the one that called answers. A question waits until the text that it is
//! about was checked.

mod actions;
mod answer;
mod capabilities;
mod checks;
mod completion;
mod contexts;
mod diagnostics;
mod documents;
mod hover;
mod lens;
mod links;
mod notices;
mod outline;
mod rename;
mod session;
mod text;
mod uri;
mod view;
mod wire;
mod worker;

use std::io::{BufRead, Write};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};

use self::session::ServerSession;
use self::wire::Incoming;
use self::worker::{Analysis, Project};
use crate::base::error::Error;
use crate::engine::Fixed;
use crate::env::Env;
use crate::parse::Document;

/// Messages that wait to be handled, at most; a client that sends more waits.
const MAX_QUEUED: usize = 256;

/// What happens to the server.
enum ServerEvent {
    /// The client sent something.
    Client(Incoming),
    /// The client will send nothing more; with a reason if it broke off.
    Closed(Option<String>),
    /// A check is done.
    Checked { project: Project, generation: u64, outcome: Box<Result<Analysis, Error>> },
    /// Fixes were tried on a file; `None` if they change nothing.
    Fixed { ticket: u64, file: Option<Fixed> },
    /// A file was read; one that could not be read is empty.
    Read { ticket: u64, page: Box<Document> },
}

/// Serve the client at the other end of `input` and `output` until it asks for the end or is gone; the answer is the exit code.
///
/// # Errors
/// When the client does not speak the protocol.
pub fn serve(env: Env, input: impl BufRead + Send + 'static, output: &mut dyn Write) -> Result<u8, Error> {
    let (events, queue) = sync_channel(MAX_QUEUED);
    let reader = events.clone();
    std::thread::Builder::new().name("read".into()).spawn(move || read(input, &reader))?;
    let session = ServerSession::new(env, events, output)?;
    run(session, &queue)
}

fn read(mut input: impl BufRead, events: &SyncSender<ServerEvent>) {
    loop {
        let event = match wire::read(&mut input) {
            Ok(Some(incoming)) => ServerEvent::Client(incoming),
            Ok(None) => ServerEvent::Closed(None),
            Err(why) => ServerEvent::Closed(Some(why.to_string())),
        };
        let is_last = matches!(event, ServerEvent::Closed(_));
        if events.send(event).is_err() || is_last {
            return;
        }
    }
}

fn run(mut session: ServerSession<'_>, queue: &Receiver<ServerEvent>) -> Result<u8, Error> {
    while let Ok(event) = queue.recv() {
        match event {
            ServerEvent::Client(Incoming::Malformed(answer)) => session.send(&answer)?,
            ServerEvent::Client(Incoming::Message(message)) => {
                if let Some(code) = session.message(message)? {
                    return Ok(code);
                }
            }
            ServerEvent::Closed(None) => return Ok(session.code_at_end()),
            ServerEvent::Closed(Some(why)) => return Err(Error::failed(why, "start it from an editor")),
            ServerEvent::Checked { project, generation, outcome } => session.checked(&project, generation, *outcome)?,
            ServerEvent::Fixed { ticket, file } => session.fixed(ticket, file)?,
            ServerEvent::Read { ticket, page } => session.was_read(ticket, *page)?,
        }
    }
    Ok(1)
}
