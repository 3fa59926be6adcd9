//! JSON with the place of everything in it, exactly as strict as the program that reads a file: with or without comments and
//! trailing commas, otherwise as the standard and JavaScript's `JSON.parse` have it. Knows no settings.
//!
//! No crate fits: those that tell places accept control characters in strings, or blanks that `JSON.parse` refuses; the strict
//! ones tell no places and refuse half surrogate pairs, which `JSON.parse` accepts.

mod node;

pub(crate) use node::{JsonMember, JsonNode, JsonValue};

use crate::base::text::Span;

/// Deeper nesting is refused. Agents accept more, but no settings file has it, and readers here may recurse.
const MAX_DEPTH: usize = 128;

/// What a reader accepts beyond the standard.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct JsonGrammar {
    /// `// …` and `/* … */`.
    pub(crate) comments: bool,
    /// A comma before `}` or `]`.
    pub(crate) trailing_commas: bool,
}

impl JsonGrammar {
    /// `JSON.parse`.
    pub(crate) const STRICT: JsonGrammar = JsonGrammar { comments: false, trailing_commas: false };
    /// `JSON.parse` after comments were stripped.
    pub(crate) const COMMENTED: JsonGrammar = JsonGrammar { comments: true, trailing_commas: false };
    /// Comments and trailing commas.
    pub(crate) const RELAXED: JsonGrammar = JsonGrammar { comments: true, trailing_commas: true };
}

/// Why a text is refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct JsonProblem {
    /// Offset of the first byte that does not fit.
    pub(crate) at: usize,
    pub(crate) kind: JsonProblemKind,
}

/// What does not fit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum JsonProblemKind {
    /// Nothing but blanks.
    Empty,
    /// A comment, where the reader knows none.
    Comment,
    /// A comma before `}` or `]`, where the reader allows none.
    TrailingComma,
    /// Another member or item, where the comma before it is missing.
    MissingComma,
    /// The text ends inside a value.
    Truncated,
    /// More nesting than is read here.
    TooDeep,
    /// A byte order mark, where the reader takes none off.
    ByteOrderMark,
    /// Anything else.
    Unexpected,
}

impl JsonProblemKind {
    /// The problem in words that follow "the file has".
    pub(crate) fn words(self) -> &'static str {
        match self {
            JsonProblemKind::Empty => "nothing in it",
            JsonProblemKind::Comment => "a comment",
            JsonProblemKind::TrailingComma => "a trailing comma",
            JsonProblemKind::MissingComma => "no comma before this",
            JsonProblemKind::Truncated => "an unclosed value",
            JsonProblemKind::TooDeep => "more than 128 levels",
            JsonProblemKind::ByteOrderMark => "a byte order mark before its text",
            JsonProblemKind::Unexpected => "text that is not JSON",
        }
    }
}

/// Read `text` as `grammar` says. A byte order mark is no part of JSON: who accepts one takes it off first.
///
/// # Errors
/// Where the text is no JSON, with the first place that does not fit.
pub(crate) fn parse(text: &str, grammar: JsonGrammar) -> Result<JsonNode, JsonProblem> {
    let mut reader = JsonReader { text: text.as_bytes(), source: text, at: 0, grammar };
    if text.starts_with('\u{feff}') {
        return Err(reader.problem(JsonProblemKind::ByteOrderMark));
    }
    reader.blanks()?;
    if reader.peek().is_none() {
        return Err(reader.problem(JsonProblemKind::Empty));
    }
    let node = reader.node(0)?;
    reader.blanks()?;
    match reader.peek() {
        None => Ok(node),
        Some(_) => Err(reader.problem(JsonProblemKind::Unexpected)),
    }
}

struct JsonReader<'t> {
    text: &'t [u8],
    source: &'t str,
    at: usize,
    grammar: JsonGrammar,
}

