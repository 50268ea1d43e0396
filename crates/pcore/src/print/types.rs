use super::{Printer, float_text, quote};
use crate::dialect::{AliasText, Dialect};
use crate::relation::assignable;
use crate::types::{
    CallableType, EnumType, FloatRange, IntegerRange, ObjectType, ResourceType, Size, StringType,
    StructElement, TupleType, Type, TypeAlias, TypeKind, builtin_alias,
};
use crate::value::Value;
use marotte_text::Str;

/// The length of a text, in bytes, beyond which names in it are no longer expanded.
const EXPANDED_LIMIT: usize = 64 << 10;

impl Printer {
    /// Writes the string form of a type.
    pub(super) fn it(&mut self, it: &Type) {
        let name = match it.kind() {
            TypeKind::Any => self.names.any,
            TypeKind::Unit => "Unit",
            TypeKind::Undef => "Undef",
            TypeKind::Default => "Default",
            TypeKind::Scalar => self.names.scalar,
            TypeKind::ScalarData => "ScalarData",
            TypeKind::Numeric => "Numeric",
            TypeKind::SemVerRange => "SemVerRange",
            TypeKind::Binary => "Binary",
            TypeKind::CatalogEntry => "CatalogEntry",
            TypeKind::Integer(range) => {
                let bounds = self.bounds_of_range(integer_bounds(range));
                return self.parameters("Integer", bounds);
            }
            TypeKind::Float(range) => {
                let bounds = self.bounds_of_range(float_bounds(*range));
                return self.parameters("Float", bounds);
            }
            TypeKind::String(StringType::Sized(size)) => return self.parameters("String", bounds(*size)),
            TypeKind::String(_) => "String",
            TypeKind::Enum(it) => return self.parameters("Enum", enum_values(it)),
            TypeKind::Pattern(it) => {
                return self.each("Pattern", &it.patterns, |it, p| it.regexp(p.source()));
            }
            TypeKind::Boolean(value) => {
                return self.each("Boolean", value.as_slice(), |it, value| it.value(&(*value).into()));
            }
            TypeKind::Regexp(it) => {
                return self.each("Regexp", it.as_slice(), |it, regexp| it.regexp(regexp.source()));
            }
            TypeKind::SemVer(ranges) => return self.each("SemVer", ranges, |it, range| it.quoted(range)),
            TypeKind::Timespan(from, to) => return self.time("Timespan", from.as_ref(), to.as_ref()),
            TypeKind::Timestamp(from, to) => return self.time("Timestamp", from.as_ref(), to.as_ref()),
            TypeKind::Uri(it) => {
                let parts = [&*it.parts];
                let given = if it.parts.is_empty() { &[][..] } else { &parts[..] };
                return self.each("URI", given, |it, parts| it.named_values(parts));
            }
            TypeKind::Collection(size) => {
                return self.parameters("Collection", size.map(bounds).unwrap_or_default());
            }
            TypeKind::Array(_, Some(Size::ZERO)) => "Array[0, 0]",
            TypeKind::Hash(_, _, Some(Size::ZERO)) => "Hash[0, 0]",
            TypeKind::Array(element, size) => {
                let types = if is_any(element) && size.is_none() { &[][..] } else { &[element][..] };
                return self.sized("Array", types, *size);
            }
            TypeKind::Hash(key, value, size) => {
                let is_default = is_any(key) && is_any(value) && size.is_none();
                let types = if is_default { &[][..] } else { &[key, value][..] };
                return self.sized("Hash", types, *size);
            }
            TypeKind::Tuple(tuple) => {
                // Without types, the size is meaningless.
                let size = if tuple.types.is_empty() { None } else { tuple.size };
                return self.sized("Tuple", &tuple.types.iter().collect::<Vec<_>>(), size);
            }
            TypeKind::Struct(elements) => return self.structure(elements),
            TypeKind::Variant(types) => return self.each("Variant", types, Printer::it),
            TypeKind::Optional(inner) => return self.each("Optional", inner.as_slice(), Printer::it_or_text),
            TypeKind::NotUndef(inner) => return self.each("NotUndef", inner.as_slice(), Printer::it_or_text),
            TypeKind::Iterable(inner) => return self.each("Iterable", inner.as_slice(), Printer::it),
            TypeKind::Iterator(inner) => return self.each("Iterator", inner.as_slice(), Printer::it),
            TypeKind::Type(inner) => return self.each("Type", inner.as_slice(), Printer::it),
            TypeKind::Sensitive(inner) if is_any(inner) => "Sensitive",
            TypeKind::Sensitive(inner) => return self.each("Sensitive", &[inner], |it, inner| it.it(inner)),
            TypeKind::Init { target, arguments } => {
                let target = target.iter().map(|it| Value::Type(it.clone()));
                let parameters: Vec<Value> = target.chain(arguments.iter().cloned()).collect();
                return self.each("Init", &parameters, Printer::value);
            }
            TypeKind::Callable(callable) => return self.callable(callable),
            TypeKind::Resource(resource) => return self.resource(resource),
            TypeKind::Class(name) => {
                // The reference writes no quotes here.
                return self.each("Class", name.as_slice(), |it, name| it.text.push_str(name));
            }
            TypeKind::Runtime { runtime: None, name: None, pattern: None } => "Runtime",
            TypeKind::Runtime { name, .. } if let Some(platform) = self.names.platform => {
                return self.each(platform, name.as_slice(), |it, name| it.text.push_str(&quote(name)));
            }
            TypeKind::Runtime { runtime, name, pattern } => {
                self.text.push_str("Runtime[");
                let runtime = runtime.as_deref().unwrap_or("undef");
                match self.names.platform_in_quotes {
                    true => self.text.push_str(&quote(runtime)),
                    false => self.text.push_str(runtime),
                }
                self.text.push_str(", ");
                match (name, pattern) {
                    (Some(name), _) => self.text.push_str(&quote(name)),
                    (None, Some((pattern, replacement))) => {
                        let pair = [Value::Regexp(pattern.clone()), Value::String(replacement.clone())];
                        self.value(&Value::Array(pair.into()));
                    }
                    (None, None) => self.text.push_str("undef"),
                }
                return self.text.push(']');
            }
            TypeKind::Object(object) => return self.object(it, object.as_deref()),
            TypeKind::ObjectExtension(base, parameters) => return self.extension(base, parameters),
            TypeKind::TypeSet(set) => return self.set(set.as_ref()),
            TypeKind::Alias(alias) => return self.alias(it, alias),
            TypeKind::Reference(name) => {
                return self.each("TypeReference", &[name], |it, name| it.text.push_str(&quote(name)));
            }
        };
        self.text.push_str(name);
    }

