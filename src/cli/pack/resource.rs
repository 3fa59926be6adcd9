//! Printing a resource of the active package, or writing it to a file.

use std::io::Read as _;
use std::path::Path;

use serde_json::json;

use super::Desk;
use crate::base::error::Error;
use crate::base::path::os_path_to_bytes;
use crate::cli::Console;
use crate::cli::args::{ListFormat, PackResourceArgs};
use crate::cli::output::{Output, OutputForm};
use crate::pack::resource::{MAX_PRINTED, ResourceRefusal, decode};

impl Desk {
    pub(super) fn resource(&self, args: &PackResourceArgs, console: &mut Console<'_>) -> Result<u8, Error> {
        let path = os_path_to_bytes(Path::new(&args.path));
        let Some(output) = &args.output else {
            return self.print_resource(&path, args.encoding.as_deref(), args.common.form.format, console);
        };
        let (mut file, _) = self.open_resource(&path)?;
        let place = Output::new(Some(output), console)?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).map_err(|_| refused(ResourceRefusal::Unreadable))?;
        place.write(Some(&self.top), console, OutputForm::Raw, &bytes)?;
        Ok(0)
    }

    pub(super) fn print_resource(
        &self,
        path: &[u8],
        encoding: Option<&str>,
        format: ListFormat,
        console: &mut Console<'_>,
    ) -> Result<u8, Error> {
        let text = self.resource_text(path, encoding)?;
        match format {
            ListFormat::Text => self.print(&text, console),
            ListFormat::Json => {
                let why = "it is no UTF-8 text; `--output FILE` takes it as it is";
                let content = String::from_utf8(text).map_err(|_| refused(ResourceRefusal::Encoding(why)))?;
                self.json(&json!({"version": 1, "content": content}), console)
            }
        }
    }

    fn open_resource(&self, path: &[u8]) -> Result<(std::fs::File, u64), Error> {
        let active = self.active()?.ok_or_else(|| refused(ResourceRefusal::NoPackage))?;
        self.package(&active.package)?.resource(path).map_err(refused)
    }

    /// The bytes of a resource that is small enough to be printed: as they are, or as UTF-8 if they stand for text of another
    /// encoding.
    fn resource_text(&self, path: &[u8], encoding: Option<&str>) -> Result<Vec<u8>, Error> {
        let (file, size) = self.open_resource(path)?;
        let mut bytes = Vec::new();
        file.take(MAX_PRINTED + 1).read_to_end(&mut bytes).map_err(|_| refused(ResourceRefusal::Unreadable))?;
        if size > MAX_PRINTED || bytes.len() as u64 > MAX_PRINTED {
            return Err(refused(ResourceRefusal::TooLarge));
        }
        match encoding {
            None => Ok(bytes),
            Some(encoding) => decode(&bytes, encoding).map_err(refused),
        }
    }
}

fn refused(why: ResourceRefusal) -> Error {
    Error::Failed { message: why.to_string(), help: None }
}
