//! `Gem::Version`, `Gem::Requirement` and `Gem::Dependency`

use std::any::Any;
use std::cell::Ref;
use std::cmp::Ordering;
use std::rc::Rc;

use num_bigint::BigInt;

use super::support::new_object;
use crate::native::{Call, NativeClass, NativeMethod, at_least, between, exactly};
use crate::stop::{Result, unsupported};
use crate::value::{Data, Object};
use crate::{Value, Vm};

/// A part of a version.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Segment {
    Number(BigInt),
    Text(String),
}

/// A version of a gem.
#[derive(Clone, Debug)]
struct Version {
    text: String,
}

impl Data for Version {
    fn eql(&self, other: &Ref<'_, Box<dyn Data>>) -> bool {
        (&***other as &dyn Any).downcast_ref::<Version>().is_some_and(|it| it.text == self.text)
    }

    fn key_hash(&self) -> Option<u64> {
        Some(self.text.bytes().fold(7, |hash: u64, it| hash.wrapping_mul(31).wrapping_add(u64::from(it))))
    }

    fn copy(&self) -> Option<Box<dyn Data>> {
        Some(Box::new(self.clone()))
    }
}

fn is_blank(character: char) -> bool {
    matches!(character, ' ' | '\t'..='\r')
}

/// Whether a text is a version: numbers and words between dots, perhaps a part after a hyphen.
fn is_correct(text: &str) -> bool {
    let text = text.trim_matches(is_blank);
    if text.is_empty() {
        return true;
    }
    let (main, pre) = match text.split_once('-') {
        Some((main, pre)) => (main, Some(pre)),
        None => (text, None),
    };
    let word = |it: &str| !it.is_empty() && it.bytes().all(|it| it.is_ascii_alphanumeric());
    let mut parts = main.split('.');
    let first = parts.next().unwrap_or_default();
    let starts = !first.is_empty() && first.bytes().all(|it| it.is_ascii_digit());
    let part = |it: &str| !it.is_empty() && it.bytes().all(|it| it.is_ascii_alphanumeric() || it == b'-');
    starts && parts.all(word) && pre.is_none_or(|pre| pre.split('.').all(part))
}

impl Version {
    /// Reads a version. None if the text is not one.
    fn parse(text: &str) -> Option<Version> {
        if !is_correct(text) {
            return None;
        }
        let text = text.trim_matches(is_blank);
        let text = if text.is_empty() { "0".to_owned() } else { text.replace('-', ".pre.") };
        Some(Version { text })
    }

    fn segments(&self) -> Vec<Segment> {
        let mut segments = Vec::new();
        let mut rest = self.text.as_str();
        while let Some(start) = rest.find(|it: char| it.is_ascii_alphanumeric()) {
            rest = &rest[start..];
            let is_number = rest.starts_with(|it: char| it.is_ascii_digit());
            let ends = |it: char| if is_number { !it.is_ascii_digit() } else { !it.is_ascii_alphabetic() };
            let (word, after) = rest.split_at(rest.find(ends).unwrap_or(rest.len()));
            segments.push(match word.parse() {
                Ok(number) => Segment::Number(number),
                Err(_) => Segment::Text(word.to_owned()),
            });
            rest = after;
        }
        segments
    }

    /// The segments without zeroes at the end of their numbers and at the end of the words after them.
    fn canonical(&self) -> Vec<Segment> {
        let mut numbers = self.segments();
        let words = numbers.iter().position(|it| matches!(it, Segment::Text(_))).unwrap_or(numbers.len());
        let mut words = numbers.split_off(words);
        let is_zero = |it: Option<&Segment>| matches!(it, Some(Segment::Number(it)) if *it == BigInt::ZERO);
        for part in [&mut numbers, &mut words] {
            while is_zero(part.last()) {
                part.pop();
            }
        }
        numbers.extend(words);
        numbers
    }

    fn compare(&self, other: &Version) -> Ordering {
        let (left, right) = (self.canonical(), other.canonical());
        let zero = Segment::Number(BigInt::ZERO);
        for index in 0..left.len().max(right.len()) {
            let order = match (left.get(index).unwrap_or(&zero), right.get(index).unwrap_or(&zero)) {
                (Segment::Text(_), Segment::Number(_)) => Ordering::Less,
                (Segment::Number(_), Segment::Text(_)) => Ordering::Greater,
                (Segment::Number(a), Segment::Number(b)) => a.cmp(b),
                (Segment::Text(a), Segment::Text(b)) => a.cmp(b),
            };
            if order != Ordering::Equal {
                return order;
            }
        }
        Ordering::Equal
    }

