//! YAML as the reference reads it: the parser's events become values, of the first document only.

use std::collections::HashMap;
use std::sync::Arc;

use indexmap::IndexMap;
use marotte_pcore::value::{Hash, Value};
use marotte_pcore::yaml::{Blanks, Fault, Spaced, alias_name, quoted_length};
use marotte_text::{TextRange, TextSize};
use saphyr_parser::{Event, Marker, Parser, ScalarStyle, ScanError, Span, StrInput, Tag};

use super::scalar::{self, Scalar};
use super::tag::{self, Mapping, Sequence};
use super::{ALIASED_LIMIT, DEPTH_LIMIT, DataError, DataErrorKind, Document, Inner, Places, Repeated};

/// The key that merges other mappings into its own mapping.
const MERGE: &str = "<<";

/// The content that a document may have in addition to plain data.
#[derive(Clone, Copy, Debug, Default)]
pub struct Permitted<'a> {
    /// Whether keys may be symbols; they are read as strings (G6).
    pub symbols: bool,
    /// Objects of these classes are read as hashes of their variables.
    pub classes: &'a [&'a str],
}

impl Permitted<'_> {
    /// The permitted content of Hiera data files.
    pub const DATA: Permitted<'static> = Permitted { symbols: true, classes: &[] };
}

/// Reads the first document of a text.
///
/// # Errors
/// If it isn't valid YAML, or contains something other than data.
pub fn parse_yaml(text: &str, permitted: Permitted<'_>) -> Result<Document, DataError> {
    let mut blanks = Blanks::default();
    loop {
        let spaced = blanks.apply(text);
        let answer = Reader::new(text, &spaced, permitted).document();
        let fault = match &answer {
            Err(DataError { kind: DataErrorKind::Syntax(message), range }) => {
                Some((Fault::Syntax(message), range))
            }
            Err(DataError { kind: DataErrorKind::UnknownAlias(_), range }) => {
                Some((Fault::UnknownAlias, range))
            }
            _ => None,
        };
        let repaired = fault.is_some_and(|(fault, range)| blanks.repair(text, fault, range.start().into()));
        if !repaired {
            return answer;
        }
    }
}

/// Converts marks to byte offsets of the original text.
struct Offsets<'t> {
    spaced: &'t Spaced<'t>,
    start: usize,
    /// The offset of each character; `None` if all characters have one byte.
    bytes: Option<Vec<usize>>,
}

impl<'t> Offsets<'t> {
    fn new(spaced: &'t Spaced<'t>, start: usize) -> Offsets<'t> {
        let text = &spaced.text[start..];
        let bytes = || text.char_indices().map(|(index, _)| start + index).collect();
        Offsets { spaced, start, bytes: (!text.is_ascii()).then(bytes) }
    }

    fn size(&self, marker: Marker) -> TextSize {
        let end = self.spaced.text.len();
        let byte = match &self.bytes {
            Some(bytes) => bytes.get(marker.index()).copied().unwrap_or(end),
            None => (self.start + marker.index()).min(end),
        };
        TextSize::try_from(self.spaced.original(byte)).unwrap_or(TextSize::new(u32::MAX))
    }

    fn range(&self, span: Span) -> TextRange {
        let start = self.size(span.start);
        TextRange::new(start, self.size(span.end).max(start))
    }
}

/// A node that has been read.
#[derive(Clone)]
struct Node {
    scalar: Scalar,
    places: Places,
    /// The number of values that it contains, including itself.
    size: usize,
}

/// The syntactic form of a node, which determines whether `<<` merges it; an alias depends on the value that it refers to.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    Scalar,
    Sequence,
    Mapping,
    Alias,
}

struct Reader<'t, 'p> {
    text: &'t str,
    parser: Parser<'t, StrInput<'t>>,
    offsets: Offsets<'t>,
    permitted: Permitted<'p>,
    /// The values of anchors, by the parser's number. `None` while the value is being read.
    anchors: HashMap<usize, Option<Node>>,
    aliased: usize,
    repeated: Vec<Repeated>,
}

/// The entries of a hash, with their places.
type Entries = IndexMap<Value, (TextRange, Value, Places)>;

