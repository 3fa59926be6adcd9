//! The bytes of files from one `git cat-file` that lives as long as the run: to start a program for every few files takes
//! longer than to read them.

use std::io::{BufRead, ErrorKind};
use std::sync::{Arc, Mutex, PoisonError};

use super::conversation::Conversation;
use super::{GitCall, Program, ProgramError, hex};
use crate::source::{MAX_FILE_BYTES, ReadResult, SourceReadError};

/// How many names are handed over before their answers are read. They fit into any pipe, so that writing them never waits.
const AHEAD: usize = 4096 / (64 + 1);

/// The program that answers, once it was asked.
#[derive(Debug, Default)]
pub(super) struct ObjectProgram(Mutex<Option<Conversation>>);

/// Why the program answers no more.
enum End {
    /// It ended before it answered.
    Silent,
    /// It ended within an answer.
    Broken(std::io::Error),
    /// It would go on with unwanted bytes.
    Unwanted(SourceReadError),
}

impl Program {
    /// The bytes of blobs, in the order of `blobs`. An error means that git reads nothing here.
    pub(in crate::source) fn blobs(&self, blobs: &[&[u8]]) -> Result<Vec<ReadResult>, ProgramError> {
        let mut running = self.objects.0.lock().unwrap_or_else(PoisonError::into_inner);
        let mut results = Vec::with_capacity(blobs.len());
        while results.len() < blobs.len() {
            let known = running.take();
            let is_new = known.is_none();
            let mut conversation = match known {
                Some(known) => known,
                None => Conversation::begin(self.piped(&GitCall::Blobs)?)?,
            };
            let before = results.len();
            match ask(&mut conversation, &blobs[before..], &mut results) {
                Ok(()) => *running = Some(conversation),
                Err(End::Unwanted(error)) => results.push(Err(error)),
                // Git refuses the repository, or one that answered before was ended by somebody.
                Err(End::Silent) => {
                    let end = conversation.end(Err(ErrorKind::UnexpectedEof.into()));
                    if is_new && results.len() == before {
                        end?;
                        return Err(ProgramError::Failed("git ended".to_owned()));
                    }
                }
                Err(End::Broken(error)) => {
                    let why = match conversation.end(Err(error)) {
                        Err(ProgramError::Failed(why)) => why,
                        _ => "git printed an unexpected answer".to_owned(),
                    };
                    results.push(Err(SourceReadError::Failed(why)));
                }
            }
        }
        Ok(results)
    }
}

/// Append the answers to `results`, until the program ends.
fn ask(conversation: &mut Conversation, blobs: &[&[u8]], results: &mut Vec<ReadResult>) -> Result<(), End> {
    let mut asked = 0;
    conversation.awaits(true);
    for answered in 0..blobs.len() {
        if asked < blobs.len() && asked - answered <= AHEAD / 2 {
            let more = &blobs[asked..blobs.len().min(answered + AHEAD)];
            let names: String = more.iter().map(|blob| hex(blob) + "\n").collect();
            conversation.tell(names.as_bytes());
            asked += more.len();
        }
        results.push(next_blob(&mut conversation.stdout)?);
    }
    conversation.awaits(false);
    Ok(())
}

/// One answer of `git cat-file --batch`.
fn next_blob(output: &mut impl BufRead) -> Result<ReadResult, End> {
    let mut head = Vec::new();
    output.read_until(b'\n', &mut head).map_err(End::Broken)?;
    let text = String::from_utf8_lossy(&head);
    let words: Vec<&str> = text.split_whitespace().collect();
    let size = match words[..] {
        [_, "blob", size] => size.parse::<u64>().map_err(|error| End::Broken(std::io::Error::other(error)))?,
        [_, "missing"] => return Ok(Err(SourceReadError::Failed("it is missing or damaged".to_owned()))),
        [] => return Err(End::Silent),
        [_, kind, _] => return Err(End::Unwanted(SourceReadError::Failed(format!("it is a {kind}")))),
        _ => return Err(End::Broken(std::io::Error::other(format!("cat-file said `{}`", text.trim())))),
    };
    if size > MAX_FILE_BYTES {
        return Err(End::Unwanted(SourceReadError::TooLarge(size)));
    }
    let mut bytes = vec![0; size as usize + 1];
    output.read_exact(&mut bytes).map_err(End::Broken)?;
    bytes.pop();
    Ok(Ok(Arc::from(bytes)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blobs_end_where_they_say() {
        let mut input: &[u8] = b"aa blob 3\na\nb\nbb missing\ncc blob 0\n\ndd tree 9\n";
        let mut next = || next_blob(&mut input);
        assert!(matches!(next(), Ok(Ok(bytes)) if *bytes == *b"a\nb"));
        assert!(matches!(next(), Ok(Err(SourceReadError::Failed(_)))));
        assert!(matches!(next(), Ok(Ok(bytes)) if bytes.is_empty()));
        assert!(matches!(next(), Err(End::Unwanted(SourceReadError::Failed(_)))));
        assert!(matches!(next(), Err(End::Silent)));
        assert!(matches!(next_blob(&mut &b"aa blob 3\na"[..]), Err(End::Broken(_))));
        assert!(matches!(
            next_blob(&mut &b"aa blob 9000000000\na"[..]),
            Err(End::Unwanted(SourceReadError::TooLarge(9_000_000_000)))
        ));
    }
}
