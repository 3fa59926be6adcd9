//! Printing the metadata of all packages, alone or in a template.

use std::path::Path;

use serde_json::json;

use super::Desk;
use crate::base::error::{Error, Obstacle};
use crate::cli::args::{ListFormat, PackMetadataArgs};
use crate::cli::{Console, config_file};
use crate::pack::Platform;
use crate::report::safe_json;

/// What stands for the list of packages in a template.
const PLACEHOLDER: &str = "{hint_metadata}";

impl Desk {
    pub(super) fn metadata(&self, args: &PackMetadataArgs, console: &mut Console<'_>) -> Result<u8, Error> {
        let mut list = Vec::new();
        for name in self.packages.names() {
            match self.package(&name)?.metadata() {
                Ok(metadata) if metadata.is_disabled(Platform::current()) => {}
                Ok(metadata) => list.push(metadata.json()),
                Err(why) => console.note(&format!("left out: {why}")),
            }
        }
        let mut json = Vec::new();
        safe_json::write(&list, &mut json)?;
        let json = String::from_utf8_lossy(&json);
        let json = if args.braces { json.replace('{', "{{").replace('}', "}}") } else { json.into_owned() };
        let text = match &args.template {
            None => json,
            Some(template) => self.template(template, console)?.replace(PLACEHOLDER, json.trim_end()),
        };
        match args.common.form.format {
            ListFormat::Json if args.template.is_some() => self.json(&json!({"version": 1, "text": text}), console),
            _ => self.print(text.as_bytes(), console),
        }
    }

    fn template(&self, file: &Path, console: &Console<'_>) -> Result<String, Error> {
        let shown = file.display();
        let cannot =
            |why: Obstacle| Error::failed(format!("cannot read the template {shown}: {why}"), "name a text file");
        let bytes = config_file::contents(&console.directory.join(file)).map_err(cannot)?;
        let text = String::from_utf8(bytes).map_err(|_| cannot("it is no UTF-8 text".into()))?;
        match text.contains(PLACEHOLDER) {
            true => Ok(text),
            false => {
                let message = format!("the template {shown} has no {PLACEHOLDER}");
                Err(Error::failed(message, format!("write {PLACEHOLDER} where the list of packages belongs")))
            }
        }
    }
}