    /// The bounds of a range, with an explicit upper one if a single bound would mean both.
    fn bounds_of_range(&self, mut bounds: Vec<String>) -> Vec<String> {
        if bounds.len() == 1 && !self.names.one_number_is_lower_end {
            bounds.push("default".to_owned());
        }
        bounds
    }

    /// Writes parameters that are already formatted.
    fn parameters(&mut self, name: &str, parameters: Vec<String>) {
        self.each(name, &parameters, |it, parameter| it.text.push_str(parameter));
    }

    /// Writes a type; a function writes each parameter.
    pub(super) fn each<P>(&mut self, name: &str, parameters: &[P], write: impl Fn(&mut Printer, &P)) {
        self.text.push_str(name);
        if parameters.is_empty() {
            return;
        }
        self.text.push('[');
        for (at, parameter) in parameters.iter().enumerate() {
            self.separator(at);
            write(self, parameter);
        }
        self.text.push(']');
    }

    /// Writes types, then a size.
    fn sized(&mut self, name: &str, types: &[&Type], size: Option<Size>) {
        let types = types.iter().copied().map(Part::Type);
        let parts: Vec<Part<'_>> = types.chain(size.into_iter().flat_map(bounds).map(Part::Text)).collect();
        self.each(name, &parts, Printer::part);
    }

    fn part(&mut self, part: &Part<'_>) {
        match part {
            Part::Type(it) => self.it(it),
            Part::Text(text) => self.text.push_str(text),
        }
    }

    /// Writes a type; the type of one string as that string.
    fn it_or_text(&mut self, it: &Type) {
        match it.kind() {
            TypeKind::String(StringType::Literal(text)) => self.text.push_str(&quote(text)),
            _ => self.it(it),
        }
    }

