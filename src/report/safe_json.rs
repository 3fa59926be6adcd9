//! JSON that is safe to print: what the sanitiser would escape is written as `\uXXXX`, so the text is harmless to look at and
//! the value, once parsed, is exactly what it was.

use std::borrow::Cow;
use std::cell::RefCell;
use std::io::{self, Write};

use serde::Serialize;
use serde_json::ser::{CompactFormatter, Formatter, PrettyFormatter, Serializer};

use crate::base::path::RepoPath;
use crate::base::sanitize::{self, Piece};

/// Write `value`, indented by two spaces, with a final newline.
pub fn write(value: &impl Serialize, out: &mut dyn Write) -> io::Result<()> {
    let mut serializer = Serializer::with_formatter(&mut *out, Safe(PrettyFormatter::new()));
    value.serialize(&mut serializer)?;
    out.write_all(b"\n")
}

/// `value` as one line, without its end. A value that is no JSON, such as a map with keys that are no strings, is empty.
pub fn line(value: &impl Serialize) -> String {
    let mut out = Vec::new();
    let mut serializer = Serializer::with_formatter(&mut out, Safe(CompactFormatter));
    let written = value.serialize(&mut serializer);
    written.ok().and_then(|()| String::from_utf8(out).ok()).unwrap_or_default()
}

/// A list whose values are made one by one, each written before the next is made: a report holds its findings already, and
/// should not hold all of them a second time. It can be written once.
pub(super) struct Each<I>(RefCell<I>);

impl<I: Iterator> Each<I> {
    pub(super) fn new(values: impl IntoIterator<IntoIter = I>) -> Self {
        Each(RefCell::new(values.into_iter()))
    }
}

impl<I: Iterator<Item: Serialize>> Serialize for Each<I> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(&mut *self.0.borrow_mut())
    }
}

/// A path as a value. Only bytes that are not UTF-8 are escaped; JSON itself escapes the rest.
pub fn path(path: &RepoPath) -> Cow<'_, str> {
    match path.to_str() {
        Some(path) => Cow::Borrowed(path),
        None => {
            let mut text = String::new();
            for chunk in path.as_bytes().utf8_chunks() {
                text.push_str(chunk.valid());
                chunk.invalid().iter().for_each(|&byte| sanitize::push_byte(&mut text, byte));
            }
            Cow::Owned(text)
        }
    }
}

/// Any layout, with the strings made visible.
struct Safe<F>(F);

impl<F: Formatter> Formatter for Safe<F> {
    fn write_string_fragment<W: ?Sized + Write>(&mut self, writer: &mut W, fragment: &str) -> io::Result<()> {
        for piece in sanitize::pieces(fragment.as_bytes()) {
            match piece {
                Piece::Clean(text) => writer.write_all(text.as_bytes())?,
                Piece::Hidden(c) => {
                    for unit in c.encode_utf16(&mut [0; 2]) {
                        write!(writer, "\\u{unit:04x}")?;
                    }
                }
                // A fragment is text and cannot be missing.
                Piece::Byte(_) => {}
            }
        }
        Ok(())
    }

    fn begin_array<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.0.begin_array(writer)
    }

    fn end_array<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.0.end_array(writer)
    }

    fn begin_array_value<W: ?Sized + Write>(&mut self, writer: &mut W, first: bool) -> io::Result<()> {
        self.0.begin_array_value(writer, first)
    }

    fn end_array_value<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.0.end_array_value(writer)
    }

    fn begin_object<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.0.begin_object(writer)
    }

    fn end_object<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.0.end_object(writer)
    }

    fn begin_object_key<W: ?Sized + Write>(&mut self, writer: &mut W, first: bool) -> io::Result<()> {
        self.0.begin_object_key(writer, first)
    }

    fn begin_object_value<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.0.begin_object_value(writer)
    }

    fn end_object_value<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.0.end_object_value(writer)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::base::sanitize::tests::{assert_harmless, assert_no_commands, hostile_text};

    #[test]
    fn one_line_has_the_same_value() {
        let value = serde_json::json!({"a": ["\u{1B}\n", 1, null], "b": {}});
        let text = line(&value);
        assert_eq!(text, r#"{"a":["\u001b\n",1,null],"b":{}}"#);
        assert_eq!(serde_json::from_str::<serde_json::Value>(&text).expect("JSON"), value);
    }

    fn json(value: &impl Serialize) -> String {
        let mut out = Vec::new();
        write(value, &mut out).expect("a Vec takes everything");
        String::from_utf8(out).expect("JSON is UTF-8")
    }

    #[test]
    fn hidden_characters_are_escaped() {
        assert_eq!(
            json(&"a\n\u{1B}\u{7F}é\u{E0041}##[x]\"\\"),
            "\"a\\n\\u001b\\u007fé\\udb40\\udc41\\u0023#[x]\\\"\\\\\"\n"
        );
    }

    proptest! {
        #[test]
        fn the_value_survives(text in hostile_text()) {
            let json = json(&[&text]);
            assert_harmless(&json, false);
            assert_no_commands(&json);
            let back: Vec<String> = serde_json::from_str(&json).expect("valid JSON");
            prop_assert_eq!(back, [text]);
        }
    }
}
