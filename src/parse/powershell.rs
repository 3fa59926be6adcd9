//! The functions that a PowerShell module offers, and the names of functions in text. Comments and strings are stepped over; what
//! a module computes counts as offering everything. Nothing is executed.

mod names;

use std::collections::BTreeSet;

use crate::base::path;
pub(crate) use names::is_function_name;

/// Whether a file of this name is a module or script of PowerShell.
pub(crate) fn is_module(name: &[u8]) -> bool {
    path::extension(name).is_some_and(|end| end.eq_ignore_ascii_case(b"psm1") || end.eq_ignore_ascii_case(b"ps1"))
}

/// What importing some modules defines.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Functions {
    /// Lower case.
    names: BTreeSet<String>,
    /// Whether more may be defined than can be read.
    any: bool,
}

impl Functions {
    /// Whether `name` may be defined. PowerShell does not tell capitals apart.
    pub(crate) fn may_have(&self, name: &str) -> bool {
        self.any || self.names.contains(&name.to_ascii_lowercase())
    }

    /// All names, in lower case.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.names.iter().map(String::as_str)
    }

    /// Add what another module defines.
    pub(crate) fn extend(&mut self, other: Functions) {
        self.names.extend(other.names);
        self.any |= other.any;
    }

    /// Somebody else's module, which may define anything.
    pub(crate) fn unknown() -> Functions {
        Functions { names: BTreeSet::new(), any: true }
    }
}

/// The functions that importing a module with this text defines.
pub(crate) fn functions(text: &str) -> Functions {
    let words = words(text);
    let mut defined = BTreeSet::new();
    let mut exported: Option<BTreeSet<String>> = None;
    let mut any = false;
    for (at, word) in words.iter().enumerate() {
        if !word.first {
            continue;
        }
        match word.text.to_ascii_lowercase().as_str() {
            "function" | "filter" => defined.extend(words.get(at + 1).and_then(|name| function_name(name.text))),
            "export-modulemember" => {
                let list = exported.get_or_insert_default();
                any |= !exports(&words[at + 1..], list);
            }
            // Dot sourcing, code from text, and modules of the module bring what is not read here.
            "." | "iex" | "invoke-expression" | "import-module" | "using" => any = true,
            _ => {}
        }
    }
    let names = match exported {
        Some(exported) => exported,
        None => defined,
    };
    Functions { names, any }
}

/// A function's name without the scope before it.
fn function_name(word: &str) -> Option<String> {
    let name = word.rsplit(':').next().unwrap_or(word);
    (!name.is_empty()).then(|| name.to_ascii_lowercase())
}

/// Take what an `Export-ModuleMember` names. Answers whether all of it is written out.
fn exports(words: &[PowershellWord<'_>], list: &mut BTreeSet<String>) -> bool {
    let mut counts = true;
    for word in words.iter().take_while(|word| !word.first) {
        let text = word.text;
        if text.starts_with('-') {
            let parameter = text.to_ascii_lowercase();
            counts = ["-f", "-a"].iter().any(|short| parameter.starts_with(short));
            continue;
        }
        if !counts {
            continue;
        }
        if text.contains(['$', '*', '?', '[', '(']) {
            return false;
        }
        list.extend(text.split(',').map(|name| name.trim().to_ascii_lowercase()).filter(|name| !name.is_empty()));
    }
    true
}

/// A word of the code: what stands between blanks, punctuation and quotes.
struct PowershellWord<'t> {
    text: &'t str,
    /// Whether a statement begins with it.
    first: bool,
}

/// All words outside comments and here-strings. A quoted string is a word without its quotes.
fn words(text: &str) -> Vec<PowershellWord<'_>> {
    let bytes = text.as_bytes();
    let mut words = Vec::new();
    let mut first = true;
    let mut at = 0;
    // A list goes on behind a comma, whatever line ends stand there.
    let mut after_comma = false;
    let mut parens = 0_usize;
    while at < bytes.len() {
        match bytes[at] {
            b'#' => at = end_of_line(bytes, at),
            b'<' if bytes[at..].starts_with(b"<#") => at = past(text, at + 2, "#>"),
            b'@' if matches!(bytes.get(at + 1), Some(b'\'' | b'"')) && is_line_end(bytes, at + 2) => {
                at = end_of_here_string(bytes, at + 1);
                first = false;
            }
            quote @ (b'\'' | b'"') => {
                let end = end_of_string(bytes, at, quote);
                let inside = text.get(at + 1..end.saturating_sub(1)).unwrap_or("");
                words.push(PowershellWord { text: inside, first: false });
                (first, after_comma, at) = (false, false, end);
            }
            b'`' if bytes[at..].starts_with(b"`\r\n") => at += 3,
            b'`' => at += 1 + text[at + 1..].chars().next().map_or(0, char::len_utf8),
            b'\n' | b'\r' => {
                first |= !after_comma && parens == 0;
                at += 1;
            }
            b'(' => (parens, first, at) = (parens + 1, true, at + 1),
            b')' => (parens, first, at) = (parens.saturating_sub(1), false, at + 1),
            b'{' | b'}' => (parens, first, at) = (0, true, at + 1),
            b';' | b'|' | b'&' | b'=' => (first, at) = (true, at + 1),
            b',' => (after_comma, at) = (true, at + 1),
            byte if byte.is_ascii_whitespace() || matches!(byte, b'@' | b'<') => at += 1,
            _ => {
                let end = bytes[at..].iter().position(|&byte| is_end(byte)).map_or(bytes.len(), |length| at + length);
                // `)` of a list in parentheses is no statement's end for the words of an export.
                words.push(PowershellWord { text: &text[at..end], first: first && !after_comma });
                (first, after_comma, at) = (false, false, end);
            }
        }
    }
    words
}

