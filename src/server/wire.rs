//! Messages on the wire: a header with a length, then JSON. Nothing that a client sends can make it allocate more than
//! [`MAX_BODY`] bytes, and what is not a message is answered and passed over.

use std::io::{self, BufRead, Read, Write};

use lsp_server::Message;
use serde_json::{Value, json};

/// Largest message in bytes. A file of the largest size that is linted fits, each byte of it escaped.
pub(super) const MAX_BODY: u64 = 64 << 20;
/// Longest line of a header in bytes, and most lines of one.
const MAX_HEADER_LINE: u64 = 1024;
const MAX_HEADER_LINES: usize = 64;

/// What the client sent.
#[derive(Debug)]
pub(super) enum Incoming {
    /// A message.
    Message(Message),
    /// An invalid message frame, and the response to it.
    Malformed(Value),
}

/// The next message; `None` where the stream ends.
///
/// # Errors
/// When the stream cannot be read, or is no stream of messages: nobody can tell where the next one begins.
pub(super) fn read(input: &mut dyn BufRead) -> io::Result<Option<Incoming>> {
    let Some(length) = read_header(input)? else { return Ok(None) };
    if length > MAX_BODY {
        let skipped = io::copy(&mut input.take(length), &mut io::sink())?;
        let why = format!("a message of {length} bytes is over the limit of {MAX_BODY}");
        return Ok((skipped == length).then(|| Incoming::Malformed(refusal(Value::Null, -32600, &why))));
    }
    let mut body = Vec::new();
    if input.take(length).read_to_end(&mut body)? as u64 != length {
        return Ok(None);
    }
    Ok(Some(parse(&body)))
}

fn parse(body: &[u8]) -> Incoming {
    let value: Value = match serde_json::from_slice(body) {
        Ok(value) => value,
        Err(why) => return Incoming::Malformed(refusal(Value::Null, -32700, &format!("this is no JSON: {why}"))),
    };
    let id = value.get("id").filter(|id| id.is_string() || id.is_number()).cloned().unwrap_or(Value::Null);
    match serde_json::from_value(value) {
        Ok(message) => Incoming::Message(message),
        Err(_) => {
            Incoming::Malformed(refusal(id, -32600, "this is neither a request nor a notification nor a response"))
        }
    }
}

/// An answer to what could not be read.
fn refusal(id: Value, code: i32, message: &str) -> Value {
    json!({"jsonrpc": "2.0", "id": id, "error": {"code": code, "message": message}})
}

/// The length of the message behind the header; `None` where the stream ends.
fn read_header(input: &mut dyn BufRead) -> io::Result<Option<u64>> {
    let mut length = None;
    for _ in 0..MAX_HEADER_LINES {
        let mut line = Vec::new();
        (&mut *input).take(MAX_HEADER_LINE).read_until(b'\n', &mut line)?;
        if line.is_empty() {
            return Ok(None);
        }
        let Some(line) = line.strip_suffix(b"\n") else { return Err(no_header("a line of the header is too long")) };
        let line = String::from_utf8_lossy(line.strip_suffix(b"\r").unwrap_or(line)).into_owned();
        match (line.is_empty(), length) {
            (true, Some(length)) => return Ok(Some(length)),
            // Blank lines before a header do no harm.
            (true, None) => continue,
            (false, _) => {}
        }
        if let Some((name, value)) = line.split_once(':')
            && name.trim().eq_ignore_ascii_case("content-length")
        {
            length = Some(value.trim().parse().map_err(|_| no_header("Content-Length is no number"))?);
        }
    }
    Err(no_header("the header has no end"))
}

fn no_header(why: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, format!("the client does not speak the protocol: {why}"))
}

/// Write one message.
///
/// # Errors
/// When the client does not listen any more.
pub(super) fn write(output: &mut dyn Write, message: &Value) -> io::Result<()> {
    let body = message.to_string();
    write!(output, "Content-Length: {}\r\n\r\n{body}", body.len())?;
    output.flush()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frame(body: &str) -> String {
        format!("Content-Length: {}\r\n\r\n{body}", body.len())
    }

    #[test]
    fn what_is_no_message_is_answered_and_passed_over() {
        let shutdown = r#"{"jsonrpc":"2.0","id":7,"method":"shutdown"}"#;
        let all = ["{", "[1]", r#"{"id": 3, "methud": 1}"#, "\"x\"", shutdown].map(frame).concat();
        let mut input = all.as_bytes();
        let mut answers = Vec::new();
        while let Some(incoming) = read(&mut input).expect("a stream") {
            answers.push(match incoming {
                Incoming::Malformed(answer) => format!("{} {}", answer["id"], answer["error"]["code"]),
                Incoming::Message(_) => "message".to_owned(),
            });
        }
        assert_eq!(answers, ["null -32700", "null -32600", "3 -32600", "null -32600", "message"]);
    }

    #[test]
    fn no_message_makes_it_allocate_without_bound() {
        let mut huge: &[u8] = b"Content-Length: 99999999999999\r\n\r\nxyz";
        assert!(read(&mut huge).expect("it ends").is_none());
        let body = MAX_BODY + 1;
        let header = format!("Content-Length: {body}\r\n\r\n");
        let mut long = io::BufReader::new(header.as_bytes().chain(io::repeat(b' ').take(body)));
        assert!(matches!(read(&mut long).expect("it is skipped"), Some(Incoming::Malformed(_))));
        let mut line = io::BufReader::new(io::repeat(b'x'));
        assert!(read(&mut line).is_err());
        let lines = b"x: y\r\n".repeat(1000);
        assert!(read(&mut &lines[..]).is_err());
        assert!(read(&mut &b"Content-Length: -1\r\n\r\n"[..]).is_err());
    }
}
