//! `.flpipeline.json`, the settings of the program whose hint libraries are read here. Looks for it from a folder up to the
//! repository's root, and takes what it knows of it.

use serde_json::Value;

use crate::base::error::Error;
use crate::base::path::{self, RepoPath};
use crate::source::{EntryKind, Source, SourceReadError};
use crate::workspace::key_files::SETTINGS as FILE;
use crate::workspace::{self, Resolution};

/// What the file says.
#[derive(Clone)]
pub(crate) struct FlPipeline {
    /// Where it stands.
    pub path: RepoPath,
    /// `llmProvider.provider`
    pub provider: Option<String>,
    /// `llmProvider.model`
    pub model: Option<String>,
    /// `llmProvider.host`
    pub host: Option<String>,
    /// `llmProvider.apiKey`
    pub(super) api_key: Option<String>,
    /// Patterns of further hints, in gitignore syntax from the root.
    pub hint_paths: Vec<String>,
    /// `hintPaths` that lead out of the repository, as written.
    pub outside: Vec<String>,
}

/// The nearest file from the folder `subdirectory` up to the root.
///
/// # Errors
/// When it leads out of the repository, cannot be read, or is not what it should be.
pub(crate) fn find(source: &dyn Source, subdirectory: &[u8]) -> Result<Option<FlPipeline>, Error> {
    for folder in path::ancestors_from_root(subdirectory).into_iter().rev() {
        let path = RepoPath::new(path::join(folder, FILE.as_bytes()));
        if let Some(bytes) = read(source, &path)? {
            return parse(path, &bytes).map(Some);
        }
    }
    Ok(None)
}

/// The bytes of the file at `path`, if there is one. A link is followed inside the source.
pub(super) fn read(source: &dyn Source, path: &RepoPath) -> Result<Option<Vec<u8>>, Error> {
    let shown = path.to_str_lossy();
    let listing = source.listing();
    let target = match listing.kind(path.as_bytes()) {
        Some(EntryKind::Symlink) => {
            let links = workspace::read_links(source, listing);
            match workspace::resolve(listing, &links, path.as_bytes()) {
                Resolution::File(target) => target,
                _ => {
                    let message = format!("{shown} is a link to no file of this repository");
                    return Err(Error::failed(message, "put the file itself there, or delete the link"));
                }
            }
        }
        _ => path.clone(),
    };
    match source.read(&target) {
        Ok(bytes) => Ok(Some(bytes.to_vec())),
        Err(SourceReadError::Missing | SourceReadError::Directory) => Ok(None),
        Err(why) => Err(Error::failed(format!("cannot read {shown}: {why}"), "make it a readable file, or delete it")),
    }
}

fn parse(path: RepoPath, bytes: &[u8]) -> Result<FlPipeline, Error> {
    let shown = path.to_str_lossy().into_owned();
    let wrong = |what: &str| Error::failed(format!("{shown}: {what}"), "correct it, or delete it to do without");
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let json: Value = serde_json::from_slice(bytes).map_err(|error| wrong(&format!("this is not JSON: {error}")))?;
    if !json.is_object() {
        return Err(wrong("this is no JSON object"));
    }
    let provider = &json["llmProvider"];
    if !(provider.is_null() || provider.is_object()) {
        return Err(wrong("`llmProvider` must be an object"));
    }
    let text = |name: &str| match &provider[name] {
        Value::Null => Ok(None),
        Value::String(text) => Ok(Some(text.trim().to_owned()).filter(|text| !text.is_empty())),
        _ => Err(wrong(&format!("`llmProvider.{name}` must be a string"))),
    };
    let mut found = FlPipeline {
        provider: text("provider")?,
        model: text("model")?,
        host: text("host")?,
        api_key: text("apiKey")?,
        hint_paths: Vec::new(),
        outside: Vec::new(),
        path,
    };
    let hint_paths = match &json["hintPaths"] {
        Value::Null => Vec::new(),
        Value::Array(paths) if paths.iter().all(Value::is_string) => paths.iter().filter_map(Value::as_str).collect(),
        _ => return Err(wrong("`hintPaths` must be a list of strings")),
    };
    for written in hint_paths {
        match pattern(found.path.parent(), written) {
            Some(pattern) => found.hint_paths.push(pattern),
            None => found.outside.push(written.to_owned()),
        }
    }
    Ok(found)
}

/// A path of `hintPaths`, which counts from `folder`, as a pattern from the root. `None` if it leads out.
fn pattern(folder: &[u8], written: &str) -> Option<String> {
    if written.starts_with(['/', '~']) || written.contains(['\\', '\0']) || written.get(1..2) == Some(":") {
        return None;
    }
    let path = String::from_utf8(path::resolve(folder, written.as_bytes())?).ok()?;
    Some(match path.as_str() {
        "" => "/**/*.md".to_owned(),
        path if path.ends_with(".md") => format!("/{path}"),
        path => format!("/{path}/**/*.md"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Memory;

    fn found(files: &[(&str, &str)], from: &str) -> Option<FlPipeline> {
        find(&Memory::of_files(files.iter().copied()), from.as_bytes()).expect("it can be read")
    }

    #[test]
    fn l07_the_nearest_file_up_to_the_root_counts() {
        let files = [
            (
                ".flpipeline.json",
                r#"{"llmProvider": {"$comment": "x", "provider": "claude", "other": 1}, "docsDbFilename": 5}"#,
            ),
            (
                "a/.flpipeline.json",
                "\u{feff}{\"llmProvider\": {\"provider\": \"ollama\", \"host\": \"h:1\", \"model\": \"m\"}}",
            ),
        ];
        let at = |from: &str| found(&files, from).unwrap();
        assert_eq!((at("").provider.as_deref(), at("b/c").provider.as_deref()), (Some("claude"), Some("claude")));
        let near = at("a/deep/er");
        assert_eq!((near.provider.as_deref(), near.host.as_deref()), (Some("ollama"), Some("h:1")));
        assert_eq!(near.path.as_bytes(), b"a/.flpipeline.json");
        assert!(found(&[("x/.flpipeline.json", "{}")], "").is_none());
    }

    #[test]
    fn hint_paths_stay_in_the_repository() {
        let text =
            r#"{"hintPaths": ["docs/guides", "./one.md", "../up", "~/hints", "/abs", "../../out", ".", "C:/x"]}"#;
        let found = found(&[("a/.flpipeline.json", text)], "a").unwrap();
        assert_eq!(found.hint_paths, ["/a/docs/guides/**/*.md", "/a/one.md", "/up/**/*.md", "/a/**/*.md"]);
        assert_eq!(found.outside, ["~/hints", "/abs", "../../out", "C:/x"]);
    }

    #[test]
    fn l08_what_is_no_settings_file_is_an_error() {
        for text in
            ["", "[]", "{", "{\"llmProvider\": 5}", "{\"llmProvider\": {\"model\": 5}}", "{\"hintPaths\": \"a\"}"]
        {
            assert!(find(&Memory::of_files([(FILE, text)]), b"").is_err(), "{text}");
        }
        assert!(find(&Memory::of_files([(FILE, "{\"llmProvider\": null, \"hintPaths\": null}")]), b"").is_ok());
    }
}
