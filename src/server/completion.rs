//! What may stand at a place: paths after `@`, in links and in patterns, headings after `#`, frontmatter's fields and their values,
//! names of rules in comments that silence them.

use gen_lsp_types::{CompletionItem, CompletionItemKind, CompletionList, TextEdit};

use super::view::View;
use crate::base::fields::{FieldSpec, Limit, Shape};
use crate::base::path::{self, RepoPath};
use crate::base::text::Span;
use crate::config::ALL_RULES;
use crate::parse::Document;
use crate::rules::{self, Group, RULES, frontmatter};
use crate::source::EntryKind;
use crate::workspace::mentions::heading_anchors;

/// Offers of one answer, at most.
const MAX_OFFERS: usize = 500;

/// One offer: what it is, what it says of itself.
struct Offer {
    label: String,
    kind: CompletionItemKind,
    detail: Option<String>,
}

impl Offer {
    fn new(label: impl Into<String>, kind: CompletionItemKind) -> Offer {
        Offer { label: label.into(), kind, detail: None }
    }
}

/// What may stand at `offset`.
pub(super) fn completion(view: &View<'_>, document: &Document, offset: usize) -> CompletionList {
    let before = line_before(document, offset);
    let found = in_comment(before)
        .or_else(|| in_yaml(view, document, offset, before))
        .or_else(|| in_link(view, document, before))
        .or_else(|| after_at(view, document, before));
    let (partial, mut offers) = found.unwrap_or_default();
    offers.retain(|offer| starts_alike(&offer.label, partial));
    let is_incomplete = offers.len() > MAX_OFFERS;
    offers.truncate(MAX_OFFERS);
    let range = view.lined(&document.text).range(Span::new(offset - partial.len(), offset));
    let item = |offer: Offer| CompletionItem {
        text_edit: Some(TextEdit { range, new_text: offer.label.clone() }.into()),
        label: offer.label,
        kind: Some(offer.kind),
        detail: offer.detail,
        ..CompletionItem::default()
    };
    CompletionList { is_incomplete, items: offers.into_iter().map(item).collect(), ..CompletionList::default() }
}

fn starts_alike(label: &str, partial: &str) -> bool {
    let mut label = label.chars().flat_map(char::to_lowercase);
    partial.chars().flat_map(char::to_lowercase).all(|c| label.next() == Some(c))
}

/// The possible completions at a place, and the part already typed.
type OffersFor<'t> = (&'t str, Vec<Offer>);

/// Rules and groups behind `hintlint-ignore`, before the colon.
fn in_comment(before: &str) -> Option<OffersFor<'_>> {
    let at = before.rfind("hintlint-ignore")?;
    let rest =
        before[at..].strip_prefix("hintlint-ignore-file").or_else(|| before[at..].strip_prefix("hintlint-ignore"))?;
    if rest.contains(':') || !rest.starts_with([' ', '\t']) {
        return None;
    }
    let partial = rest.rsplit([' ', '\t', ',']).next().unwrap_or("");
    let rule = |rule: &&dyn rules::Rule| Offer {
        detail: Some(rule.info().summary.to_owned()),
        ..Offer::new(rule.info().name, CompletionItemKind::EnumMember)
    };
    let groups = Group::ALL.iter().map(|group| group.name()).filter(|name| *name != ALL_RULES);
    let groups = groups.map(|name| Offer {
        detail: Some("a group of rules".to_owned()),
        ..Offer::new(name, CompletionItemKind::Enum)
    });
    Some((partial, RULES.iter().map(rule).chain(groups).collect()))
}

/// Fields, values and paths in frontmatter.
fn in_yaml<'t>(view: &View<'_>, document: &Document, offset: usize, before: &'t str) -> Option<OffersFor<'t>> {
    if !is_in_yaml(document, offset) {
        return None;
    }
    let schema = frontmatter::schema_of(document.kind)?;
    let trimmed = before.trim_start();
    let key = match trimmed.split_once(':') {
        Some((key, _)) if trimmed.len() == before.len() => Some(key.trim()),
        _ if trimmed.starts_with('-') || trimmed.len() < before.len() => key_above(document, offset),
        _ => None,
    };
    let Some(key) = key else {
        let present = |name: &str| document.frontmatter.as_ref().is_some_and(|yaml| yaml.get(name).is_some());
        let fields = schema.fields.iter().filter(|field| !present(field.name) || field.name == trimmed);
        let offer = |field: &FieldSpec| Offer {
            detail: Some(field.shape.describe().replace('`', "")),
            ..Offer::new(format!("{}: ", field.name), CompletionItemKind::Property)
        };
        return Some((trimmed, fields.map(offer).collect()));
    };
    let partial = before.rsplit([' ', '\t', ',', '"', '\'', '[', ':']).next().unwrap_or("");
    if document.kind.patterns().contains(&key) {
        return Some(path_offers(view, &crate::parse::patterns::bases(document), partial));
    }
    let field = schema.fields.iter().find(|field| field.name == key)?;
    let values: Vec<&str> = match (field.limit, field.shape) {
        (Limit::OneOf(words) | Limit::LooksLike(words), _) => words.to_vec(),
        (_, Shape::Bool) => vec!["true", "false"],
        _ => Vec::new(),
    };
    Some((partial, values.into_iter().map(|value| Offer::new(value, CompletionItemKind::Value)).collect()))
}

