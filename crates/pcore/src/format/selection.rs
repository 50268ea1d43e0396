//! The selection of formats: maps from types to formats (D84).

use std::cell::OnceCell;
use std::cmp::Ordering;
use std::sync::{Arc, LazyLock};

use marotte_text::Str;

use super::FormatError;
use super::directive::Directive;
use super::inspect::type_name;
use crate::dialect::{ContainerFormats, Dialect, FloatText, PUPPET8};
use crate::infer::infer_set;
use crate::print::short;
use crate::relation::assignable;
use crate::types::{FloatRange, IntegerRange, StringType, Type, TypeKind};
use crate::value::{Hash, Value};

/// A format with its options for containers.
#[derive(Clone, Debug)]
pub(super) struct Format {
    pub(super) directive: Directive,
    /// The separator between elements.
    pub(super) separator: Option<Str>,
    /// The separator between key and value.
    pub(super) separator2: Option<Str>,
    /// The formats of the elements of a container, except nested containers.
    pub(super) nested: Option<Formats>,
}

/// Formats by type: the first type that accepts a value's type determines the format.
#[derive(Clone, Debug)]
pub(super) struct Formats(Arc<[(Type, Format)]>);

/// The format of values without a specific one.
static PLAIN: LazyLock<Option<Format>> = LazyLock::new(|| simple("%s"));

/// The default formats: in listed order, and sorted as when other formats are merged into them.
struct Defaults {
    listed: Formats,
    sorted: Formats,
}

static WITH_FIXED_FLOATS: LazyLock<Defaults> = LazyLock::new(|| Defaults::new("%f"));
static WITH_SHORTEST_FLOATS: LazyLock<Defaults> = LazyLock::new(|| Defaults::new("%p"));

impl Defaults {
    fn new(floats: &str) -> Defaults {
        let container = |text, separator, separator2: &str| {
            simple(text).map(|it| Format {
                separator: Some(Str::from(separator)),
                separator2: Some(separator2.into()),
                nested: Some(Formats::in_containers().clone()),
                ..it
            })
        };
        let formats = [
            (TypeKind::Object(None), simple("%p")),
            (TypeKind::Float(FloatRange::ALL), simple(floats)),
            (TypeKind::Numeric, simple("%d")),
            (TypeKind::Array(Type::any(), None), container("%a", ", ", ", ")),
            (TypeKind::Hash(Type::any(), Type::any(), None), container("%h", ", ", " => ")),
            (TypeKind::Binary, simple("%B")),
            (TypeKind::Any, simple("%s")),
        ];
        let formats = formats.into_iter().filter_map(|(kind, format)| Some((kind.into(), format?)));
        let listed: Vec<(Type, Format)> = formats.collect();
        // The dialects agree on these types.
        let sorted = Formats(sorted(&PUPPET8, listed.clone()).into());
        Defaults { listed: Formats(listed.into()), sorted }
    }

    fn of(dialect: &Dialect) -> &'static Defaults {
        match dialect.texts.floats {
            FloatText::Fixed => &WITH_FIXED_FLOATS,
            FloatText::Shortest => &WITH_SHORTEST_FLOATS,
        }
    }
}

static IN_CONTAINERS: LazyLock<Formats> =
    LazyLock::new(|| Formats(simple("%p").map(|it| (Type::any(), it)).into_iter().collect()));

fn simple(text: &str) -> Option<Format> {
    Format::parse(text).ok()
}

impl Format {
    fn parse(text: &str) -> Result<Format, FormatError> {
        let directive = Directive::parse(text)?;
        Ok(Format { directive, separator: None, separator2: None, nested: None })
    }

    /// Converts an entry of a map: a text, or a hash of options for containers. `it` is the type that the format applies to.
    fn of(dialect: &Dialect, it: &Type, value: &Value) -> Result<Format, FormatError> {
        match value {
            Value::String(text) => Format::parse(text),
            Value::Hash(hash) => Format::container(dialect, it, hash),
            other => Err(FormatError::NotAFormatInMap(type_name(other))),
        }
    }

