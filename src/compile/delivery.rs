//! How files get to agents: what `show --file` without an agent prints as a table and the explorer shows as a matrix.

use std::collections::BTreeMap;

use crate::agents::context::{Context, Layer, PartName};
use crate::world::AbsPath;

/// How a file gets to an agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Delivery {
    /// It is sent at start.
    Start,
    /// It is sent when the file is touched.
    Touch,
    /// A part of it is sent; the agent's size limit takes the rest.
    Cut,
}

impl Delivery {
    /// How the file of `layer` gets to the agent.
    pub(crate) fn of(layer: &Layer) -> Delivery {
        match (layer.part, layer.cut) {
            (_, Some(_)) => Delivery::Cut,
            (PartName::Touch, None) => Delivery::Touch,
            (_, None) => Delivery::Start,
        }
    }

    /// The word for it in tables and JSON.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Delivery::Start => "start",
            Delivery::Touch => "touch",
            Delivery::Cut => "cut",
        }
    }
}

/// The files of a context. A file that is sent twice counts as it is sent first.
pub(crate) fn deliveries(context: &Context) -> BTreeMap<&AbsPath, Delivery> {
    let mut found = BTreeMap::new();
    for layer in &context.layers {
        found.entry(&layer.path).or_insert(Delivery::of(layer));
    }
    found
}
