//! Shell command lines as simple commands of words, as far as the text alone tells: quotes, separators, redirections, comments
//! and here-documents of POSIX shells. Variables and substitutions stay what they are; nothing is expanded and nothing is run.

mod arrays;

use arrays::Arrays;

/// Longer texts are read up to here, in bytes.
const MAX_TEXT: usize = 256 << 10;
/// Most words of one text.
const MAX_WORDS: usize = 20_000;
/// How deep commands inside `$(…)` are read.
const MAX_DEPTH: usize = 4;
/// Words before a command that are no commands themselves.
const KEYWORDS: [&str; 12] = ["!", "do", "elif", "else", "if", "then", "time", "until", "while", "{", "}", "fi"];

/// A part of a word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum WordPart {
    /// Text, without its quotes.
    Text(String),
    /// `$NAME` or `${NAME…}`: the name, and the default of `${NAME:-DEFAULT}`.
    Variable(String, Option<String>),
    /// What stands between `$(` and `)`, or between backticks.
    Substitution(String),
}

/// A word: its parts, one after the other.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct ShellWord(pub(crate) Vec<WordPart>);

impl ShellWord {
    /// The word where nothing is to be expanded.
    pub(crate) fn literal(&self) -> Option<String> {
        self.expanded(&|_| None)
    }

    /// The word with what `known` says of variables and substitutions; `None` where it does not know one.
    pub(crate) fn expanded(&self, known: &dyn Fn(&WordPart) -> Option<String>) -> Option<String> {
        let mut out = String::new();
        for part in &self.0 {
            match part {
                WordPart::Text(text) => out.push_str(text),
                WordPart::Variable(_, default) => out.push_str(&known(part).or_else(|| default.clone())?),
                WordPart::Substitution(_) => out.push_str(&known(part)?),
            }
        }
        Some(out)
    }

    fn push(&mut self, c: char) {
        if let Some(WordPart::Text(text)) = self.0.last_mut() {
            return text.push(c);
        }
        self.0.push(WordPart::Text(c.to_string()));
    }
}

/// A simple command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ShellCommand {
    /// Its words.
    pub(crate) words: Vec<ShellWord>,
    /// In how many shells below the first it runs: in `(…)` and `$(…)`.
    pub(crate) level: usize,
    /// Whether it reads what the command before it writes: `a | b`.
    pub(crate) reads_previous: bool,
}

/// Whether a word sets a variable: `NAME=VALUE`.
pub(crate) fn is_assignment(word: &str) -> bool {
    word.split_once('=').is_some_and(|(name, _)| {
        !name.is_empty()
            && !name.starts_with(|c: char| c.is_ascii_digit())
            && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
    })
}

/// The simple commands of `text`, those inside substitutions included, in the order in which they begin. Keywords, redirections
/// and comments are left out; a list that a command consists of is put in.
pub(crate) fn commands(text: &str) -> Vec<ShellCommand> {
    let mut found = Vec::new();
    read(text, (0, 0), Arrays::new(), &mut found);
    found
}

fn read(text: &str, (depth, level): (usize, usize), arrays: Arrays, found: &mut Vec<ShellCommand>) -> Arrays {
    let end = (0..=text.len().min(MAX_TEXT)).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0);
    let (inner, heredocs) = (Vec::new(), Vec::new());
    let text = &text[..end];
    let mut reader = ShellReader { text, at: 0, words: 0, inner, heredocs, level, is_piped: false, arrays };
    while reader.at < reader.text.len() && reader.words < MAX_WORDS {
        let (level, reads_previous) = (reader.level, std::mem::take(&mut reader.is_piped));
        let words = reader.command();
        let inner = std::mem::take(&mut reader.inner);
        if words.is_empty() {
            // A line end or bracket may stand between a pipe and its command.
            reader.is_piped |= reads_previous && text[..reader.at].ends_with(['\n', '(']);
        } else {
            found.push(ShellCommand { words, level, reads_previous });
        }
        if depth < MAX_DEPTH {
            for inner in inner {
                let arrays = std::mem::take(&mut reader.arrays);
                reader.arrays = read(&inner, (depth + 1, level + 1), arrays, found);
            }
        }
    }
    reader.arrays
}

