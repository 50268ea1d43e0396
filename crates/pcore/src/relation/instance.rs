//! Whether a value is an instance of a type.

use foldhash::HashMap;

use super::assignable::{Comparison, assignable};
use super::{init, iterable, matches};
use crate::dialect::{Dialect, EmptyUriParts, IntegerEnds, SensitiveContent};
use crate::effort;
use crate::extent::with_stack;
use crate::infer::{infer, infer_content};
use crate::types::{
    ANY, ObjectType, Size, StringType, StructElement, TupleType, Type, TypeAlias, TypeKind, UriType,
};
use crate::uri::Uri;
use crate::value::{Integer, Object, Value};
use marotte_text::Str;

use num_bigint::BigInt;

/// Whether a value is an instance of a type (D3, and the item of each type in D.1).
///
/// This differs from whether the type accepts the inferred type of the value: see [`super::assignable`].
pub fn instance_of(dialect: &Dialect, it: &Type, value: &Value) -> bool {
    Instance::new(dialect).holds(it, value)
}

impl Comparison<'_> {
    /// Whether a text is an instance of a type.
    pub(super) fn holds_text(&self, it: &Type, text: &Str) -> bool {
        match it.kind() {
            // The fast path for most keys of hashes.
            TypeKind::String(it) => string_holds(it, text),
            _ => instance_of(self.dialect, it, &Value::String(text.clone())),
        }
    }
}

/// A check of a value and its contents.
pub(super) struct Instance<'d> {
    pub(super) dialect: &'d Dialect,
    /// The recursive aliases that are being checked, each with the address of the value.
    entered: Vec<(usize, usize)>,
    /// The types whose construction from a value is being checked.
    constructed: Vec<(usize, Value)>,
    /// The number of checks so far.
    steps: u32,
    /// Whether there have been so many that answers are cached.
    is_long: bool,
    /// The number of negative answers due to a check that was already in progress.
    cuts: u32,
    /// Cached answers, by the addresses of type and value, which they keep alive. `None` until there have been enough
    /// checks to make it worthwhile.
    known: Option<Box<Answers>>,
}

type Answers = HashMap<(usize, usize), (bool, Type, Value)>;

/// The number of checks after which answers are cached: there may be many paths through the alternatives of a type to
/// the same part of a value.
const PATIENCE: u32 = 10_000;
/// The number of checks that are charged at once.
const AT_A_TIME: u32 = 256;
/// The maximum number of cached answers.
const REMEMBERED: usize = 1_000_000;

/// Whether the value of a cached answer is the checked one; collections at the same address are.
fn is_same(known: &Value, value: &Value) -> bool {
    match (known, value) {
        (Value::Array(_) | Value::Hash(_), _) => true,
        (Value::String(known), Value::String(value)) => known == value,
        (Value::Integer(known), Value::Integer(value)) => known == value,
        (Value::Boolean(known), Value::Boolean(value)) => known == value,
        (Value::Undef, Value::Undef) => true,
        _ => false,
    }
}

impl Drop for Instance<'_> {
    fn drop(&mut self) {
        // Charges the checks that weren't charged yet.
        effort::spend(u64::from(self.steps % AT_A_TIME));
    }
}