    fn is_prerelease(&self) -> bool {
        self.text.bytes().any(|it| it.is_ascii_alphabetic())
    }

    /// The numbers before the first word, and after words only if no word follows.
    fn released(&self) -> Vec<BigInt> {
        let segments = self.segments();
        let words = segments.iter().position(|it| matches!(it, Segment::Text(_))).unwrap_or(segments.len());
        let numbers = segments.into_iter().take(words);
        numbers.filter_map(|it| if let Segment::Number(it) = it { Some(it) } else { None }).collect()
    }

    fn release(&self) -> Version {
        match self.is_prerelease() {
            true => Version { text: joined(&self.released()) },
            false => self.clone(),
        }
    }

    /// The next version of the level above the last number.
    fn bump(&self) -> Version {
        let mut numbers = self.released();
        if numbers.len() > 1 {
            numbers.pop();
        }
        if let Some(last) = numbers.last_mut() {
            *last += 1;
        }
        Version { text: joined(&numbers) }
    }
}

fn joined(numbers: &[BigInt]) -> String {
    let texts: Vec<String> = numbers.iter().map(BigInt::to_string).collect();
    texts.join(".")
}

/// A comparison with a version.
#[derive(Clone, Debug)]
struct Clause {
    operator: &'static str,
    version: Version,
}

const OPERATORS: [&str; 7] = ["!=", ">=", "<=", "~>", "=", ">", "<"];

impl Clause {
    fn parse(text: &str) -> Option<Clause> {
        let trimmed = text.trim_start_matches(is_blank);
        let operator = OPERATORS.into_iter().find(|it| trimmed.starts_with(it));
        let rest = operator.map_or(trimmed, |it| &trimmed[it.len()..]);
        let version = Version::parse(rest)?;
        // A requirement needs a version, which may be empty elsewhere.
        rest.contains(|it: char| it.is_ascii_digit()).then_some(())?;
        Some(Clause { operator: operator.unwrap_or("="), version })
    }

    fn is_satisfied_by(&self, version: &Version) -> bool {
        let order = version.compare(&self.version);
        match self.operator {
            "=" => order.is_eq(),
            "!=" => order.is_ne(),
            ">" => order.is_gt(),
            "<" => order.is_lt(),
            ">=" => order.is_ge(),
            "<=" => order.is_le(),
            _ => order.is_ge() && version.release().compare(&self.version.bump()).is_lt(),
        }
    }

    fn text(&self) -> String {
        format!("{} {}", self.operator, self.version.text)
    }
}

/// A requirement: all of its clauses.
#[derive(Clone, Debug)]
struct Requirement {
    clauses: Vec<Clause>,
}

impl Data for Requirement {
    fn copy(&self) -> Option<Box<dyn Data>> {
        Some(Box::new(self.clone()))
    }
}

/// A gem by name with a requirement.
#[derive(Clone, Debug)]
struct Dependency {
    name: String,
    requirement: Requirement,
}

impl Data for Dependency {
    fn copy(&self) -> Option<Box<dyn Data>> {
        Some(Box::new(self.clone()))
    }
}

fn version_in(value: &Value) -> Option<Version> {
    match value {
        Value::Object(object) => object.data_as::<Version>().map(|it| it.clone()),
        _ => None,
    }
}

fn own(call: &Call<'_>) -> Result<Version> {
    version_in(call.this).map_or_else(|| unsupported("a Gem::Version of another kind"), Ok)
}

fn value(vm: &Vm<'_>, version: Version) -> Value {
    Value::Object(Object::new(Rc::clone(vm.world.class("Gem::Version")), version))
}

/// The text of what a version is made from.
fn source(vm: &mut Vm<'_>, value: &Value) -> Result<String> {
    match value {
        Value::Nil => unsupported("a Gem::Version of nil"),
        other => {
            let text = vm.to_s(other)?;
            vm.world.spend(text.bytes().len())?;
            Ok(text.lossy())
        }
    }
}

fn parsed(vm: &mut Vm<'_>, value: &Value) -> Result<Version> {
    let text = source(vm, value)?;
    match Version::parse(&text) {
        Some(version) => Ok(version),
        None => vm.argument_error(format!("Malformed version number string {text}")),
    }
}

fn new_version(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let version = parsed(vm, call.required(0))?;
    Ok(new_object(vm, call.this, version))
}

fn create(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    match version_in(call.required(0)) {
        Some(_) => Ok(call.required(0).clone()),
        None => new_version(vm, call),
    }
}

fn correct(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let text = source(vm, call.required(0))?;
    Ok(Value::Bool(is_correct(&text)))
}