    fn container(dialect: &Dialect, it: &Type, hash: &Hash) -> Result<Format, FormatError> {
        const KEYS: [&str; 4] = ["separator", "separator2", "format", "string_formats"];
        if hash.keys().any(|key| !key.as_str().is_some_and(|key| KEYS.contains(&key))) {
            let shown = crate::print::literal(&Value::Hash(Arc::new(hash.clone())));
            return Err(FormatError::ContainerKeys(shown));
        }
        let text = |key: &str| match hash.get_str(key) {
            None | Some(Value::Undef) => Ok(None),
            Some(Value::String(text)) => Ok(Some(text.clone())),
            Some(other) => Err(FormatError::NotAFormatInMap(type_name(other))),
        };
        let nested = match hash.get_str("string_formats") {
            None | Some(Value::Undef) => None,
            Some(Value::Hash(formats)) => Some(Formats::parse(dialect, formats)?),
            Some(other) => return Err(FormatError::NotFormats(type_name(other))),
        };
        let is_completed = dialect.texts.container_formats == ContainerFormats::Completed;
        let format = text("format")?;
        let format = match &format {
            None if is_completed => default_of(dialect, it),
            format => format.as_deref().unwrap_or_default(),
        };
        let separator = text("separator")?.map(|it| {
            let needs_blank = is_completed && !it.ends_with(char::is_whitespace);
            if needs_blank { format!("{it} ").into() } else { it }
        });
        Ok(Format {
            directive: Directive::parse(format)?,
            separator,
            separator2: text("separator2")?,
            nested,
        })
    }

    /// Returns this format with the differing options of another.
    fn merged(&self, dialect: &Dialect, higher: &Format) -> Format {
        Format {
            directive: higher.directive.clone(),
            separator: higher.separator.clone().or_else(|| self.separator.clone()),
            separator2: higher.separator2.clone().or_else(|| self.separator2.clone()),
            nested: match (&self.nested, &higher.nested) {
                (Some(lower), Some(higher)) => Some(lower.merged(dialect, higher)),
                (lower, higher) => higher.clone().or_else(|| lower.clone()),
            },
        }
    }
}

impl Formats {
    /// Returns the default formats of all types.
    pub(super) fn by_default(dialect: &Dialect) -> &'static Formats {
        &Defaults::of(dialect).listed
    }

    /// The default formats within containers.
    pub(super) fn in_containers() -> &'static Formats {
        &IN_CONTAINERS
    }

    /// Creates a map with one format, for instance for integers.
    pub(super) fn single(it: Type, format: Format) -> Formats {
        Formats([(it, format)].into())
    }

    /// Returns the formats given for a value, merged over the default formats.
    pub(super) fn given(dialect: &Dialect, value: &Value, given: &Value) -> Result<Formats, FormatError> {
        match given {
            Value::String(text) => {
                let format = Format::parse(text)?;
                Ok(match value {
                    Value::Array(_) => {
                        Formats::with_container(dialect, format, |it| matches!(it, TypeKind::Array(..)))
                    }
                    Value::Hash(_) => {
                        Formats::with_container(dialect, format, |it| matches!(it, TypeKind::Hash(..)))
                    }
                    _ => {
                        let own = Formats::single(infer_set(dialect, value), format);
                        Formats::by_default(dialect).merged(dialect, &own)
                    }
                })
            }
            Value::Hash(hash) => {
                Ok(Formats::by_default(dialect).merged(dialect, &Formats::parse(dialect, hash)?))
            }
            other => Err(FormatError::NotFormats(type_name(other))),
        }
    }

    /// Returns the default formats with another one for arrays or for hashes: equivalent to merging, but faster.
    fn with_container(dialect: &Dialect, format: Format, is_it: fn(&TypeKind) -> bool) -> Formats {
        let entry = |(it, lower): &(Type, Format)| {
            let merged = if is_it(it.kind()) { lower.merged(dialect, &format) } else { lower.clone() };
            (it.clone(), merged)
        };
        Formats(Defaults::of(dialect).sorted.0.iter().map(entry).collect())
    }

    fn parse(dialect: &Dialect, hash: &Hash) -> Result<Formats, FormatError> {
        let entry = |(key, value): (&Value, &Value)| match key {
            Value::Type(it) => Ok((it.clone(), Format::of(dialect, it, value)?)),
            other => Err(FormatError::NotATypeAsKey(type_name(other))),
        };
        Ok(Formats(hash.iter().map(entry).collect::<Result<_, _>>()?))
    }

    /// Merges these formats under others: types that one of the others covers are dropped.
    fn merged(&self, dialect: &Dialect, higher: &Formats) -> Formats {
        let covered =
            |it: &Type| higher.0.iter().any(|(other, _)| other != it && assignable(dialect, other, it));
        let find = |formats: &Formats, it: &Type| {
            formats.0.iter().find(|(other, _)| other == it).map(|(_, format)| format.clone())
        };
        let lower = self.0.iter().filter(|(it, _)| !covered(it));
        let mut formats: Vec<(Type, Format)> = lower
            .map(|(it, format)| match find(higher, it) {
                Some(above) => (it.clone(), format.merged(dialect, &above)),
                None => (it.clone(), format.clone()),
            })
            .collect();
        for (it, format) in higher.0.iter() {
            if !formats.iter().any(|(other, _)| other == it) {
                formats.push((it.clone(), format.clone()));
            }
        }
        Formats(sorted(dialect, formats).into())
    }

    /// Returns the format of a value.
    pub(super) fn of(&self, dialect: &Dialect, value: &Value) -> Option<&Format> {
        let inferred = OnceCell::new();
        let found = self.0.iter().find(|(it, _)| accepts(dialect, it, value, &inferred));
        found.map(|(_, format)| format).or(PLAIN.as_ref())
    }
}