    fn time<T: std::fmt::Display + PartialEq>(&mut self, name: &str, from: Option<&T>, to: Option<&T>) {
        self.text.push_str(name);
        if from.is_none() && to.is_none() {
            return;
        }
        self.text.push('[');
        match from {
            Some(from) => self.quoted(from),
            None => self.text.push_str("default"),
        }
        match to {
            Some(to) if from != Some(to) => {
                self.text.push_str(", ");
                self.quoted(to);
            }
            // A single bound would mean both.
            None if !self.names.one_number_is_lower_end => self.text.push_str(", default"),
            _ => {}
        }
        self.text.push(']');
    }

    fn structure(&mut self, elements: &[StructElement]) {
        self.text.push_str("Struct");
        if elements.is_empty() {
            return;
        }
        self.text.push('[');
        self.entries(elements, |it, element| {
            let name = quote(&element.name);
            // By default, a key is optional if its value accepts `undef`.
            let implied = assignable(Dialect::puppet8(), &element.value, &Type::undef());
            let key = match (element.optional, implied) {
                (true, false) => format!("Optional[{name}]"),
                (false, true) => format!("NotUndef[{name}]"),
                _ => name,
            };
            it.text.push_str(&key);
            it.text.push_str(" => ");
            it.it(&element.value);
        });
        self.text.push(']');
    }

    fn callable(&mut self, callable: &CallableType) {
        self.text.push_str("Callable");
        match (&callable.parameters, &callable.returns) {
            (None, None) => {}
            (Some(parameters), None) => {
                self.each("", &callable_parameters(parameters, callable.block.as_ref()), Printer::part);
            }
            (parameters, Some(returns)) => {
                self.text.push('[');
                match parameters {
                    Some(parameters) => {
                        self.each(
                            "",
                            &callable_parameters(parameters, callable.block.as_ref()),
                            Printer::part,
                        );
                    }
                    None => self.text.push_str("[0, default]"),
                }
                self.text.push_str(", ");
                self.it(returns);
                self.text.push(']');
            }
        }
    }

    fn resource(&mut self, resource: &ResourceType) {
        let Some(type_name) = &resource.type_name else { return self.text.push_str("Resource") };
        let type_name = capitalize_segments(type_name);
        self.each(&type_name, resource.title.as_slice(), |it, title| it.text.push_str(&quote(title)));
    }

    fn alias(&mut self, it: &Type, alias: &TypeAlias) {
        if self.names.aliases == AliasText::Originals && !is_builtin(it) {
            return self.original(alias);
        }
        // The expansion can double with each name.
        let expand = self.expanded && self.text.len() <= EXPANDED_LIMIT;
        if !expand || !alias.is_recursive() || self.recurs {
            return self.alias_form(it, alias, expand && !self.recurs);
        }
        if self.entered.contains(&alias.identity()) {
            self.recurs = true;
            return self.alias_form(it, alias, false);
        }
        self.entered.push(alias.identity());
        self.alias_form(it, alias, true);
        self.recurs = false;
        self.entered.pop();
    }

    /// Writes the resolved type of an alias; inside it, the alias by its name.
    fn original(&mut self, alias: &TypeAlias) {
        match alias.target() {
            // The expansion can double with each name.
            Some(target)
                if self.text.len() <= EXPANDED_LIMIT && !self.entered.contains(&alias.identity()) =>
            {
                self.entered.push(alias.identity());
                self.it(target);
                self.entered.pop();
            }
            _ => self.text.push_str(alias.name()),
        }
    }

    fn alias_form(&mut self, it: &Type, alias: &TypeAlias, expand: bool) {
        if let Some(set) = self.type_set.clone() {
            let own = set.types.iter().find(|(_, other)| other == it);
            return match (own, alias.target()) {
                (Some(_), Some(target)) if expand => self.it(target),
                (Some((name, _)), _) => self.text.push_str(name),
                (None, _) => self.text.push_str(alias.name()),
            };
        }
        self.text.push_str(alias.name());
        if expand
            && !is_builtin(it)
            && let Some(target) = alias.target()
        {
            self.text.push_str(" = ");
            self.it(target);
        }
    }