fn is_end(byte: u8) -> bool {
    byte.is_ascii_whitespace() || b"(){};,|&='\"`<".contains(&byte)
}

fn end_of_line(bytes: &[u8], at: usize) -> usize {
    memchr::memchr2(b'\n', b'\r', &bytes[at..]).map_or(bytes.len(), |length| at + length)
}

fn is_line_end(bytes: &[u8], at: usize) -> bool {
    let rest = &bytes[at.min(bytes.len())..];
    let blanks = rest.iter().take_while(|&&byte| byte == b' ' || byte == b'\t').count();
    matches!(rest.get(blanks), Some(b'\n' | b'\r'))
}

fn past(text: &str, at: usize, end: &str) -> usize {
    text.get(at..).and_then(|rest| rest.find(end)).map_or(text.len(), |length| at + length + end.len())
}

/// Behind the here-string whose quote stands at `at`: its end is the quote and an `@` at the beginning of a line.
fn end_of_here_string(bytes: &[u8], at: usize) -> usize {
    let end = [b'\n', bytes[at], b'@'];
    memchr::memmem::find(&bytes[at..], &end).map_or(bytes.len(), |length| at + length + end.len())
}

/// Behind the string whose quote stands at `at`. A doubled quote, and in a double-quoted string one behind a backtick, does not
/// end it.
fn end_of_string(bytes: &[u8], at: usize, quote: u8) -> usize {
    let mut here = at + 1;
    while here < bytes.len() {
        match bytes[here] {
            b'`' if quote == b'"' => here += 2,
            byte if byte == quote && bytes.get(here + 1) == Some(&quote) => here += 2,
            byte if byte == quote => return here + 1,
            _ => here += 1,
        }
    }
    bytes.len()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn names(text: &str) -> Vec<String> {
        functions(text).names().map(str::to_owned).collect()
    }

    #[test]
    fn functions_and_filters_are_found() {
        let text =
            "function Get-A { 'x' }\nFilter Set-B($x){ $x }\nfunction global:New-C\n{\n}\n$f = 1; function Add-D { }\n";
        assert_eq!(names(text), ["add-d", "get-a", "new-c", "set-b"]);
        assert_eq!(names("if ($x) {\n  function Get-A { }\n}\n"), ["get-a"]);
        assert!(!functions(text).may_have("Get-Z") && functions(text).may_have("GET-a"));
    }

    #[test]
    fn comments_and_strings_define_nothing() {
        for text in [
            "# function Get-A { }\n",
            "<# function Get-A { }\nfunction Get-B { } #>\n",
            "'function Get-A { }'\n",
            "\"x`\"; function Get-A { }\"\n",
            "'it''s; function Get-A { }'\n",
            "$x = @'\nfunction Get-A { }\n'; function Get-B { }\n'@\n",
            "$x = @\"\nfunction Get-A { }\n\"@\n",
            "Get-Help -Type function Get-A\n",
            "",
        ] {
            assert_eq!(functions(text), Functions::default(), "{text:?}");
        }
    }

    #[test]
    fn an_export_takes_the_place_of_what_is_defined() {
        let all = "function Get-A { }\nfunction Get-B { }\n";
        for (export, expected) in [
            ("Export-ModuleMember -Function Get-A", &["get-a"][..]),
            ("Export-ModuleMember Get-A, Get-B", &["get-a", "get-b"]),
            ("Export-ModuleMember -Function 'Get-A',\n  \"Get-B\"", &["get-a", "get-b"]),
            ("Export-ModuleMember -Function @(\n  'Get-A'\n  'Get-B'\n)", &["get-a", "get-b"]),
            ("Export-ModuleMember -Variable x -Function Get-A -Alias ga", &["ga", "get-a"]),
            ("Export-ModuleMember -Variable x", &[]),
            ("Export-ModuleMember -Function Get-A\nGet-B", &["get-a"]),
        ] {
            assert_eq!(names(&format!("{all}{export}\n")), expected, "{export}");
        }
        for export in
            ["Export-ModuleMember -Function *", "Export-ModuleMember -Function $names", "Export-ModuleMember Get-*"]
        {
            assert!(functions(&format!("{all}{export}\n")).may_have("Get-Z"), "{export}");
        }
    }

    #[test]
    fn what_cannot_be_read_may_define_anything() {
        for text in [". $PSScriptRoot/more.ps1\n", "Invoke-Expression $x\n", "Import-Module ./b.psm1\n"] {
            assert!(functions(text).may_have("Get-Z"), "{text}");
        }
        assert!(!functions("$x.y\nGet-A .\n").may_have("Get-Z"));
    }

    proptest! {
        #[test]
        fn any_text_is_read_to_its_end(text in "(?s).{0,200}") {
            functions(&text);
        }

        #[test]
        fn any_code_is_read_to_its_end(text in "([@'\"`\n#<>(){},;|= -]|function |Export-ModuleMember |a){0,60}") {
            functions(&text);
        }
    }
}
