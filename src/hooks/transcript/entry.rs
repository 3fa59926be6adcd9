//! One line of a transcript: whose it is, and its blocks one after another, in the forms of several agents. Holds no more of a line
//! than one block: a line may hold millions. What has another form than an agent writes counts as missing.

#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;

use serde::de::value::MapAccessDeserializer;
use serde::de::{self, DeserializeSeed, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};

use crate::agents::Speaker;

/// An entry of the session itself: what a subagent does, and what sums up an earlier part, is another's.
#[derive(Debug)]
pub(super) struct TranscriptEntry<'l> {
    line: &'l [u8],
    head: EntryHead<'l>,
}

/// A piece of what an entry holds.
#[derive(Debug)]
pub(super) enum EntryBlock<'l> {
    /// Something that is said; never blank.
    Text(Cow<'l, str>),
    /// A call of the model's.
    Call(ToolCall<'l>),
    /// What came of the call with this id.
    Result { id: Cow<'l, str>, failed: bool },
}

/// A call of a tool, with what a call that runs a command has.
#[derive(Debug)]
pub(super) struct ToolCall<'l> {
    pub(super) id: Option<Cow<'l, str>>,
    pub(super) name: Cow<'l, str>,
    pub(super) input: CallInput<'l>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct CallInput<'l> {
    #[serde(borrow)]
    pub(super) skill: LenientWord<'l>,
    #[serde(borrow)]
    pub(super) command: LenientWord<'l>,
    #[serde(borrow)]
    pub(super) args: LenientWord<'l>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct EntryHead<'l> {
    #[serde(borrow, rename = "type")]
    kind: LenientWord<'l>,
    #[serde(borrow)]
    role: LenientWord<'l>,
    /// What is said, in most agents' transcripts.
    #[serde(borrow)]
    message: Option<Lenient<Message<'l>>>,
    /// The same by other agents' names.
    #[serde(borrow)]
    payload: Option<Lenient<Message<'l>>>,
    #[serde(borrow)]
    data: Option<Lenient<Message<'l>>>,
    is_sidechain: LenientWord<'l>,
    is_compact_summary: LenientWord<'l>,
    is_meta: LenientWord<'l>,
    is_api_error_message: LenientWord<'l>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Message<'l> {
    #[serde(borrow)]
    role: LenientWord<'l>,
    #[serde(borrow, rename = "type")]
    kind: LenientWord<'l>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct RawBlock<'l> {
    #[serde(borrow, rename = "type")]
    kind: LenientWord<'l>,
    #[serde(borrow)]
    text: LenientWord<'l>,
    #[serde(borrow)]
    name: LenientWord<'l>,
    #[serde(borrow)]
    id: LenientWord<'l>,
    #[serde(borrow)]
    input: Lenient<CallInput<'l>>,
    #[serde(borrow)]
    tool_use_id: LenientWord<'l>,
    is_error: LenientWord<'l>,
    /// Of a piece without a type: whether the model only thought it.
    thought: LenientWord<'l>,
}

impl<'l> TranscriptEntry<'l> {
    /// Read a line; `None` if it is no JSON object or not of the session itself.
    pub(super) fn parse(line: &'l [u8]) -> Option<TranscriptEntry<'l>> {
        // serde would read a list as the fields in their order.
        line.trim_ascii_start().starts_with(b"{").then_some(())?;
        let head: EntryHead<'l> = serde_json::from_slice(line).ok()?;
        (!head.is_sidechain.is_true() && !head.is_compact_summary.is_true()).then_some(TranscriptEntry { line, head })
    }

    /// Whether `speaker` says it. The entry's type, where it has one, and the message's role agree; older transcripts have
    /// the message in the entry itself, and some agents wrap messages in entries of a common type.
    pub(super) fn is_of(&self, speaker: &Speaker) -> bool {
        let message = self.message().map(|(_, message)| message);
        let role = message.map_or(&self.head.role, |message| &message.role).text();
        let is_wrapped = message.is_some_and(|message| message.kind.text() == Some("message"));
        let kind = self.head.kind.text().filter(|_| !is_wrapped);
        (kind.is_some() || role.is_some())
            && [kind, role].into_iter().flatten().all(|word| speaker.words.contains(&word))
    }

    /// What is said, and the field that it stands in; none if that is the entry itself.
    fn message(&self) -> Option<(&'static str, &Message<'l>)> {
        let EntryHead { message, payload, data, .. } = &self.head;
        let fields = [("message", message), ("payload", payload), ("data", data)];
        fields.into_iter().find_map(|(name, message)| Some((name, &message.as_ref()?.0)))
    }

    /// Whether the agent wrote it in the user's name.
    pub(super) fn is_meta(&self) -> bool {
        self.head.is_meta.is_true()
    }

    /// Whether it tells of an error of the service.
    pub(super) fn is_api_error(&self) -> bool {
        self.head.is_api_error_message.is_true()
    }

    /// Show `look` each block, in order.
    pub(super) fn each_block(&self, mut look: impl FnMut(EntryBlock<'l>)) {
        const CONTENT: &[&str] = &["content", "parts"];
        let field = self.message().map(|(field, _)| [field]);
        let path: Vec<&[&str]> = field.iter().map(|field| &field[..]).chain([CONTENT]).collect();
        let mut json = serde_json::Deserializer::from_slice(self.line);
        // The line was read once already, so that this can fail in a content only, whose earlier blocks still count.
        let _ = json.deserialize_map(BlockVisitor { path: &path, look: &mut look, line: PhantomData });
    }

    /// Show `look` each text, in order.
    pub(super) fn each_text(&self, mut look: impl FnMut(&str)) {
        self.each_block(|block| {
            if let EntryBlock::Text(text) = block {
                look(&text);
            }
        });
    }
}

impl<'l> EntryBlock<'l> {
    fn of(raw: RawBlock<'l>) -> Option<EntryBlock<'l>> {
        match raw.kind.text() {
            None if raw.thought.is_true() => None,
            None | Some("text" | "input_text" | "output_text") => raw.text.into_text().and_then(EntryBlock::text),
            Some("tool_use") => {
                let id = raw.id.into_text();
                Some(EntryBlock::Call(ToolCall { id, name: raw.name.into_text()?, input: raw.input.0 }))
            }
            _ => Some(EntryBlock::Result { id: raw.tool_use_id.into_text()?, failed: raw.is_error.is_true() }),
        }
    }

    fn text(text: Cow<'l, str>) -> Option<EntryBlock<'l>> {
        (!text.trim().is_empty()).then_some(EntryBlock::Text(text))
    }
}

/// A word or a switch; values of other types count as none.
#[derive(Debug, Default)]
pub(super) enum LenientWord<'l> {
    #[default]
    Nothing,
    True,
    Text(Cow<'l, str>),
}

impl<'l> LenientWord<'l> {
    fn is_true(&self) -> bool {
        matches!(self, LenientWord::True)
    }

    pub(super) fn text(&self) -> Option<&str> {
        match self {
            LenientWord::Text(text) => Some(text),
            _ => None,
        }
    }

    fn into_text(self) -> Option<Cow<'l, str>> {
        match self {
            LenientWord::Text(text) => Some(text),
            _ => None,
        }
    }
}

/// An object of a known form; anything else is one without fields.
#[derive(Debug, Default)]
struct Lenient<T>(T);

/// Visitor methods that ignore values of unwanted types.
macro_rules! pass_over {
    ($value:expr; $($method:ident($type:ty)),*) => {
        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("any value")
        }

        fn visit_unit<E: de::Error>(self) -> Result<Self::Value, E> {
            Ok($value)
        }

        $(fn $method<E: de::Error>(self, _: $type) -> Result<Self::Value, E> {
            Ok($value)
        })*
    };
}

fn drain_list<'l, A: SeqAccess<'l>>(mut list: A) -> Result<(), A::Error> {
    while list.next_element::<IgnoredAny>()?.is_some() {}
    Ok(())
}

fn drain_map<'l, A: MapAccess<'l>>(mut map: A) -> Result<(), A::Error> {
    while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
    Ok(())
}

impl<'de: 'l, 'l> Deserialize<'de> for LenientWord<'l> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct WordVisitor;

        impl<'l> Visitor<'l> for WordVisitor {
            type Value = LenientWord<'l>;

            pass_over!(LenientWord::Nothing; visit_i64(i64), visit_u64(u64), visit_f64(f64));

            fn visit_bool<E: de::Error>(self, value: bool) -> Result<LenientWord<'l>, E> {
                Ok(if value { LenientWord::True } else { LenientWord::Nothing })
            }

            fn visit_borrowed_str<E: de::Error>(self, text: &'l str) -> Result<LenientWord<'l>, E> {
                Ok(LenientWord::Text(Cow::Borrowed(text)))
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<LenientWord<'l>, E> {
                Ok(LenientWord::Text(Cow::Owned(text.to_owned())))
            }

            fn visit_seq<A: SeqAccess<'l>>(self, list: A) -> Result<LenientWord<'l>, A::Error> {
                drain_list(list).map(|()| LenientWord::Nothing)
            }

            fn visit_map<A: MapAccess<'l>>(self, map: A) -> Result<LenientWord<'l>, A::Error> {
                drain_map(map).map(|()| LenientWord::Nothing)
            }
        }

        from.deserialize_any(WordVisitor)
    }
}

impl<'de, T: Deserialize<'de> + Default> Deserialize<'de> for Lenient<T> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct LenientVisitor<T>(PhantomData<T>);

        impl<'de, T: Deserialize<'de> + Default> Visitor<'de> for LenientVisitor<T> {
            type Value = Lenient<T>;

            pass_over!(Lenient::default(); visit_bool(bool), visit_i64(i64), visit_u64(u64), visit_f64(f64), visit_str(&str));

            fn visit_seq<A: SeqAccess<'de>>(self, list: A) -> Result<Lenient<T>, A::Error> {
                drain_list(list).map(|()| Lenient::default())
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Lenient<T>, A::Error> {
                T::deserialize(MapAccessDeserializer::new(map)).map(Lenient)
            }
        }

        from.deserialize_any(LenientVisitor(PhantomData))
    }
}

/// Goes down `path` and shows the blocks that stand there.
struct BlockVisitor<'p, 'f, 'l, F> {
    /// The fields to go down, each by any of its names.
    path: &'p [&'p [&'p str]],
    look: &'f mut F,
    line: PhantomData<&'l ()>,
}

impl<'l, F: FnMut(EntryBlock<'l>)> DeserializeSeed<'l> for BlockVisitor<'_, '_, 'l, F> {
    type Value = ();

    fn deserialize<D: Deserializer<'l>>(self, from: D) -> Result<(), D::Error> {
        from.deserialize_any(self)
    }
}