/// Whether `offset` stands between the fences of frontmatter, or in a file that is nothing else; also where it cannot be read.
fn is_in_yaml(document: &Document, offset: usize) -> bool {
    use crate::base::kind::FrontmatterStyle;
    match document.kind.frontmatter() {
        FrontmatterStyle::None => false,
        FrontmatterStyle::WholeFile => true,
        FrontmatterStyle::Yaml | FrontmatterStyle::Mdc => {
            let text = document.text.trim_start_matches('\u{feff}');
            let from = document.text.len() - text.len();
            let Some(rest) = text.strip_prefix("---\n").or_else(|| text.strip_prefix("---\r\n")) else { return false };
            let start = document.text.len() - rest.len();
            let mut at = start;
            for line in rest.split_inclusive('\n') {
                if line.trim_end() == "---" {
                    break;
                }
                at += line.len();
            }
            offset > from && (start..=at).contains(&offset)
        }
    }
}

/// The field whose value the line at `offset` goes on with.
fn key_above(document: &Document, offset: usize) -> Option<&str> {
    let above = document.text[..offset].rsplit('\n').skip(1).map(|line| line.trim_end_matches('\r'));
    let key_line = above.take(1000).find(|line| line.starts_with(|c: char| c.is_alphanumeric() || c == '"'))?;
    key_line.split_once(':').map(|(key, _)| key.trim().trim_matches('"'))
}

/// Paths and headings in the destination of a link.
fn in_link<'t>(view: &View<'_>, document: &Document, before: &'t str) -> Option<OffersFor<'t>> {
    let open = before.rfind("](")?;
    let written = before[open + 2..].trim_start_matches('<');
    if written.contains([')', '>']) {
        return None;
    }
    let plain = written.strip_prefix("mdc:").unwrap_or(written);
    let Some((_, partial)) = plain.split_once('#') else {
        return Some(match plain.strip_prefix('/') {
            Some(rest) => path_offers(view, &[b""], rest),
            None => path_offers(view, &[document.path.parent()], plain),
        });
    };
    let anchors = heading_anchors(&view.document(&page_before(document, before)?)?.markdown);
    let offers = anchors.into_iter().map(|(_, slug)| Offer::new(slug, CompletionItemKind::Reference));
    Some((partial, offers.collect()))
}

/// The file whose headings may stand behind the `#` of an unfinished link.
fn page_before(document: &Document, before: &str) -> Option<RepoPath> {
    let written = before[before.rfind("](")? + 2..].trim_start_matches('<');
    let plain = written.strip_prefix("mdc:").unwrap_or(written);
    let (file, _) = plain.split_once('#').filter(|_| !written.contains([')', '>']))?;
    match (file.is_empty(), file.strip_prefix('/')) {
        (true, _) => Some(document.path.clone()),
        (false, Some(from_root)) => path::resolve(b"", from_root.as_bytes()).map(RepoPath::new),
        (false, None) => path::resolve(document.path.parent(), file.as_bytes()).map(RepoPath::new),
    }
}

/// The file whose text has to be read before it can be told what may stand at `offset`.
pub(super) fn unread_page(view: &View<'_>, document: &Document, offset: usize) -> Option<RepoPath> {
    page_before(document, line_before(document, offset)).filter(|path| view.is_unread(path))
}

fn line_before(document: &Document, offset: usize) -> &str {
    let line = document.lines.line_span(document.lines.line_of(offset));
    document.text.get(line.start.min(offset)..offset).unwrap_or("")
}

/// Paths behind an `@` that begins a word.
fn after_at<'t>(view: &View<'_>, document: &Document, before: &'t str) -> Option<OffersFor<'t>> {
    let word = before.rsplit(char::is_whitespace).next().unwrap_or(before);
    let at = word.rfind('@')?;
    let begins = !word[..at].ends_with(|c: char| c.is_alphanumeric());
    begins.then(|| path_offers(view, &[document.path.parent()], &word[at + 1..]))
}

/// The files and folders that `written` may become, from each of `bases`.
fn path_offers<'t>(view: &View<'_>, bases: &[&[u8]], written: &'t str) -> OffersFor<'t> {
    let (folder, partial) = written.rsplit_once('/').map_or(("", written), |(folder, partial)| (folder, partial));
    let listing = &view.workspace().listing;
    let mut offers: Vec<Offer> = Vec::new();
    for base in bases {
        let Some(dir) = path::resolve(base, folder.as_bytes()) else { continue };
        for (name, kind) in listing.children(&dir) {
            let Ok(name) = std::str::from_utf8(name) else { continue };
            if name.chars().any(crate::base::sanitize::is_hidden) || name == ".git" {
                continue;
            }
            let offer = match kind {
                None => Offer::new(format!("{name}/"), CompletionItemKind::Folder),
                Some(EntryKind::File | EntryKind::Symlink) => Offer::new(name, CompletionItemKind::File),
                Some(EntryKind::Submodule | EntryKind::Special) => continue,
            };
            if !offers.iter().any(|other| other.label == offer.label) {
                offers.push(offer);
            }
        }
    }
    (partial, offers)
}
