//! What `hint.yaml` says of a package. Knows no file.

use serde_json::{Value as Json, json};

use super::package::Platform;
use crate::base::error::Obstacle;
use crate::base::kind::Kind;
use crate::parse::frontmatter::{self, FrontmatterNode, Value};
use crate::parse::{Problem, ProblemKind};

/// A package's metadata.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Metadata {
    /// What the package is called; its folder's name where the file gives none.
    pub(crate) name: String,
    /// What it is for.
    pub(crate) description: String,
    /// What a system prompt says of it.
    pub(crate) injection: String,
    disable: Disable,
}

/// Where a package is left out of the metadata.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Disable {
    Nowhere,
    On(Platform),
    Everywhere,
}

impl Metadata {
    /// Whether the package is left out on `platform`.
    pub(crate) fn is_disabled(&self, platform: Platform) -> bool {
        match self.disable {
            Disable::Nowhere => false,
            Disable::On(one) => one == platform,
            Disable::Everywhere => true,
        }
    }

    /// The three keys that callers get.
    pub(crate) fn json(&self) -> Json {
        json!({"name": self.name, "description": self.description, "system_prompt_injection": self.injection})
    }
}

/// Read the text of a `hint.yaml` of the package in the folder `folder`.
///
/// # Errors
/// When it is no mapping of YAML; one sentence that says why.
pub(super) fn read(text: &str, folder: &str) -> Result<Metadata, Obstacle> {
    let mut problems = Vec::new();
    let (found, _) = frontmatter::read(text, Kind::PackageYaml, &mut problems);
    if let Some(why) = problems.iter().find_map(invalid) {
        return Err(format!("it is no valid YAML: {why}").into());
    }
    let fields =
        found.filter(|yaml| yaml.valid && yaml.other.is_none()).ok_or("it is not a mapping of keys to values")?;
    let text = |key: &str| fields.get(key).map(|field| scalar(&field.value)).unwrap_or_default();
    let name = text("name");
    Ok(Metadata {
        name: if name.is_empty() { folder.to_owned() } else { name },
        description: text("description"),
        injection: text("system_prompt_injection"),
        disable: fields.get("disable").map_or(Disable::Nowhere, |field| disable(&field.value.value)),
    })
}

fn invalid(problem: &Problem) -> Option<&str> {
    match &problem.kind {
        ProblemKind::InvalidFrontmatter { message, .. } => Some(message),
        _ => None,
    }
}

/// A scalar as trimmed text; a list or a mapping has none.
fn scalar(node: &FrontmatterNode) -> String {
    match &node.value {
        Value::String(text) | Value::Number(text) => text.trim().to_owned(),
        Value::Bool(value) => value.to_string(),
        Value::Null | Value::List(_) | Value::Map(_) => String::new(),
    }
}

fn disable(value: &Value) -> Disable {
    match value {
        Value::Bool(true) => Disable::Everywhere,
        Value::Number(number) if number.parse::<f64>().is_ok_and(|number| number != 0.0) => Disable::Everywhere,
        Value::String(text) => match text.trim().to_ascii_lowercase().as_str() {
            "true" | "yes" | "y" | "on" | "1" => Disable::Everywhere,
            "windows" => Disable::On(Platform::Windows),
            "linux" => Disable::On(Platform::Linux),
            _ => Disable::Nowhere,
        },
        _ => Disable::Nowhere,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_keys_are_read_and_trimmed() {
        let text = "name: \"hello\"\ndescription: ' says it '\nsystem_prompt_injection: |\n  One.\n  Two.\nother: 1\n";
        let metadata = read(text, "folder").unwrap();
        assert_eq!(
            metadata.json().to_string(),
            r#"{"name":"hello","description":"says it","system_prompt_injection":"One.\nTwo."}"#
        );
        let bare = read("description: 3\n", "folder").unwrap();
        assert_eq!((bare.name.as_str(), bare.description.as_str()), ("folder", "3"));
    }

    #[test]
    fn what_is_no_mapping_is_refused_with_a_reason() {
        for text in ["- a\n", "a: [\n", "just words\n", "a: b: c\n"] {
            assert!(read(text, "x").is_err(), "{text:?}");
        }
        assert_eq!(read("", "x").unwrap().name, "x");
    }

    #[test]
    fn a_package_is_disabled_everywhere_or_on_one_platform() {
        for (value, windows, linux) in [
            ("true", true, true),
            ("\"yes\"", true, true),
            ("1", true, true),
            ("windows", true, false),
            ("Linux", false, true),
            ("false", false, false),
            ("0", false, false),
            ("maybe", false, false),
            ("[windows]", false, false),
        ] {
            let metadata = read(&format!("disable: {value}\n"), "x").unwrap();
            assert_eq!(
                (metadata.is_disabled(Platform::Windows), metadata.is_disabled(Platform::Linux)),
                (windows, linux),
                "{value}"
            );
        }
    }
}