    fn extension(&mut self, base: &ObjectType, parameters: &[(Str, Value)]) {
        let names = base.all_type_parameters();
        self.text.push_str(base.label());
        self.text.push('[');
        if names.len() > 2 {
            self.named_values(parameters);
        } else {
            let given = |name: &Str| parameters.iter().find(|(other, _)| other == name).map(|(_, it)| it);
            let mut values: Vec<Value> =
                names.keys().map(|name| given(name).cloned().unwrap_or(Value::Default)).collect();
            while values.last() == Some(&Value::Default) {
                values.pop();
            }
            for (at, value) in values.iter().enumerate() {
                self.separator(at);
                self.value(value);
            }
        }
        self.text.push(']');
    }

    /// Writes a hash of names and values.
    pub(super) fn named_values(&mut self, values: &[(Str, Value)]) {
        self.entries(values, |it, (name, value)| {
            it.text.push_str(&quote(name));
            it.text.push_str(" => ");
            it.value(value);
        });
    }
}

/// An element of a comma-separated list.
enum Part<'t> {
    Type(&'t Type),
    Text(String),
}

fn callable_parameters<'t>(parameters: &'t TupleType, block: Option<&'t Type>) -> Vec<Part<'t>> {
    let types = parameters.types.iter().filter(|it| !matches!(it.kind(), TypeKind::Unit));
    let size = if parameters.types.is_empty() { Some(Size::ZERO) } else { parameters.size };
    let size = size.into_iter().flat_map(bounds).map(Part::Text);
    types.map(Part::Type).chain(size).chain(block.map(Part::Type)).collect()
}

fn is_any(it: &Type) -> bool {
    matches!(it.kind(), TypeKind::Any)
}

/// Whether a type is one of the builtin aliases, which aren't expanded.
pub fn is_builtin(it: &Type) -> bool {
    let TypeKind::Alias(alias) = it.kind() else { return false };
    builtin_alias(&alias.name().to_lowercase()).is_some()
}

fn bounds(size: Size) -> Vec<String> {
    [size.min].into_iter().chain(size.max).map(|it| it.to_string()).collect()
}

fn integer_bounds(range: &IntegerRange) -> Vec<String> {
    if range.from.is_none() && range.to.is_none() {
        return Vec::new();
    }
    let (first, last) = if range.descends { (&range.to, &range.from) } else { (&range.from, &range.to) };
    let first = first.as_ref().map_or_else(|| "default".to_owned(), ToString::to_string);
    [first].into_iter().chain(last.as_ref().map(ToString::to_string)).collect()
}

fn float_bounds(range: FloatRange) -> Vec<String> {
    if range == FloatRange::ALL {
        return Vec::new();
    }
    let from = if range.from == f64::NEG_INFINITY { "default".to_owned() } else { float_text(range.from) };
    let to = (range.to != f64::INFINITY).then(|| float_text(range.to));
    [from].into_iter().chain(to).collect()
}

fn enum_values(it: &EnumType) -> Vec<String> {
    if it.values().is_empty() {
        return Vec::new();
    }
    let flag = it.is_case_insensitive().then(|| "true".to_owned());
    it.values().iter().map(|it| quote(it)).chain(flag).collect()
}

/// Capitalizes each segment of a type name, unless the first one is already capitalized.
pub fn capitalize_segments(name: &str) -> String {
    if name.starts_with(|it: char| it.is_ascii_uppercase()) {
        return name.to_owned();
    }
    if name.is_ascii() {
        return capitalized_ascii(name);
    }
    let mut text = String::with_capacity(name.len());
    for (index, segment) in name.split("::").enumerate() {
        if index > 0 {
            text.push_str("::");
        }
        let mut chars = segment.chars();
        text.extend(chars.next().into_iter().flat_map(char::to_uppercase));
        text.push_str(&chars.as_str().to_lowercase());
    }
    text
}

fn capitalized_ascii(name: &str) -> String {
    let mut text = name.to_ascii_lowercase();
    let mut start = 0;
    loop {
        if let Some(first) = text.get_mut(start..start + 1) {
            first.make_ascii_uppercase();
        }
        match text.as_bytes()[start..].windows(2).position(|it| it == b"::") {
            Some(at) => start += at + 2,
            None => return text,
        }
    }
}