impl<'t, 'p> Reader<'t, 'p> {
    fn new(text: &'t str, spaced: &'t Spaced<'t>, permitted: Permitted<'p>) -> Reader<'t, 'p> {
        // Marks count characters, and don't count the byte order mark.
        let start = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
        Reader {
            text,
            parser: Parser::new_from_str(&spaced.text[start..]),
            offsets: Offsets::new(spaced, start),
            permitted,
            anchors: HashMap::new(),
            aliased: 0,
            repeated: Vec::new(),
        }
    }

    fn document(&mut self) -> Result<Document, DataError> {
        loop {
            let (event, span) = self.next()?;
            match event {
                Event::Nothing | Event::StreamStart | Event::DocumentStart(_) => {}
                Event::StreamEnd | Event::DocumentEnd => {
                    let places = Places::scalar(self.offsets.range(span));
                    return Ok(Document { value: Value::Undef, places, repeated: Box::default() });
                }
                event => {
                    let node = self.node(event, span, 0)?.0;
                    // The text after the root must be read up to the end of the document.
                    self.next()?;
                    let (value, places) = self.value(node)?;
                    let repeated = std::mem::take(&mut self.repeated).into();
                    return Ok(Document { value, places, repeated });
                }
            }
        }
    }

    fn next(&mut self) -> Result<(Event<'t>, Span), DataError> {
        match self.parser.next_event() {
            Some(Ok(event)) => Ok(event),
            Some(Err(error)) => Err(self.syntax(&error)),
            None => Ok((Event::StreamEnd, Span::default())),
        }
    }

    fn syntax(&self, error: &ScanError) -> DataError {
        let at = self.offsets.size(*error.marker());
        // The parser knows the names of anchors but doesn't include them in this error.
        if error.info().ends_with("unknown anchor") {
            let rest = self.text.get(usize::from(at)..).unwrap_or_default();
            if let Some(name) = alias_name(rest) {
                let length = TextSize::of('*') + TextSize::of(name);
                let kind = match rest[usize::from(length)..].chars().next() {
                    Some(it) if !it.is_whitespace() && !"?:,]}%@`".contains(it) => {
                        DataErrorKind::Syntax(format!("`{it}` is not allowed in the name of an alias"))
                    }
                    _ => DataErrorKind::UnknownAlias(name.to_owned()),
                };
                return DataError { kind, range: TextRange::at(at, length) };
            }
        }
        DataError { kind: DataErrorKind::Syntax(error.info().to_owned()), range: TextRange::empty(at) }
    }

    /// Whether a block text ends at the end of a document that has no final line break. Such a text has none, either.
    fn ends_unbroken(&self, style: ScalarStyle, range: TextRange) -> bool {
        matches!(style, ScalarStyle::Literal | ScalarStyle::Folded)
            && !self.text.ends_with(['\n', '\r'])
            && usize::from(range.end()) >= self.text.len()
    }

    /// A quoted text ends with its quote, but the parser includes a comment after it. An anchor or a tag may precede
    /// the quote.
    fn without_comment(&self, style: ScalarStyle, range: TextRange) -> TextRange {
        let quote = match style {
            ScalarStyle::SingleQuoted => '\'',
            ScalarStyle::DoubleQuoted => '"',
            _ => return range,
        };
        let text = &self.text[range];
        let start = text.find(quote).unwrap_or_default();
        let length = start + quoted_length(&text[start..]);
        TextRange::at(range.start(), TextSize::try_from(length).unwrap_or(range.len()))
    }