impl JsonReader<'_> {
    fn peek(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }

    fn problem(&self, kind: JsonProblemKind) -> JsonProblem {
        JsonProblem { at: self.at, kind }
    }

    /// What is wrong at this place: the end of the text, or a byte that does not fit.
    fn unexpected(&self) -> JsonProblem {
        let ended = self.at >= self.text.len();
        self.problem(if ended { JsonProblemKind::Truncated } else { JsonProblemKind::Unexpected })
    }

    /// Skip blanks, and comments where they are allowed.
    fn blanks(&mut self) -> Result<(), JsonProblem> {
        loop {
            match (self.peek(), self.text.get(self.at + 1)) {
                (Some(b' ' | b'\t' | b'\n' | b'\r'), _) => self.at += 1,
                (Some(b'/'), Some(b'/' | b'*')) if !self.grammar.comments => {
                    return Err(self.problem(JsonProblemKind::Comment));
                }
                (Some(b'/'), Some(b'/')) => {
                    let rest = &self.text[self.at..];
                    self.at += memchr::memchr2(b'\n', b'\r', rest).unwrap_or(rest.len());
                }
                (Some(b'/'), Some(b'*')) => {
                    let end = memchr::memmem::find(&self.text[self.at + 2..], b"*/");
                    let Some(end) = end else {
                        self.at = self.text.len();
                        return Err(self.problem(JsonProblemKind::Truncated));
                    };
                    self.at += end + 4;
                }
                _ => return Ok(()),
            }
        }
    }

    fn node(&mut self, depth: usize) -> Result<JsonNode, JsonProblem> {
        if depth > MAX_DEPTH {
            return Err(self.problem(JsonProblemKind::TooDeep));
        }
        let start = self.at;
        let value = match self.peek() {
            Some(b'{') => self.object(depth)?,
            Some(b'[') => self.array(depth)?,
            Some(b'"') => JsonValue::Text(self.string()?),
            Some(b'-' | b'0'..=b'9') => self.number()?,
            Some(b't') => self.word("true", JsonValue::Bool(true))?,
            Some(b'f') => self.word("false", JsonValue::Bool(false))?,
            Some(b'n') => self.word("null", JsonValue::Null)?,
            _ => return Err(self.unexpected()),
        };
        Ok(JsonNode { span: Span::new(start, self.at), value })
    }

    fn word(&mut self, word: &str, value: JsonValue) -> Result<JsonValue, JsonProblem> {
        if !self.text[self.at..].starts_with(word.as_bytes()) {
            return Err(self.unexpected());
        }
        self.at += word.len();
        Ok(value)
    }

    fn object(&mut self, depth: usize) -> Result<JsonValue, JsonProblem> {
        let mut members = Vec::new();
        self.at += 1;
        while self.has_next(b'}', !members.is_empty())? {
            if self.peek() != Some(b'"') {
                return Err(self.unexpected());
            }
            let start = self.at;
            let key = self.string()?;
            let key_span = Span::new(start, self.at);
            self.blanks()?;
            if self.peek() != Some(b':') {
                return Err(self.unexpected());
            }
            self.at += 1;
            self.blanks()?;
            members.push(JsonMember { key, key_span, value: self.node(depth + 1)? });
        }
        Ok(JsonValue::Object(members))
    }

    fn array(&mut self, depth: usize) -> Result<JsonValue, JsonProblem> {
        let mut items = Vec::new();
        self.at += 1;
        while self.has_next(b']', !items.is_empty())? {
            items.push(self.node(depth + 1)?);
        }
        Ok(JsonValue::Array(items))
    }

    /// Whether another member or item begins here, behind a blank. Without one it may be the rest of a string with a quotation mark in
    /// it.
    fn begins_another(&self) -> bool {
        let is_apart = self.at.checked_sub(1).is_some_and(|before| self.text[before].is_ascii_whitespace());
        is_apart && matches!(self.peek(), Some(b'"' | b'{' | b'['))
    }

    /// Go to the next member or item, past the comma that belongs before it; `false` past `close`.
    fn has_next(&mut self, close: u8, after_one: bool) -> Result<bool, JsonProblem> {
        self.blanks()?;
        let mut comma = None;
        if after_one && self.peek() == Some(b',') {
            comma = Some(self.at);
            self.at += 1;
            self.blanks()?;
        }
        if self.peek() == Some(close) {
            if let Some(at) = comma.filter(|_| !self.grammar.trailing_commas) {
                return Err(JsonProblem { at, kind: JsonProblemKind::TrailingComma });
            }
            self.at += 1;
            return Ok(false);
        }
        if after_one && comma.is_none() {
            return Err(if self.begins_another() {
                self.problem(JsonProblemKind::MissingComma)
            } else {
                self.unexpected()
            });
        }
        Ok(true)
    }

    /// A string in its quotation marks. Half of a surrogate pair becomes U+FFFD.
    fn string(&mut self) -> Result<String, JsonProblem> {
        let mut out = String::new();
        self.at += 1;
        loop {
            let rest = &self.text[self.at..];
            let plain = rest.iter().position(|&b| b == b'"' || b == b'\\' || b < 0x20).unwrap_or(rest.len());
            out.push_str(&self.source[self.at..self.at + plain]);
            self.at += plain;
            match self.peek() {
                Some(b'"') => {
                    self.at += 1;
                    return Ok(out);
                }
                Some(b'\\') => {
                    let c = self.escape()?;
                    out.push(c);
                }
                _ => return Err(self.unexpected()),
            }
        }
    }

    fn escape(&mut self) -> Result<char, JsonProblem> {
        self.at += 1;
        let c = match self.peek() {
            Some(c @ (b'"' | b'\\' | b'/')) => char::from(c),
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{c}',
            Some(b'n') => '\n',
            Some(b'r') => '\r',
            Some(b't') => '\t',
            Some(b'u') => return self.unicode_escape(),
            _ => return Err(self.unexpected()),
        };
        self.at += 1;
        Ok(c)
    }

    fn unicode_escape(&mut self) -> Result<char, JsonProblem> {
        let first = self.hex_unit()?;
        if !(0xD800..0xDC00).contains(&first) {
            return Ok(char::from_u32(first).unwrap_or(char::REPLACEMENT_CHARACTER));
        }
        if !self.text[self.at..].starts_with(b"\\u") {
            return Ok(char::REPLACEMENT_CHARACTER);
        }
        let before = self.at;
        self.at += 1;
        let second = self.hex_unit()?;
        if (0xDC00..0xE000).contains(&second) {
            let pair = 0x10000 + ((first - 0xD800) << 10) + (second - 0xDC00);
            return Ok(char::from_u32(pair).unwrap_or(char::REPLACEMENT_CHARACTER));
        }
        self.at = before;
        Ok(char::REPLACEMENT_CHARACTER)
    }

    /// The four digits behind the `u` at this place.
    fn hex_unit(&mut self) -> Result<u32, JsonProblem> {
        self.at += 1;
        let mut unit = 0;
        for _ in 0..4 {
            let digit = self.peek().and_then(|b| char::from(b).to_digit(16));
            let Some(digit) = digit else { return Err(self.unexpected()) };
            unit = unit * 16 + digit;
            self.at += 1;
        }
        Ok(unit)
    }

    fn number(&mut self) -> Result<JsonValue, JsonProblem> {
        let start = self.at;
        if self.peek() == Some(b'-') {
            self.at += 1;
        }
        match self.peek() {
            Some(b'0') => self.at += 1,
            _ => self.digits()?,
        }
        if self.peek() == Some(b'.') {
            self.at += 1;
            self.digits()?;
        }
        if matches!(self.peek(), Some(b'e' | b'E')) {
            self.at += 1;
            if matches!(self.peek(), Some(b'+' | b'-')) {
                self.at += 1;
            }
            self.digits()?;
        }
        let number = self.source[start..self.at].parse().unwrap_or(f64::NAN);
        Ok(JsonValue::Number(number))
    }

    /// At least one digit.
    fn digits(&mut self) -> Result<(), JsonProblem> {
        let count = self.text[self.at..].iter().take_while(|b| b.is_ascii_digit()).count();
        if count == 0 {
            return Err(self.unexpected());
        }
        self.at += count;
        Ok(())
    }
}

#[cfg(test)]
mod tests;