/// Returns the directive for values of a type without a format.
fn default_of(dialect: &Dialect, it: &Type) -> &'static str {
    let is_array = assignable(dialect, &Type::array(Type::any(), None), it);
    let is_hash = || assignable(dialect, &Type::hash(Type::any(), Type::any(), None), it);
    if is_array {
        "%a"
    } else if is_hash() {
        "%h"
    } else {
        "%s"
    }
}

/// Whether a type accepts the type of a value; for common types, without inferring it.
fn accepts(dialect: &Dialect, it: &Type, value: &Value, inferred: &OnceCell<Type>) -> bool {
    match it.kind() {
        TypeKind::Any => true,
        TypeKind::Object(None) => matches!(value, Value::Object(_)),
        TypeKind::Numeric => matches!(value, Value::Integer(_) | Value::Float(_)),
        TypeKind::Float(range) if *range == FloatRange::ALL => matches!(value, Value::Float(_)),
        TypeKind::Integer(range) if *range == IntegerRange::default() => matches!(value, Value::Integer(_)),
        TypeKind::String(StringType::Any) => matches!(value, Value::String(_)),
        TypeKind::Boolean(None) => matches!(value, Value::Boolean(_)),
        TypeKind::Binary => matches!(value, Value::Binary(_)),
        _ => {
            let of_value = || match value {
                Value::Object(object) => object.object_type.clone(),
                _ => infer_set(dialect, value),
            };
            assignable(dialect, it, inferred.get_or_init(of_value))
        }
    }
}

/// A format that is being sorted.
struct Entry {
    it: Type,
    format: Format,
    /// The type as text, the usual sort key: computed once, instead of for each comparison.
    text: OnceCell<String>,
}

impl Entry {
    fn text(&self) -> &str {
        self.text.get_or_init(|| short(&self.it))
    }
}

/// The order of types in a map: specific ones first.
fn order(dialect: &Dialect, a: &Entry, b: &Entry) -> Ordering {
    if a.it == b.it {
        return Ordering::Equal;
    }
    match (assignable(dialect, &b.it, &a.it), assignable(dialect, &a.it, &b.it)) {
        (true, false) => Ordering::Less,
        (false, true) => Ordering::Greater,
        _ => match (rank(&a.it), rank(&b.it)) {
            (Some(a), Some(b)) => a.cmp(&b),
            _ => a.text().cmp(b.text()),
        },
    }
}

fn rank(it: &Type) -> Option<u8> {
    Some(match it.kind() {
        TypeKind::Struct(_) => 1,
        TypeKind::Hash(..) => 2,
        TypeKind::Tuple(_) => 3,
        TypeKind::Array(..) => 4,
        TypeKind::Pattern(_) => 10,
        TypeKind::Enum(_) => 11,
        TypeKind::String(_) => 12,
        _ => return None,
    })
}

/// Merge sort. The order isn't transitive, so the result depends on which pairs are compared: the halves are split and
/// merged like on the reference's platform.
fn sorted(dialect: &Dialect, formats: Vec<(Type, Format)>) -> Vec<(Type, Format)> {
    let entries = formats.into_iter().map(|(it, format)| Entry { it, format, text: OnceCell::new() });
    merge_sorted(dialect, entries.collect()).into_iter().map(|entry| (entry.it, entry.format)).collect()
}

fn merge_sorted(dialect: &Dialect, mut entries: Vec<Entry>) -> Vec<Entry> {
    if entries.len() < 2 {
        return entries;
    }
    let second = merge_sorted(dialect, entries.split_off(entries.len() / 2));
    let mut first = merge_sorted(dialect, entries).into_iter().peekable();
    let mut second = second.into_iter().peekable();
    let mut merged = Vec::with_capacity(first.len() + second.len());
    while let (Some(a), Some(b)) = (first.peek(), second.peek()) {
        let next = if order(dialect, a, b).is_le() { first.next() } else { second.next() };
        merged.extend(next);
    }
    merged.extend(first);
    merged.extend(second);
    merged
}