impl<'l, F: FnMut(EntryBlock<'l>)> Visitor<'l> for BlockVisitor<'_, '_, 'l, F> {
    type Value = ();

    pass_over!((); visit_bool(bool), visit_i64(i64), visit_u64(u64), visit_f64(f64));

    fn visit_borrowed_str<E: de::Error>(self, text: &'l str) -> Result<(), E> {
        if self.path.is_empty() {
            EntryBlock::text(Cow::Borrowed(text)).map(self.look);
        }
        Ok(())
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<(), E> {
        if self.path.is_empty() {
            EntryBlock::text(Cow::Owned(text.to_owned())).map(self.look);
        }
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'l>>(self, mut list: A) -> Result<(), A::Error> {
        if !self.path.is_empty() {
            return drain_list(list);
        }
        while let Some(Lenient(raw)) = list.next_element::<Lenient<RawBlock<'l>>>()? {
            EntryBlock::of(raw).map(&mut *self.look);
        }
        Ok(())
    }

    fn visit_map<A: MapAccess<'l>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some(key) = map.next_key::<LenientWord<'l>>()? {
            match self.path.split_first() {
                Some((names, path)) if key.text().is_some_and(|key| names.contains(&key)) => {
                    map.next_value_seed(BlockVisitor { path, look: &mut *self.look, line: PhantomData })?;
                }
                _ => {
                    map.next_value::<IgnoredAny>()?;
                }
            }
        }
        Ok(())
    }
}
