//! The form in which catalogs are kept. Each text is in it once.

use std::sync::Arc;

use marotte_catalog::{Catalog, Edge, Gap, Kind, Line, Named, Reference, Resource, Site, Tags};
use marotte_pcore::print::literal;
use marotte_pcore::value::{Hash, Sensitive, Value};
use marotte_text::Str;

use crate::codec::{Reader, Writer};

/// The first bytes of a catalog.
const MAGIC: &[u8] = b"marotte catalog\n";

/// The deepest nesting of values that is written and read: less than the language permits, since a reader needs more of the stack.
const DEPTH: usize = 200;

/// Whether a catalog has a `Sensitive` value.
pub fn has_sensitive(catalog: &Catalog) -> bool {
    fn is_secret(value: &Value) -> bool {
        match value {
            Value::Sensitive(_) => true,
            Value::Array(elements) => elements.iter().any(is_secret),
            Value::Hash(hash) => hash.iter().any(|(key, value)| is_secret(key) || is_secret(value)),
            Value::Object(object) => object.attributes.iter().any(is_secret),
            _ => false,
        }
    }
    let mut all = catalog.resources.iter().chain(&catalog.exports);
    all.any(|it| !it.spellings.is_empty() || it.parameters.values().any(is_secret))
}

/// A catalog as bytes. None if a value in it cannot be written: an unknown one, one of a rare kind, or one that
/// is too deep.
pub fn encode(catalog: &Catalog) -> Option<Vec<u8>> {
    let mut out = Encoder::default();
    out.text(&catalog.name);
    out.text(&catalog.environment);
    out.texts(catalog.tags.iter());
    out.texts(catalog.classes.iter());
    out.resources(&catalog.resources)?;
    out.resources(&catalog.exports)?;
    out.edges(&catalog.export_edges);
    out.body.byte(u8::from(catalog.lacks_imports));
    out.edges(&catalog.edges);
    out.body.length(catalog.gaps.len());
    for it in &catalog.gaps {
        out.text(&it.cause);
        out.body.byte(u8::from(it.reason.is_some()));
        it.reason.iter().for_each(|it| out.text(it));
        out.sites(&it.asked);
        out.sites(&it.skipped);
    }
    let mut all = Writer::default();
    all.raw(MAGIC);
    all.length(out.texts.len());
    out.texts.iter().for_each(|it| all.text(it));
    all.raw(&out.body.0);
    Some(all.0)
}

/// The catalog of bytes. None if they are not the whole of one.
pub fn decode(bytes: &[u8]) -> Option<Catalog> {
    let mut all = Reader(bytes.strip_prefix(MAGIC)?);
    let texts: Vec<Str> = all.list(|it| it.text().map(Str::from))?;
    let mut from = Decoder { texts: &texts, body: all };
    let catalog = Catalog {
        name: from.text()?,
        environment: from.text()?,
        tags: from.texts()?.into_iter().collect(),
        classes: from.texts()?,
        resources: from.list(Decoder::resource)?,
        exports: from.list(Decoder::resource)?,
        export_edges: from.list(Decoder::edge)?,
        lacks_imports: from.flag()?,
        edges: from.list(Decoder::edge)?,
        gaps: from.list(Decoder::gap)?,
        contents: None,
    };
    from.body.is_empty().then_some(catalog)
}

/// The reference to a resource that a type is. None for other types, and if the type and title do not say all of it.
fn reference_of(value: &Value) -> Option<Reference> {
    let reference = Reference::of_value(value)?;
    let other = reference.to_value();
    (other == *value && literal(&other) == literal(value)).then_some(reference)
}

#[derive(Default)]
struct Encoder {
    texts: indexmap::IndexSet<Str, foldhash::fast::RandomState>,
    body: Writer,
}

impl Encoder {
    fn text(&mut self, text: &str) {
        let index = match self.texts.get_index_of(text) {
            Some(index) => index,
            None => self.texts.insert_full(text.into()).0,
        };
        self.body.length(index);
    }