struct ShellReader<'t> {
    text: &'t str,
    at: usize,
    words: usize,
    /// The texts of substitutions.
    inner: Vec<String>,
    /// The words that end here-documents which begin with the next line.
    heredocs: Vec<String>,
    /// In how many shells the next command runs.
    level: usize,
    /// Whether the next command reads what this one writes.
    is_piped: bool,
    /// The lists that were set so far.
    arrays: Arrays,
}

impl ShellReader<'_> {
    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    fn next(&mut self) -> Option<char> {
        let c = self.rest().chars().next()?;
        self.at += c.len_utf8();
        Some(c)
    }

    /// One simple command, past the separator behind it.
    fn command(&mut self) -> Vec<ShellWord> {
        let mut words: Vec<ShellWord> = Vec::new();
        while let Some(c) = self.rest().chars().next() {
            match c {
                '\n' => {
                    self.at += 1;
                    self.skip_heredocs();
                    break;
                }
                ';' | '&' | '|' | '(' | ')' => {
                    self.at += 1;
                    match c {
                        '|' if self.rest().starts_with('|') => self.at += 1,
                        '|' => {
                            self.is_piped = true;
                            self.at += usize::from(self.rest().starts_with('&'));
                        }
                        '(' => self.level += 1,
                        // Patterns of `case` close what nothing opened.
                        ')' => self.level = self.level.saturating_sub(1),
                        _ => {}
                    }
                    break;
                }
                '>' | '<' => self.redirection(),
                '#' => self.at += self.rest().find('\n').unwrap_or(self.rest().len()),
                '\\' if self.rest().starts_with("\\\n") => self.at += 2,
                c if c.is_whitespace() => self.at += c.len_utf8(),
                _ => {
                    let word = self.word();
                    self.words += 1;
                    let is_number = word.literal().is_some_and(|text| text.bytes().all(|b| b.is_ascii_digit()));
                    let is_descriptor = is_number && self.rest().starts_with(['>', '<']);
                    let is_keyword = || word.literal().is_some_and(|text| KEYWORDS.contains(&text.as_str()));
                    let is_part = !words.is_empty() || !is_keyword();
                    match self.elements(&word).cloned().filter(|_| is_part) {
                        Some(elements) => {
                            self.words += elements.len();
                            words.extend(elements);
                        }
                        None if is_part && !is_descriptor => words.push(word),
                        None => {}
                    }
                    if self.words >= MAX_WORDS {
                        break;
                    }
                }
            }
        }
        words
    }

    /// A redirection and its target.
    fn redirection(&mut self) {
        let is_heredoc = self.rest().starts_with("<<") && !self.rest().starts_with("<<<");
        while self.rest().starts_with(['>', '<', '&', '-', '|']) {
            self.at += 1;
        }
        while self.rest().starts_with([' ', '\t']) {
            self.at += 1;
        }
        // `>(…)` and `<(…)` run what is in them.
        if self.rest().starts_with('(') || self.rest().starts_with(['\n', ';']) || self.rest().is_empty() {
            return;
        }
        let target = self.word();
        self.words += 1;
        if is_heredoc {
            self.heredocs.extend(target.literal());
        }
    }

    /// Skip the bodies of here-documents, which begin here.
    fn skip_heredocs(&mut self) {
        for end in std::mem::take(&mut self.heredocs) {
            while self.at < self.text.len() {
                let length = self.rest().find('\n').map_or(self.rest().len(), |at| at + 1);
                let is_end = self.rest()[..length].trim() == end;
                self.at += length;
                if is_end {
                    break;
                }
            }
        }
    }

    fn word(&mut self) -> ShellWord {
        let mut word = ShellWord::default();
        let start = self.at;
        while let Some(c) = self.rest().chars().next() {
            match c {
                '\'' => {
                    self.at += 1;
                    let end = self.rest().find('\'').unwrap_or(self.rest().len());
                    let text = self.rest()[..end].to_owned();
                    word.0.push(WordPart::Text(text));
                    self.at = (self.at + end + 1).min(self.text.len());
                }
                '"' => {
                    self.at += 1;
                    self.quoted(&mut word);
                }
                '$' | '`' => self.expansion(&mut word),
                '\\' => {
                    self.at += 1;
                    if let Some(c) = self.next().filter(|c| *c != '\n') {
                        word.push(c);
                    }
                }
                '(' if ShellReader::begins_array(&word) => {
                    self.array(&word);
                    break;
                }
                ';' | '&' | '|' | '(' | ')' | '>' | '<' => break,
                c if c.is_whitespace() => break,
                c => {
                    self.at += c.len_utf8();
                    word.push(c);
                }
            }
        }
        // A character that begins no word must not stop the reader.
        if self.at == start {
            self.next();
        }
        word
    }

    /// What stands behind `"`, past the one that closes it.
    fn quoted(&mut self, word: &mut ShellWord) {
        word.0.push(WordPart::Text(String::new()));
        while let Some(c) = self.rest().chars().next() {
            match c {
                '"' => {
                    self.at += 1;
                    return;
                }
                '$' | '`' => self.expansion(word),
                '\\' => {
                    self.at += 1;
                    match self.next() {
                        Some('\n') | None => {}
                        Some(c @ ('"' | '\\' | '$' | '`')) => word.push(c),
                        Some(c) => {
                            word.push('\\');
                            word.push(c);
                        }
                    }
                }
                c => {
                    self.at += c.len_utf8();
                    word.push(c);
                }
            }
        }
    }

    /// A variable or substitution.
    fn expansion(&mut self, word: &mut ShellWord) {
        if self.rest().starts_with('`') {
            self.at += 1;
            let end = self.rest().find('`').unwrap_or(self.rest().len());
            let inner = self.rest()[..end].to_owned();
            self.at = (self.at + end + 1).min(self.text.len());
            return self.substitution(word, inner);
        }
        self.at += 1;
        if self.rest().starts_with('(') {
            let end = closing(self.rest(), b'(', b')');
            let inner = self.rest()[1..end].to_owned();
            self.at = (self.at + end + 1).min(self.text.len());
            return self.substitution(word, inner);
        }
        if self.rest().starts_with('{') {
            let end = closing(self.rest(), b'{', b'}');
            let inner = self.rest()[1..end].to_owned();
            self.at = (self.at + end + 1).min(self.text.len());
            let length = name_length(&inner);
            let (name, operator) = inner.split_at(length);
            let default = operator.strip_prefix(":-").or_else(|| operator.strip_prefix('-'));
            // Other operators change the value, so that the name alone says nothing.
            let is_plain = operator.is_empty() || operator == "[0]" || default.is_some();
            let name = if is_plain { name } else { &inner };
            let (name, default) =
                (name.to_owned(), default.filter(|text| !text.contains(['$', '`'])).map(str::to_owned));
            return word.0.push(WordPart::Variable(name, default));
        }
        let length = match self.rest().as_bytes().first() {
            Some(b'0'..=b'9' | b'@' | b'*' | b'?' | b'$' | b'!' | b'#') => 1,
            _ => name_length(self.rest()),
        };
        if length == 0 {
            return word.push('$');
        }
        let name = self.rest()[..length].to_owned();
        self.at += length;
        word.0.push(WordPart::Variable(name, None));
    }

    fn substitution(&mut self, word: &mut ShellWord, inner: String) {
        // `$((…))` is arithmetic.
        if !inner.starts_with('(') {
            self.inner.push(inner.clone());
        }
        word.0.push(WordPart::Substitution(inner));
    }
}

fn name_length(text: &str) -> usize {
    text.bytes().take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b'_').count()
}

/// Where the bracket closes with which `text` begins; its end where it does not.
fn closing(text: &str, open: u8, close: u8) -> usize {
    let (mut depth, mut quote, mut escaped) = (0_usize, None, false);
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if quote != Some(b'\'') => escaped = true,
            b'\'' | b'"' if quote == Some(byte) => quote = None,
            // Inside `"` an apostrophe is text, and a substitution may hold quotes of its own.
            b'\'' | b'"' if quote.is_none() => quote = Some(byte),
            _ if quote == Some(b'\'') => {}
            byte if byte == open => depth += 1,
            byte if byte == close => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return at;
                }
            }
            _ => {}
        }
    }
    text.len().max(1)
}

#[cfg(test)]
mod tests;
