//! What the settings of bundlers map, by the quoted words of their text: an alias, and behind it the folder that it stands for.

/// Names of such settings, and their endings.
const STEMS: [&str; 9] = [
    "astro.config",
    "babel.config",
    "jest.config",
    "next.config",
    "nuxt.config",
    "svelte.config",
    "vite.config",
    "vitest.config",
    "webpack.config",
];
const ENDINGS: [&str; 4] = ["cjs", "js", "mjs", "ts"];

/// Lines behind an alias on which its folder stands.
const LINES: usize = 2;
/// Most quoted words of a file that are looked at, and longest one.
const MAX_WORDS: usize = 2_000;
const MAX_LENGTH: usize = 100;

/// The names of files that are looked at.
pub(super) fn names() -> impl Iterator<Item = String> {
    STEMS.iter().flat_map(|stem| ENDINGS.iter().map(move |ending| format!("{stem}.{ending}")))
}

/// Each alias of a text with what it may stand for, relative to the folder of the file.
pub(super) fn pairs(text: &str) -> Vec<(String, String)> {
    let words = quoted(text);
    let is_alias = |word: &str| word.starts_with(['@', '~', '#', '$']) && word.len() <= MAX_LENGTH;
    let mut pairs = Vec::new();
    for (at, (line, alias)) in words.iter().enumerate().filter(|(_, (_, word))| is_alias(word)) {
        let behind = words[at + 1..].iter().take_while(|(other, word)| *other <= line + LINES && !is_alias(word));
        let parts: Vec<&str> = behind.map(|(_, word)| *word).take(4).collect();
        let alias = alias.trim_end_matches("/*").trim_end_matches('/');
        let folders = parts.iter().map(|part| (*part).to_owned()).chain([parts.join("/")]);
        let folders = folders.map(|folder| folder.trim_end_matches("/*").to_owned());
        pairs.extend(folders.map(|folder| (alias.to_owned(), folder)));
    }
    pairs
}

/// The quoted words of a text, each with the number of its line.
fn quoted(text: &str) -> Vec<(usize, &str)> {
    let mut words = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let mut rest = line;
        while let Some(open) = rest.find(['"', '\'', '`']) {
            let mark = &rest[open..=open];
            let Some(len) = rest[open + 1..].find(mark) else { break };
            words.push((number, &rest[open + 1..open + 1 + len]));
            if words.len() >= MAX_WORDS {
                return words;
            }
            rest = &rest[open + len + 2..];
        }
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_stands_behind_its_alias() {
        let pair = |text: &str| pairs(text).into_iter().map(|(from, to)| format!("{from} {to}")).collect::<Vec<_>>();
        assert_eq!(pair("alias: { '@': '/src', '~': 'lib' }"), ["@ /src", "@ /src", "~ lib", "~ lib"]);
        assert_eq!(pair("{ find: '@ui/*',\n  replacement: './ui/*' }"), ["@ui ./ui", "@ui ./ui"]);
        assert_eq!(pair("'@far'\n\n\n\n'./x'"), ["@far "]);
        assert_eq!(pair("import x from '"), [""; 0]);
    }
}