    fn texts<'t>(&mut self, texts: impl Iterator<Item = &'t Str> + Clone) {
        self.body.length(texts.clone().count());
        texts.for_each(|it| self.text(it));
    }

    fn reference(&mut self, it: &Reference) {
        self.text(&it.type_name);
        self.text(&it.title);
    }

    fn line(&mut self, line: Option<&Line>) {
        self.body.byte(u8::from(line.is_some()));
        if let Some(it) = line {
            self.text(&it.file);
            self.body.number(it.line.into());
        }
    }

    fn resources(&mut self, resources: &[Resource]) -> Option<()> {
        self.body.length(resources.len());
        for it in resources {
            self.reference(&it.reference);
            self.body.byte(it.kind as u8);
            self.texts(it.tags.iter());
            self.line(it.place.as_ref());
            self.body.byte(u8::from(it.exported));
            self.body.length(it.parameters.len());
            for (name, value) in &it.parameters {
                self.text(name);
                self.value(value, 0)?;
            }
            self.texts(it.spellings.iter());
        }
        Some(())
    }

    fn edges(&mut self, edges: &[Edge]) {
        self.body.length(edges.len());
        for it in edges {
            self.reference(&it.source);
            self.reference(&it.target);
        }
    }

    fn sites(&mut self, sites: &[Site]) {
        self.body.length(sites.len());
        for it in sites {
            self.line(it.line.as_ref());
            self.body.length(it.count);
        }
    }

    fn value(&mut self, value: &Value, depth: usize) -> Option<()> {
        if depth > DEPTH {
            return None;
        }
        match value {
            Value::Undef => self.body.byte(0),
            Value::Default => self.body.byte(1),
            Value::Boolean(it) => self.body.byte(2 + u8::from(*it)),
            Value::Integer(it) => {
                self.body.byte(4);
                self.body.raw(&it.to_i64()?.to_le_bytes());
            }
            Value::Float(it) => {
                self.body.byte(5);
                self.body.raw(&it.to_bits().to_le_bytes());
            }
            Value::String(it) => {
                self.body.byte(6);
                self.text(it);
            }
            Value::Array(elements) => {
                self.body.byte(7);
                self.body.length(elements.len());
                elements.iter().try_for_each(|it| self.value(it, depth + 1))?;
            }
            Value::Hash(hash) => {
                self.body.byte(8);
                self.body.length(hash.len());
                for (key, value) in hash.iter() {
                    self.value(key, depth + 1)?;
                    self.value(value, depth + 1)?;
                }
            }
            Value::Sensitive(it) => {
                self.body.byte(9);
                self.value(it.unwrap(), depth + 1)?;
            }
            Value::Type(_) => {
                // References to resources are the types that catalogs have.
                let reference = reference_of(value)?;
                self.body.byte(10);
                self.reference(&reference);
            }
            Value::Regexp(_)
            | Value::Timespan(_)
            | Value::Timestamp(_)
            | Value::SemVer(_)
            | Value::SemVerRange(_)
            | Value::Binary(_)
            | Value::Uri(_)
            | Value::Object(_)
            | Value::Callable(_)
            | Value::Iterator(_)
            | Value::Unknown(_) => return None,
        }
        Some(())
    }
}

struct Decoder<'a> {
    texts: &'a [Str],
    body: Reader<'a>,
}

impl Decoder<'_> {
    fn list<T>(&mut self, mut element: impl FnMut(&mut Self) -> Option<T>) -> Option<Vec<T>> {
        let length = self.body.length()?;
        (0..length).map(|_| element(self)).collect()
    }

    fn text(&mut self) -> Option<Str> {
        self.texts.get(usize::try_from(self.body.number()?).ok()?).cloned()
    }

    fn texts(&mut self) -> Option<Vec<Str>> {
        self.list(Decoder::text)
    }

    fn flag(&mut self) -> Option<bool> {
        match self.body.byte()? {
            0 => Some(false),
            1 => Some(true),
            _ => None,
        }
    }

    fn reference(&mut self) -> Option<Reference> {
        Some(Reference { type_name: self.text()?, title: self.text()? })
    }

    fn edge(&mut self) -> Option<Edge> {
        Some(Edge { source: self.reference()?, target: self.reference()? })
    }

    fn line(&mut self) -> Option<Option<Line>> {
        match self.flag()? {
            false => Some(None),
            true => {
                let file = self.text()?;
                Some(Some(Line { file, line: u32::try_from(self.body.number()?).ok()? }))
            }
        }
    }

    fn resource(&mut self) -> Option<Resource> {
        let reference = self.reference()?;
        let kind = match self.body.byte()? {
            0 => Kind::Class,
            1 => Kind::DefinedType,
            2 => Kind::CompilableType,
            3 => Kind::Unknown,
            _ => return None,
        };
        let tags: Tags = self.texts()?.into_iter().collect();
        let (place, exported) = (self.line()?, self.flag()?);
        let parameters = self.list(|it| Some((it.text()?, it.value(0)?)))?;
        let parameters: Named<Value> = parameters.into_iter().collect();
        Some(Resource { reference, kind, tags, place, exported, parameters, spellings: self.texts()? })
    }

    fn gap(&mut self) -> Option<Gap> {
        let cause = self.text()?;
        let reason = if self.flag()? { Some(self.text()?) } else { None };
        Some(Gap { cause, reason, asked: self.sites()?, skipped: self.sites()? })
    }

    fn sites(&mut self) -> Option<Vec<Site>> {
        self.list(|it| Some(Site { line: it.line()?, count: usize::try_from(it.body.number()?).ok()? }))
    }

    fn eight(&mut self) -> Option<[u8; 8]> {
        self.body.raw(8)?.try_into().ok()
    }

    fn value(&mut self, depth: usize) -> Option<Value> {
        if depth > DEPTH {
            return None;
        }
        Some(match self.body.byte()? {
            0 => Value::Undef,
            1 => Value::Default,
            2 => Value::Boolean(false),
            3 => Value::Boolean(true),
            4 => i64::from_le_bytes(self.eight()?).into(),
            5 => Value::Float(f64::from_bits(u64::from_le_bytes(self.eight()?))),
            6 => Value::String(self.text()?),
            7 => Value::Array(self.list(|it| it.value(depth + 1))?.into()),
            8 => {
                let entries = self.list(|it| Some((it.value(depth + 1)?, it.value(depth + 1)?)))?;
                Value::Hash(Arc::new(entries.into_iter().collect::<Hash>()))
            }
            9 => Value::Sensitive(Sensitive::new(self.value(depth + 1)?)),
            10 => {
                let value = self.reference()?.to_value();
                reference_of(&value)?;
                value
            }
            _ => return None,
        })
    }
}