    fn node(&mut self, event: Event<'t>, span: Span, depth: usize) -> Result<(Node, Form), DataError> {
        let range = self.offsets.range(span);
        let fail = |kind| DataError { kind, range };
        if depth > DEPTH_LIMIT {
            return Err(fail(DataErrorKind::Depth));
        }
        let (node, form, anchor) = match event {
            Event::Alias(anchor) => return Ok((self.alias(anchor, range)?, Form::Alias)),
            Event::Scalar(text, style, anchor, tag) => {
                let mut text = &*text;
                if self.ends_unbroken(style, range) {
                    text = text.strip_suffix('\n').unwrap_or(text);
                }
                let scalar = match tag.as_deref().and_then(full) {
                    Some(tag) => tag::scalar(&tag, text),
                    // A lone `!` makes a quoted text plain.
                    None if style == ScalarStyle::Plain || tag.is_some() => scalar::resolve(text),
                    None => Ok(Scalar::Value(text.into())),
                };
                let scalar = scalar.map_err(fail)?;
                if matches!(scalar, Scalar::Symbol(_)) && !self.permitted.symbols {
                    return Err(fail(DataErrorKind::Class("Symbol".to_owned())));
                }
                let range = self.without_comment(style, range);
                (Node { scalar, places: Places::scalar(range), size: 1 }, Form::Scalar, anchor)
            }
            Event::SequenceStart(anchor, tag) => {
                self.anchors.insert(anchor, None);
                let tag = tag.as_deref().and_then(full);
                let kind = tag.as_deref().map_or(Ok(Sequence::Array), tag::sequence).map_err(fail)?;
                (self.sequence(range, kind, tag.as_deref(), depth)?, Form::Sequence, anchor)
            }
            Event::MappingStart(anchor, tag) => {
                self.anchors.insert(anchor, None);
                let tag = tag.as_deref().and_then(full);
                let kind = tag.as_deref().map(|it| tag::mapping(it, self.permitted));
                let kind = kind.unwrap_or(Ok(Mapping::Hash)).map_err(fail)?;
                (self.mapping(range, kind, tag.as_deref(), depth)?, Form::Mapping, anchor)
            }
            _ => return Err(fail(DataErrorKind::Syntax("did not find expected node content".to_owned()))),
        };
        // The parser numbers anchors from one.
        if anchor != 0 {
            self.anchors.insert(anchor, Some(node.clone()));
        }
        Ok((node, form))
    }

    fn alias(&mut self, anchor: usize, range: TextRange) -> Result<Node, DataError> {
        let fail = |kind| DataError { kind, range };
        let Some(Some(node)) = self.anchors.get(&anchor) else { return Err(fail(DataErrorKind::Recursive)) };
        self.aliased = self.aliased.saturating_add(node.size);
        if self.aliased > ALIASED_LIMIT {
            return Err(fail(DataErrorKind::Aliases));
        }
        let mut node = node.clone();
        node.places.range = range;
        Ok(node)
    }

    fn sequence(
        &mut self,
        start: TextRange,
        kind: Sequence,
        tag: Option<&str>,
        depth: usize,
    ) -> Result<Node, DataError> {
        let (mut values, mut places, mut size) = (Vec::new(), Vec::new(), 1);
        let mut entries = Entries::new();
        let end = loop {
            let (event, span) = self.next()?;
            if event == Event::SequenceEnd {
                break span;
            }
            match kind {
                Sequence::Array => {
                    let node = self.node(event, span, depth + 1)?.0;
                    size += node.size;
                    let (value, place) = self.value(node)?;
                    values.push(value);
                    places.push(place);
                }
                Sequence::Hash => {
                    let node = self.node(event, span, depth + 1)?.0;
                    size += node.size;
                    let (Scalar::Value(Value::Hash(hash)), Inner::Entries(inner)) =
                        (&node.scalar, &node.places.inner)
                    else {
                        let kind = DataErrorKind::Shape(tag.unwrap_or_default().to_owned());
                        return Err(DataError { kind, range: node.places.range });
                    };
                    if let (Some((key, value)), Some((at, place))) = (hash.iter().next(), inner.first()) {
                        entries.insert(key.clone(), (*at, value.clone(), place.clone()));
                    }
                }
            }
        };
        let range = self.whole(start, end);
        Ok(match kind {
            Sequence::Array => {
                let inner = Inner::Elements(places.into());
                Node {
                    scalar: Scalar::Value(Value::Array(values.into())),
                    places: Places { range, inner },
                    size,
                }
            }
            Sequence::Hash => hash(entries, range, size),
        })
    }