fn order(vm: &mut Vm<'_>, call: &Call<'_>) -> Result<Option<Ordering>> {
    let own = own(call)?;
    vm.world.spend(own.text.len())?;
    let other = match call.required(0) {
        Value::String(text) => Version::parse(&text.lossy()),
        other => version_in(other),
    };
    Ok(other.map(|it| own.compare(&it)))
}

fn compare(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    Ok(order(vm, call)?.map(|it| it as i64).into())
}

fn segment_values(segments: Vec<Segment>) -> Value {
    let values = segments.into_iter().map(|it| match it {
        Segment::Number(it) => Value::big(it),
        Segment::Text(it) => Value::from(it),
    });
    Value::array(values.collect())
}

fn recommendation(_: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let own = own(call)?;
    let mut numbers = own.released();
    numbers.truncate(2);
    numbers.resize(2, BigInt::ZERO);
    let suffix = if own.is_prerelease() { ".a" } else { "" };
    Ok(Value::from(format!("~> {}{suffix}", joined(&numbers))))
}

fn shown(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let text = Value::from(own(call)?.text);
    let (class, text) = (vm.class_of(call.this).display_name(), vm.inspect(&text)?);
    Ok(Value::from(format!("#<{class} {text}>")))
}

const VERSION: &[NativeMethod] = &[
    exactly("<=>", 1, compare),
    exactly("eql?", 1, |_, call| {
        let own = own(call)?;
        Ok(Value::Bool(version_in(call.required(0)).is_some_and(|it| it.text == own.text)))
    }),
    exactly("to_s", 0, |_, call| Ok(Value::from(own(call)?.text))),
    exactly("version", 0, |_, call| Ok(Value::from(own(call)?.text))),
    exactly("inspect", 0, shown),
    exactly("segments", 0, |_, call| Ok(segment_values(own(call)?.segments()))),
    exactly("canonical_segments", 0, |_, call| Ok(segment_values(own(call)?.canonical()))),
    exactly("prerelease?", 0, |_, call| Ok(Value::Bool(own(call)?.is_prerelease()))),
    exactly("release", 0, |vm, call| {
        let release = own(call)?.release();
        Ok(value(vm, release))
    }),
    exactly("bump", 0, |vm, call| {
        let bumped = own(call)?.bump();
        Ok(value(vm, bumped))
    }),
    exactly("approximate_recommendation", 0, recommendation),
];

/// The clauses by arguments: texts, versions, and arrays of them.
fn clauses(vm: &mut Vm<'_>, values: &[Value]) -> Result<Requirement> {
    let mut clauses: Vec<Clause> = Vec::new();
    for value in values {
        if let Some(version) = version_in(value) {
            clauses.push(Clause { operator: "=", version });
            continue;
        }
        match value {
            Value::Nil => {}
            Value::Array(inner) => {
                vm.world.spend(1)?;
                let inner = inner.snapshot();
                if inner.iter().any(|it| matches!(it, Value::Array(_))) {
                    return unsupported("a Gem::Requirement of nested arrays");
                }
                clauses.extend(self::clauses(vm, &inner)?.clauses);
            }
            Value::Object(_) => return unsupported("a Gem::Requirement of this object"),
            other => {
                let text = vm.to_s(other)?.lossy();
                vm.world.spend(text.len())?;
                match Clause::parse(&text) {
                    Some(clause) if clauses.iter().any(|it| it.text() == clause.text()) => {}
                    Some(clause) => clauses.push(clause),
                    None => {
                        let shown = vm.inspect(other)?;
                        let message = format!("Illformed requirement [{shown}]");
                        return vm.raise_named("Gem::Requirement::BadRequirementError", message);
                    }
                }
            }
        }
    }
    Ok(Requirement { clauses })
}

fn requirement(vm: &mut Vm<'_>, values: &[Value]) -> Result<Requirement> {
    let mut requirement = clauses(vm, values)?;
    if requirement.clauses.is_empty() {
        requirement.clauses.push(Clause { operator: ">=", version: Version { text: "0".to_owned() } });
    }
    Ok(requirement)
}

fn requirement_in(value: &Value) -> Option<Requirement> {
    match value {
        Value::Object(object) => object.data_as::<Requirement>().map(|it| it.clone()),
        _ => None,
    }
}

fn own_requirement(call: &Call<'_>) -> Result<Requirement> {
    requirement_in(call.this).map_or_else(|| unsupported("a Gem::Requirement of another kind"), Ok)
}

fn new_requirement(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let requirement = requirement(vm, call.arguments)?;
    Ok(new_object(vm, call.this, requirement))
}

