//! `claudeMdExcludes`: globs of hint files that are left out.

use super::settings::ClaudeLayer;
use crate::agents::shared::loading::Loading;
use crate::agents::shared::picomatch::Picomatch;
use crate::agents::shared::roots::physical;
use crate::agents::shared::settings;
use crate::world::{AbsPath, FileType};

/// The globs of all settings. They are matched against the whole paths of files, as these are once links are followed.
pub(super) fn read(loading: &Loading<'_>, layers: &[ClaudeLayer]) -> Vec<Picomatch> {
    let globs = layers.iter().filter_map(|layer| settings::strings(&layer.value["claudeMdExcludes"])).flatten();
    let globs = globs.map(|glob| glob.replace('\\', "/")).filter(|glob| !glob.is_empty());
    globs.flat_map(|glob| [real(loading, &glob), Some(glob)]).flatten().map(|glob| Picomatch::new(&glob)).collect()
}

/// A glob that begins with a path through links, as it is without them. Where that path is itself a link, it stays one.
fn real(loading: &Loading<'_>, glob: &str) -> Option<String> {
    let spelled = glob[..glob.find(['*', '?', '{', '[']).unwrap_or(glob.len())].trim_end_matches('/');
    let path = AbsPath::new("/").join(spelled.strip_prefix('/').filter(|path| !path.is_empty())?);
    if loading.world.link_type(&path) == Some(FileType::Link) {
        return None;
    }
    let real = physical(loading.world, &AbsPath::new("/"), spelled).ok()?.to_str_lossy().into_owned();
    (real != spelled).then(|| format!("{real}{}", &glob[spelled.len()..]))
}