    fn mapping(
        &mut self,
        start: TextRange,
        kind: Mapping,
        tag: Option<&str>,
        depth: usize,
    ) -> Result<Node, DataError> {
        let (mut entries, mut size) = (Entries::new(), 1);
        // After a merge, a repeated key isn't reported: it may override the merged value.
        let mut is_merged = false;
        let end = loop {
            let (event, span) = self.next()?;
            if event == Event::MappingEnd {
                break span;
            }
            let text_tag = matches!(&event, Event::Scalar(_, _, _, Some(tag)) if full(tag).is_some_and(|it| it == "tag:yaml.org,2002:str"));
            let key = self.node(event, span, depth + 1)?.0;
            let (event, span) = self.next()?;
            let (value, form) = self.node(event, span, depth + 1)?;
            size += key.size + value.size;
            let key_range = key.places.range;
            let key = match key.scalar {
                Scalar::Value(value) => value,
                Scalar::Symbol(name) => Value::String(name.into()),
            };
            let (value, places) = self.value(value)?;
            if key.as_str() == Some(MERGE) && !text_tag && merge(&mut entries, form, &value, &places) {
                is_merged = true;
                continue;
            }
            let before = entries.insert(key, (key_range, value, places));
            if let Some((before, ..)) = before.filter(|_| !is_merged) {
                self.repeated.push(Repeated { again: key_range, before });
            }
        };
        let range = self.whole(start, end);
        let part = |name: &str, entries: &Entries| entries.get(&Value::from(name)).cloned();
        let shape = || DataError { kind: DataErrorKind::Shape(tag.unwrap_or_default().to_owned()), range };
        match kind {
            Mapping::Hash => Ok(hash(entries, range, size)),
            Mapping::Text => match part("str", &entries) {
                Some((_, value @ Value::String(_), places)) if entries.len() == 1 => {
                    Ok(Node { scalar: Scalar::Value(value), places, size })
                }
                _ => Err(shape()),
            },
            Mapping::Elements => match part("elements", &entries) {
                Some((_, value @ Value::Hash(_), places)) => {
                    Ok(Node { scalar: Scalar::Value(value), places, size })
                }
                Some(_) => Err(shape()),
                None => Ok(hash(Entries::new(), range, size)),
            },
        }
    }

    /// The range from the start of a collection to its end: includes the closing bracket, if any, but not a comment after it.
    fn whole(&self, start: TextRange, end: Span) -> TextRange {
        let end = self.offsets.range(end);
        let bracket = self.text[end].starts_with([']', '}']).then(|| end.start() + TextSize::of(']'));
        TextRange::new(start.start(), bracket.unwrap_or(end.end()).max(start.end()))
    }

    /// Converts a node to a value, in a position where symbols aren't permitted.
    fn value(&self, node: Node) -> Result<(Value, Places), DataError> {
        match node.scalar {
            Scalar::Value(value) => Ok((value, node.places)),
            Scalar::Symbol(_) => Err(DataError { kind: DataErrorKind::Symbol, range: node.places.range }),
        }
    }
}

fn hash(entries: Entries, range: TextRange, size: usize) -> Node {
    let mut values = Hash::default();
    let mut places = Vec::with_capacity(entries.len());
    for (key, (at, value, place)) in entries {
        values.insert(key, value);
        places.push((at, place));
    }
    let places = Places { range, inner: Inner::Entries(places.into()) };
    Node { scalar: Scalar::Value(Value::Hash(Arc::new(values))), places, size }
}

/// Merges the value of `<<`; returns whether it is of a form that merges.
///
/// Contrary to the specification, merged entries replace entries that precede them; of several mappings, the first takes
/// precedence.
fn merge(entries: &mut Entries, form: Form, value: &Value, places: &Places) -> bool {
    match (form, value, &places.inner) {
        (Form::Alias | Form::Mapping, Value::Hash(hash), Inner::Entries(inner)) => {
            merge_one(entries, hash, inner);
            true
        }
        (Form::Sequence, Value::Array(elements), Inner::Elements(inner))
            if elements.iter().all(|it| matches!(it, Value::Hash(_))) =>
        {
            let mut merged = Entries::new();
            for (element, places) in elements.iter().zip(inner.iter()).rev() {
                if let (Value::Hash(hash), Inner::Entries(inner)) = (element, &places.inner) {
                    merge_one(&mut merged, hash, inner);
                }
            }
            entries.extend(merged);
            true
        }
        _ => false,
    }
}

fn merge_one(entries: &mut Entries, hash: &Hash, places: &[(TextRange, Places)]) {
    for ((key, value), (at, place)) in hash.iter().zip(places) {
        entries.insert(key.clone(), (*at, value.clone(), place.clone()));
    }
}