fn create_requirement(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    match call.arguments {
        [one] if requirement_in(one).is_some() => Ok(one.clone()),
        [Value::String(text)] if text.bytes().as_slice() == b"!" => {
            unsupported("Gem::Requirement.create('!')")
        }
        _ => new_requirement(vm, call),
    }
}

fn satisfied(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let own = own_requirement(call)?;
    let Some(version) = version_in(call.required(0)) else {
        let shown = vm.inspect(call.required(0))?;
        return vm.argument_error(format!("Need a Gem::Version: {shown}"));
    };
    vm.world.spend(own.clauses.len() * version.text.len())?;
    Ok(Value::Bool(own.clauses.iter().all(|it| it.is_satisfied_by(&version))))
}

fn clause_texts(call: &Call<'_>) -> Result<Vec<String>> {
    Ok(own_requirement(call)?.clauses.iter().map(Clause::text).collect())
}

const REQUIREMENT: &[NativeMethod] = &[
    exactly("satisfied_by?", 1, satisfied),
    exactly("===", 1, satisfied),
    exactly("=~", 1, satisfied),
    exactly("to_s", 0, |_, call| Ok(Value::from(clause_texts(call)?.join(", ")))),
    exactly("as_list", 0, |_, call| {
        Ok(Value::array(clause_texts(call)?.into_iter().map(Value::from).collect()))
    }),
    exactly("prerelease?", 0, |_, call| {
        let own = own_requirement(call)?;
        Ok(Value::Bool(own.clauses.iter().any(|it| it.version.is_prerelease())))
    }),
];

fn new_dependency(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let Value::String(name) = call.required(0) else {
        return unsupported("a Gem::Dependency without a name");
    };
    let rest = call.arguments.get(1..).unwrap_or_default();
    if rest.iter().any(|it| matches!(it, Value::Symbol(_))) {
        return unsupported("a Gem::Dependency with a type");
    }
    let requirement = match rest {
        [one] => match requirement_in(one) {
            Some(it) => it,
            None => requirement(vm, rest)?,
        },
        _ => requirement(vm, rest)?,
    };
    Ok(new_object(vm, call.this, Dependency { name: name.lossy(), requirement }))
}

fn dependency_matches(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let dependency = match call.this {
        Value::Object(object) => object.data_as::<Dependency>().map(|it| it.clone()),
        _ => None,
    };
    let Some(dependency) = dependency else { return unsupported("a Gem::Dependency of another kind") };
    let (Value::String(name), Some(version)) = (call.required(0), call.argument(1)) else {
        return unsupported("Gem::Dependency#match? of this object");
    };
    if name.lossy() != dependency.name {
        return Ok(Value::Bool(false));
    }
    let version = match version_in(version) {
        Some(it) => it,
        None => parsed(vm, version)?,
    };
    let clauses = &dependency.requirement.clauses;
    let is_default = matches!(&clauses[..], [one] if one.operator == ">=" && one.version.text == "0");
    if is_default && !version.is_prerelease() {
        return Ok(Value::Bool(true));
    }
    let allows =
        clauses.iter().any(|it| it.version.is_prerelease()) || call.argument(2).is_some_and(Value::is_truthy);
    if version.is_prerelease() && !allows {
        return Ok(Value::Bool(false));
    }
    Ok(Value::Bool(clauses.iter().all(|it| it.is_satisfied_by(&version))))
}

/// The classes of this library.
pub(super) static CLASSES: &[NativeClass] = &[
    NativeClass { name: "Gem", ..NativeClass::EMPTY },
    NativeClass {
        name: "Gem::Version",
        superclass: Some("Object"),
        includes: &["Comparable"],
        methods: &[VERSION],
        singleton_methods: &[&[
            exactly("new", 1, new_version),
            exactly("create", 1, create),
            exactly("correct?", 1, correct),
        ]],
        ..NativeClass::EMPTY
    },
    NativeClass {
        name: "Gem::Requirement",
        superclass: Some("Object"),
        methods: &[REQUIREMENT],
        singleton_methods: &[&[
            at_least("new", 0, new_requirement),
            at_least("create", 1, create_requirement),
            exactly("default", 0, new_requirement),
        ]],
        ..NativeClass::EMPTY
    },
    NativeClass {
        name: "Gem::Requirement::BadRequirementError",
        superclass: Some("ArgumentError"),
        ..NativeClass::EMPTY
    },
    NativeClass {
        name: "Gem::Dependency",
        superclass: Some("Object"),
        methods: &[&[between("match?", 1, 3, dependency_matches)]],
        singleton_methods: &[&[at_least("new", 1, new_dependency)]],
        ..NativeClass::EMPTY
    },
];