impl<'d> Instance<'d> {
    fn new(dialect: &'d Dialect) -> Instance<'d> {
        let (entered, constructed) = (Vec::new(), Vec::new());
        Instance { dialect, entered, constructed, steps: 0, is_long: false, cuts: 0, known: None }
    }

    /// Whether a value is an instance of a type.
    pub(super) fn holds(&mut self, it: &Type, value: &Value) -> bool {
        self.steps = self.steps.wrapping_add(1);
        if self.steps.is_multiple_of(AT_A_TIME) && !effort::spend(u64::from(AT_A_TIME)) {
            return false;
        }
        if !self.is_long {
            self.is_long = self.steps > PATIENCE;
            return self.decide(it, value);
        }
        if !matches!(it.kind(), TypeKind::Variant(_)) {
            return self.decide(it, value);
        }
        let address = match value {
            Value::Array(elements) => elements.address(),
            Value::Hash(hash) => std::sync::Arc::as_ptr(hash) as usize,
            // A temporary value may leave its address to another.
            _ => std::ptr::from_ref(value) as usize,
        };
        let key = (it.address(), address);
        if let Some((holds, _, known)) = self.known.as_ref().and_then(|known| known.get(&key))
            && is_same(known, value)
        {
            return *holds;
        }
        let cuts = self.cuts;
        let holds = self.decide(it, value);
        // An answer that depends on an aborted check is only valid here.
        if self.cuts == cuts {
            let known = self.known.get_or_insert_default();
            if known.len() >= REMEMBERED {
                known.clear();
            }
            known.insert(key, (holds, it.clone(), value.clone()));
        }
        holds
    }

    /// Whether a number is in the range of `Integer`.
    fn has_width(&self, number: &Integer) -> bool {
        self.dialect.integer_ends == IntegerEnds::Open || number.to_i64().is_some()
    }

    fn decide(&mut self, it: &Type, value: &Value) -> bool {
        use TypeKind as T;
        match (it.kind(), value) {
            (T::Any | T::Unit, _) => true,
            // It may be an instance, and unknown values are never rejected. A string of bytes is a string.
            (_, Value::Unknown(by)) => match by.bytes().and_then(|it| it.to_text()) {
                Some(text) => self.decide(it, &Value::String(text.into())),
                None => true,
            },
            (T::Undef, Value::Undef) | (T::Default, Value::Default) => true,
            (T::Scalar, Value::SemVerRange(_)) => self.dialect.version_ranges_are_scalar,
            (T::Scalar, _) => is_scalar(value),
            (T::ScalarData, _) => is_scalar_data(value),
            (T::Numeric, Value::Integer(number)) => self.has_width(number),
            (T::Numeric, Value::Float(_)) => true,
            (T::Integer(range), Value::Integer(number)) => range.contains(number) && self.has_width(number),
            (T::Float(range), Value::Float(number)) => range.contains(*number),
            (T::String(it), Value::String(text)) => string_holds(it, text),
            (T::Enum(it), Value::String(text)) => {
                it.contains(text)
                    || it.values().is_empty() && self.dialect.enum_without_parameters.accepts_all()
            }
            (T::Pattern(it), Value::String(text)) => matches::matches_any(self.dialect, it, text),
            (T::Boolean(it), Value::Boolean(value)) => it.is_none_or(|it| it == *value),
            (T::Regexp(it), Value::Regexp(value)) => it.as_ref().is_none_or(|it| it == value),
            (T::SemVer(ranges), Value::SemVer(version)) => {
                ranges.is_empty() || ranges.iter().any(|it| it.includes(version))
            }
            (T::SemVerRange, Value::SemVerRange(_)) | (T::Binary, Value::Binary(_)) => true,
            (T::Timespan(from, to), Value::Timespan(value)) => lies_in(from.as_ref(), to.as_ref(), value),
            (T::Timestamp(from, to), Value::Timestamp(value)) => lies_in(from.as_ref(), to.as_ref(), value),
            (T::Uri(it), Value::Uri(uri)) => self.uri_holds(it, uri),
            (T::Collection(size), Value::Array(elements)) => has_size(*size, elements.len()),
            (T::Collection(size), Value::Hash(hash)) => has_size(*size, hash.len()),
            (T::Array(element, size), Value::Array(elements)) => {
                has_size(*size, elements.len()) && elements.iter().all(|value| self.holds(element, value))
            }
            (T::Hash(key_type, value_type, size), Value::Hash(hash)) => {
                has_size(*size, hash.len())
                    && hash
                        .iter()
                        .all(|(key, value)| self.holds(key_type, key) && self.holds(value_type, value))
            }
            (T::Tuple(tuple), Value::Array(elements)) => self.tuple_holds(tuple, elements),
            (T::Struct(elements), Value::Hash(hash)) => self.struct_holds(elements, hash),
            (T::Variant(types), _) => types.iter().any(|it| self.holds(it, value)),
            (T::Optional(None), Value::Undef) => self.dialect.optional_without_parameters.accepts_all(),
            (T::Optional(_), Value::Undef) => true,
            (T::Optional(Some(it)), _) => self.holds(it, value),
            (T::NotUndef(_), Value::Undef) => false,
            (T::NotUndef(it), _) => it.as_ref().is_none_or(|it| self.holds(it, value)),
            (T::Iterable(element), _) => self.iterable_holds(it, element.as_ref(), value),
            (T::Iterator(element), Value::Iterator(iterator)) => element
                .as_ref()
                .is_none_or(|element| assignable(self.dialect, element, &iterator.element_type())),
            (T::Callable(_), Value::Callable(callable)) => {
                assignable(self.dialect, it, &callable.signature())
            }
            (T::Type(wanted), Value::Type(value)) => {
                wanted.as_ref().is_none_or(|wanted| assignable(self.dialect, wanted, value))
            }
            (T::Sensitive(it), Value::Sensitive(value)) => match self.dialect.sensitive_content {
                SensitiveContent::General => self.holds(it, value.unwrap()),
                // An exact check would reveal the size or range of the content.
                SensitiveContent::AsWritten => {
                    assignable(self.dialect, it, &infer_content(self.dialect, value.unwrap()))
                }
            },
            (T::Init { target, arguments }, _) => init::init_holds(self, target.as_ref(), arguments, value),
            (T::Object(None), Value::Object(_)) => true,
            // Types are objects themselves.
            (T::Object(None), Value::Type(_)) => true,
            (T::Object(Some(_)), Value::Object(object)) => assignable(self.dialect, it, &object.object_type),
            (T::ObjectExtension(base, parameters), Value::Object(object)) => {
                self.extension_holds(base, parameters, object)
            }
            (T::TypeSet(_), Value::Type(value)) => matches!(value.resolved().kind(), T::TypeSet(_)),
            (T::Alias(alias), _) => self.alias_holds(alias, value),
            _ => false,
        }
    }

    fn alias_holds(&mut self, alias: &TypeAlias, value: &Value) -> bool {
        let Some(target) = alias.target() else { return false };
        if !alias.is_recursive() {
            return self.holds(target, value);
        }
        let entry = (alias.identity(), std::ptr::from_ref(value) as usize);
        // The same alias and value again: no new information.
        if self.entered.contains(&entry) {
            self.cuts = self.cuts.saturating_add(1);
            return false;
        }
        self.entered.push(entry);
        let holds = with_stack(|| self.holds(target, value));
        self.entered.pop();
        holds
    }

    /// Runs a check of the construction of a type, unless it is already in progress: then the answer is no.
    pub(super) fn entering(
        &mut self,
        target: &Type,
        value: &Value,
        ask: impl FnOnce(&mut Self) -> bool,
    ) -> bool {
        let entered = |(address, other): &(usize, Value)| *address == target.address() && other == value;
        if self.constructed.iter().any(entered) {
            self.cuts = self.cuts.saturating_add(1);
            return false;
        }
        self.constructed.push((target.address(), value.clone()));
        let holds = ask(self);
        self.constructed.pop();
        holds
    }

    fn tuple_holds(&mut self, tuple: &TupleType, elements: &[Value]) -> bool {
        let mut pairs = elements.iter().enumerate();
        tuple.size_range().contains(elements.len())
            && (tuple.types.is_empty()
                || pairs.all(|(index, value)| tuple.type_at(index).is_some_and(|it| self.holds(it, value))))
    }

    fn struct_holds(&mut self, elements: &[StructElement], hash: &crate::value::Hash) -> bool {
        if elements.is_empty() && self.dialect.struct_without_parameters.accepts_all() {
            return true;
        }
        let mut matched = 0;
        let fits = elements.iter().all(|element| match hash.get_str(&element.name) {
            None => element.optional,
            Some(value) => {
                matched += 1;
                self.holds(&element.value, value)
            }
        });
        fits && matched == hash.len()
    }

    fn iterable_holds(&mut self, it: &Type, element: Option<&Type>, value: &Value) -> bool {
        let any = element.is_none_or(|element| assignable(self.dialect, element, &ANY));
        let is_empty = match value {
            Value::Array(elements) => elements.is_empty(),
            Value::Hash(hash) => hash.is_empty(),
            Value::String(text) => text.is_empty(),
            _ => false,
        };
        if is_empty && self.dialect.empty_values_iterate_all {
            return true;
        }
        if !any {
            return assignable(self.dialect, it, &infer(self.dialect, value));
        }
        match value {
            Value::Iterator(_) | Value::String(_) | Value::Hash(_) | Value::Array(_) => true,
            Value::Integer(number) => *number >= 0.into(),
            Value::Type(it) => iterable::is_iterable_itself(self.dialect, it),
            _ => false,
        }
    }

    fn uri_holds(&mut self, it: &UriType, uri: &Uri) -> bool {
        it.parts.iter().all(|(name, wanted)| {
            let mut part = uri_part(uri, name);
            if self.dialect.empty_uri_parts == EmptyUriParts::AreMissing && part.as_str() == Some("") {
                part = Value::Undef;
            }
            matches::matches(self.dialect, &part, wanted)
        })
    }

    fn extension_holds(
        &mut self,
        base: &std::sync::Arc<ObjectType>,
        parameters: &[(Str, Value)],
        object: &Object,
    ) -> bool {
        let base: Type = TypeKind::Object(Some(base.clone())).into();
        assignable(self.dialect, &base, &object.object_type)
            && parameters.iter().all(|(name, wanted)| {
                object.attribute(name).is_some_and(|value| matches::matches(self.dialect, value, wanted))
            })
    }
}

/// Returns a part of a URI as an attribute value.
fn uri_part(uri: &Uri, name: &str) -> Value {
    let text = match name {
        "scheme" => uri.scheme(),
        "userinfo" => uri.userinfo(),
        "host" => uri.host(),
        "port" => return uri.port().map_or(Value::Undef, |it| Value::Integer(BigInt::from(it).into())),
        "path" => return uri.path().map_or(Value::Undef, |it| Value::from(&*it)),
        "query" => uri.query(),
        "fragment" => uri.fragment(),
        "opaque" => uri.opaque(),
        _ => None,
    };
    text.map_or(Value::Undef, Value::from)
}

fn string_holds(it: &StringType, text: &str) -> bool {
    match it {
        StringType::Any => true,
        StringType::Sized(size) => size.contains(text.chars().count()),
        StringType::Literal(wanted) => wanted == text,
        StringType::Among(wanted) => wanted.contains(text),
    }
}

fn has_size(size: Option<Size>, count: usize) -> bool {
    size.is_none_or(|size| size.contains(count))
}

fn lies_in<T: PartialOrd>(from: Option<&T>, to: Option<&T>, value: &T) -> bool {
    from.is_none_or(|from| from <= value) && to.is_none_or(|to| value <= to)
}

fn is_scalar_data(value: &Value) -> bool {
    matches!(value, Value::String(_) | Value::Integer(_) | Value::Float(_) | Value::Boolean(_))
}

fn is_scalar(value: &Value) -> bool {
    is_scalar_data(value)
        || matches!(value, Value::Regexp(_) | Value::SemVer(_) | Value::Timespan(_) | Value::Timestamp(_))
}