/// Returns a tag with its handle. `None` for the lone `!`, which isn't a tag.
fn full(tag: &Tag) -> Option<String> {
    let full = format!("{}{}", tag.handle, tag.suffix);
    (full != "!").then_some(full)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Document, DataErrorKind> {
        parse_yaml(text, Permitted::DATA).map_err(|error| error.kind)
    }

    #[test]
    fn places_are_kept() {
        let text = "é: [1, zwei]\nb: &x {c: ~}\nd: *x\n";
        let document = read(text).unwrap();
        let Inner::Entries(entries) = &document.places.inner else { panic!("a hash") };
        let texts: Vec<_> = entries.iter().map(|(key, it)| (&text[*key], &text[it.range])).collect();
        assert_eq!(texts, [("é", "[1, zwei]"), ("b", "&x {c: ~}"), ("d", "*x")]);
        let Inner::Elements(elements) = &entries[0].1.inner else { panic!("an array") };
        assert_eq!(&text[elements[1].range], "zwei");
    }

    #[test]
    fn places_are_those_of_the_text_before_blanks_were_put_in() {
        let text = "a:\n  é: [\n'eins',\n\"zw\nei\"\n]\n  b: drei\n";
        let document = read(text).unwrap();
        let Inner::Entries(outer) = &document.places.inner else { panic!("a hash") };
        let Inner::Entries(entries) = &outer[0].1.inner else { panic!("a hash") };
        let Inner::Elements(elements) = &entries[0].1.inner else { panic!("an array") };
        let texts: Vec<_> = elements.iter().map(|it| &text[it.range]).collect();
        assert_eq!(texts, ["'eins'", "\"zw\nei\""]);
        assert_eq!((&text[entries[1].0], &text[entries[1].1.range]), ("b", "drei"));
        let text = "a: &x 'é'# c\n*x: [1]# d\nb: *y\n";
        let error = parse_yaml(text, Permitted::DATA).unwrap_err();
        assert_eq!((error.kind, &text[error.range]), (DataErrorKind::UnknownAlias("y".to_owned()), "*y"));
        let text = text.replace("*y", "*x");
        let document = read(&text).unwrap();
        let Inner::Entries(entries) = &document.places.inner else { panic!("a hash") };
        let texts: Vec<_> = entries.iter().map(|(key, it)| (&text[*key], &text[it.range])).collect();
        assert_eq!(texts, [("a", "&x 'é'"), ("*x", "[1]"), ("b", "*x")]);
        let error = parse_yaml("a:\n  b: [\n1,\n}\n", Permitted::DATA).unwrap_err();
        assert_eq!(usize::from(error.range.start()), 13);
    }

    #[test]
    fn so_many_lines_that_want_indentation_are_refused() {
        let text = |lines| format!("a:\n  b: [\n{}]\n", "1,\n".repeat(lines));
        assert!(read(&text(100)).is_ok());
        assert!(matches!(read(&text(20_000)).unwrap_err(), DataErrorKind::Syntax(_)));
    }

    #[test]
    fn bombs_and_circles_are_refused() {
        let mut bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n".to_owned();
        for level in 1..10 {
            let aliases = vec![format!("*a{}", level - 1); 10].join(", ");
            bomb.push_str(&format!("a{level}: &a{level} [{aliases}]\n"));
        }
        assert_eq!(read(&bomb).unwrap_err(), DataErrorKind::Aliases);
        assert_eq!(read("&a [*a]").unwrap_err(), DataErrorKind::Recursive);
        let deep = "[".repeat(100_000);
        assert!(matches!(read(&deep).unwrap_err(), DataErrorKind::Depth | DataErrorKind::Syntax(_)));
    }

    #[test]
    fn objects_are_read_only_if_their_class_is_named() {
        let text = "--- !ruby/object:Puppet::Node::Facts\nname: n\n";
        assert_eq!(read(text).unwrap_err(), DataErrorKind::Class("Puppet::Node::Facts".to_owned()));
        let permitted = Permitted { symbols: true, classes: &["Puppet::Node::Facts"] };
        assert!(matches!(parse_yaml(text, permitted).unwrap().value, Value::Hash(_)));
    }
}
