//! `newparam`, `newproperty` and `ensurable`.

use foldhash::HashMap;
use marotte_text::Str;

use super::super::model::{self, Attribute, AttributeKind, Matching, Values};
use super::body::is_utility;
use super::is_deprecated;
use crate::evaluate::{Scope, Value, Visit, scrub};
use crate::syntax::{Block, Call, Expr, ExprKind};

/// A statement that changes an attribute's values has to mention one of these words.
const TRIGGERS: &[&str] =
    &["newvalue", "aliasvalue", "defaultvalues", "validate", "eval", "send", "define_", "initvars", "self"];

/// A statement that changes any other property of an attribute has to mention one of these words.
const STRONG_TRIGGERS: &[&str] = &["isnamevar", "array_matching", "required_features"];

/// Calls without a receiver that do not affect what is known about an attribute.
const HARMLESS: &[&str] = &[
    "munge",
    "unmunge",
    "isrequired",
    "sensitive",
    "attr_accessor",
    "attr_reader",
    "attr_writer",
    "alias_method",
    "private",
    "public",
    "protected",
    "require",
    "require_relative",
    "raise",
    "warn",
    "warning",
    "puts",
    "proxymethods",
    "accept_arrays",
];

/// The data read from an attribute's declaration.
pub(super) struct Read {
    pub(super) attribute: Attribute,
    /// Whether it is known if the attribute is a namevar.
    pub(super) complete: bool,
}

/// The known properties of the class that an attribute inherits from.
struct Parent {
    /// The values with which the attribute starts.
    values: Values,
    validated: bool,
    /// Whether it is the parent of `ensure`, which has `defaultvalues`.
    ensure: bool,
}

/// Reads an attribute that is declared with a name, options and a block. `None` if its name is unknown.
pub(super) fn declared(
    scope: &mut Scope<'_>,
    kind: AttributeKind,
    arguments: &[Expr],
    block: Option<&Block>,
) -> Option<Read> {
    let arguments = scope.list(arguments)?;
    let (name, options) = match &arguments[..] {
        [name] => (name.text()?, &Value::Hash(Vec::new())),
        [name, options] => (name.text()?, options),
        _ => return None,
    };
    let known = matches!(options, Value::Hash(pairs) if pairs.iter().all(|(key, _)| *key != Value::Unknown));
    let mut reader = Reader::new(name.clone(), kind, parent(kind, options.get("parent")));
    reader.complete = known;
    if !known {
        reader.attribute.values = Values::Unknown;
    }
    reader.options(options);
    Some(reader.finish(scope, block))
}

/// Reads `ensurable`, with or without a block.
pub(super) fn ensure(scope: &mut Scope<'_>, block: Option<&Block>) -> Read {
    if block.is_none() {
        return Read { attribute: default_ensure(), complete: true };
    }
    let parent = Parent { values: Values::Any, validated: false, ensure: true };
    Reader::new("ensure".into(), AttributeKind::Property, parent).finish(scope, block)
}

/// The property `ensure` of `ensurable` without a block.
pub(super) fn default_ensure() -> Attribute {
    let words = ["present", "absent"].map(|name| model::Value { name: name.into(), aliases: Vec::new() });
    let values = Values::Listed { words: words.into(), patterns: Vec::new() };
    Attribute { values, ..Attribute::new("ensure", AttributeKind::Property) }
}

/// The properties of the reference's own parent classes. Values of a parent are not inherited, but its validation is.
fn parent(kind: AttributeKind, parent: &Value) -> Parent {
    let plain = |values, validated| Parent { values, validated, ensure: false };
    let Value::Constant(path) = parent else {
        return plain(if *parent == Value::Nil { Values::Any } else { Values::Unknown }, false);
    };
    let path = path.strip_prefix("Puppet::").unwrap_or(path);
    match (kind, path) {
        (AttributeKind::Parameter, "Parameter::Boolean") => {
            let words = ["true", "false", "yes", "no"];
            let words = words.map(|name| model::Value { name: name.into(), aliases: Vec::new() });
            plain(Values::Listed { words: words.into(), patterns: Vec::new() }, false)
        }
        // It decides at run time which values it accepts.
        (AttributeKind::Property, "Property::Boolean") => plain(Values::Unknown, false),
        (AttributeKind::Parameter, "Parameter::Path") => plain(Values::Any, true),
        (AttributeKind::Property, "Property::Ensure") => {
            Parent { values: Values::Any, validated: false, ensure: true }
        }
        (AttributeKind::Parameter, "Parameter" | "Parameter::PackageOptions")
        | (AttributeKind::Property, "Property" | "Property::List" | "Property::OrderedList") => {
            plain(Values::Any, false)
        }
        (AttributeKind::Property, "Property::KeyValue") => plain(Values::Any, true),
        _ => plain(Values::Unknown, false),
    }
}

/// Reads the statements of an attribute's block.
struct Reader {
    attribute: Attribute,
    /// The indices of the attribute's words by their names.
    names: HashMap<Str, usize>,
    /// The indices of the first words with these aliases.
    aliases: HashMap<Str, usize>,
    /// Whether its parent is that of `ensure`.
    ensure: bool,
    complete: bool,
}

impl Reader {
    fn new(name: Str, kind: AttributeKind, parent: Parent) -> Reader {
        let mut attribute = Attribute::new(name, kind);
        attribute.values = parent.values;
        attribute.validated = parent.validated;
        let words = match &attribute.values {
            Values::Listed { words, .. } => &words[..],
            _ => &[],
        };
        let names = words.iter().enumerate().map(|(index, it)| (it.name.clone(), index)).collect();
        Reader { attribute, names, aliases: HashMap::default(), ensure: parent.ensure, complete: true }
    }

    fn finish(mut self, scope: &mut Scope<'_>, block: Option<&Block>) -> Read {
        if let Some(block) = block {
            scope.walk(&block.body, &mut self);
        }
        // Only parameters can be namevars; one called `name` always is.
        let parameter = self.attribute.kind == AttributeKind::Parameter;
        self.attribute.namevar = parameter && (self.attribute.namevar || self.attribute.name == "name");
        if self.attribute.doc.as_deref().is_some_and(is_deprecated) {
            self.attribute.deprecated = true;
        }
        Read { attribute: self.attribute, complete: self.complete }
    }

    fn options(&mut self, options: &Value) {
        match options.get("namevar") {
            Value::Nil | Value::Bool(false) => {}
            Value::Unknown => self.complete = false,
            _ => self.attribute.namevar = true,
        }
        // The class options of parameters are in a separate hash.
        let class_options = match self.attribute.kind {
            AttributeKind::Parameter => options.get("attributes"),
            _ => options,
        };
        if let Value::Hash(_) = class_options {
            self.matching(class_options.get("array_matching"));
            self.required_features(class_options.get("required_features"));
        }
        self.required_features(options.get("required_features"));
    }

    fn matching(&mut self, value: &Value) {
        match value.text().map(Str::as_str) {
            Some("all") => self.attribute.matching = Matching::All,
            Some("first") => self.attribute.matching = Matching::First,
            _ => self.complete &= *value == Value::Nil,
        }
    }

    fn required_features(&mut self, value: &Value) {
        let features = match value {
            Value::Array(features) => features.iter().filter_map(Value::text).collect(),
            value => Vec::from_iter(value.text()),
        };
        if !features.is_empty() {
            self.attribute.required_features = features.into_iter().map(|it| it.to_lowercase()).collect();
        }
    }

    fn unknown(&mut self, scope: &mut Scope<'_>, expr: &Expr) {
        scope.forget(expr);
        if scope.source.mentions(expr, TRIGGERS) {
            self.attribute.values = Values::Unknown;
        }
        if scope.source.mentions(expr, STRONG_TRIGGERS) {
            self.complete = false;
        }
    }

    fn call(
        &mut self,
        scope: &mut Scope<'_>,
        expr: &Expr,
        method: &str,
        arguments: &[Expr],
        block: Option<&Block>,
    ) {
        match method {
            "desc" => self.doc(scope, arguments),
            "isnamevar" => self.attribute.namevar = true,
            "newvalue" => self.new_values(scope, arguments.get(..1).unwrap_or_default()),
            "newvalues" => self.new_values(scope, arguments),
            "aliasvalue" => self.alias(scope, arguments),
            "defaultvalues" if self.ensure => {
                for word in ["present", "absent"] {
                    self.new_value(&Value::Symbol(word.into()));
                }
            }
            "defaultto" => {
                let default = if block.is_none() { arguments.first() } else { None };
                self.attribute.default = default.and_then(|it| match scope.value(it) {
                    Value::Nil => None,
                    value => value.to_text(),
                });
            }
            "nodefault" => self.attribute.default = None,
            "validate" => self.attribute.validated = true,
            "include" | "extend" if arguments.iter().all(is_utility) => {}
            // A module may declare other values, but does not change whether it is a namevar.
            "include" | "extend" => self.attribute.values = Values::Unknown,
            _ if HARMLESS.contains(&method) => {}
            "proc" | "lambda" => self.unknown(scope, expr),
            // The call may change anything about the attribute.
            _ => {
                scope.forget(expr);
                self.attribute.values = Values::Unknown;
                self.complete &= self.attribute.kind != AttributeKind::Parameter;
            }
        }
        if matches!(method, "munge" | "validate") && scope.source.mentions(expr, &["deprecation_warning"]) {
            self.attribute.deprecated = true;
        }
    }

    fn doc(&mut self, scope: &mut Scope<'_>, arguments: &[Expr]) {
        let doc = arguments.first().map(|it| scope.value(it));
        self.attribute.doc = doc.as_ref().and_then(Value::text).map(|doc| scrub(doc).into());
    }

    fn new_values(&mut self, scope: &mut Scope<'_>, arguments: &[Expr]) {
        match scope.list(arguments) {
            Some(values) => values.iter().for_each(|value| self.new_value(value)),
            None => self.attribute.values = Values::Unknown,
        }
    }

    fn new_value(&mut self, value: &Value) {
        if self.attribute.values == Values::Any {
            self.attribute.values = Values::Listed { words: Vec::new(), patterns: Vec::new() };
        }
        let Values::Listed { words, patterns } = &mut self.attribute.values else { return };
        match value {
            Value::Regexp(regexp) => patterns.push(regexp.clone()),
            value => match value.to_text() {
                Some(name) => {
                    let count = words.len();
                    if *self.names.entry(name.clone()).or_insert(count) == count {
                        words.push(model::Value { name, aliases: Vec::new() });
                    }
                }
                None => self.attribute.values = Values::Unknown,
            },
        }
    }

    fn alias(&mut self, scope: &mut Scope<'_>, arguments: &[Expr]) {
        let values: Vec<Option<Str>> = arguments.iter().map(|it| scope.value(it).to_text()).collect();
        let Values::Listed { words, .. } = &mut self.attribute.values else { return };
        let known = match &values[..] {
            [Some(alias), Some(name)] => {
                let indices = [self.names.get(name), self.aliases.get(name)];
                let index = indices.into_iter().flatten().min().copied();
                if let Some(index) = index
                    && let Some(word) = words.get_mut(index)
                {
                    word.aliases.push(alias.clone());
                    let first = self.aliases.entry(alias.clone()).or_insert(index);
                    *first = index.min(*first);
                }
                index
            }
            _ => None,
        };
        if known.is_none() {
            self.attribute.values = Values::Unknown;
        }
    }

    fn assign(&mut self, scope: &mut Scope<'_>, expr: &Expr, target: &Expr, value: &Expr) {
        match &target.kind {
            ExprKind::InstanceVariable(name) if name == "@doc" => {
                self.doc(scope, std::slice::from_ref(value))
            }
            ExprKind::Call(call) if is_own(call) => match call.method.as_str() {
                "array_matching" => {
                    let value = scope.value(value);
                    self.matching(&value);
                }
                "required_features" => {
                    let value = scope.value(value);
                    self.required_features(&value);
                }
                _ => self.unknown(scope, expr),
            },
            ExprKind::InstanceVariable(_) => self.unknown(scope, value),
            _ => self.unknown(scope, expr),
        }
    }
}

/// Whether the receiver of a call is `self`.
fn is_own(call: &Call) -> bool {
    call.receiver.as_ref().is_some_and(|it| matches!(it.kind, ExprKind::SelfValue))
}

impl Visit for Reader {
    fn statement(&mut self, scope: &mut Scope<'_>, expr: &Expr) {
        match &expr.kind {
            ExprKind::Call(call) if call.receiver.is_none() || is_own(call) => {
                self.call(scope, expr, &call.method, &call.arguments, call.block.as_ref());
            }
            ExprKind::Name(name) => self.call(scope, expr, name, &[], None),
            ExprKind::Assign(target, value) => self.assign(scope, expr, target, value),
            ExprKind::Method(method) => match (method.on_self, method.name.as_str()) {
                (false, "validate" | "unsafe_validate") => self.attribute.validated = true,
                (true, "initvars" | "newvalues" | "newvalue" | "value_collection") => {
                    self.attribute.values = Values::Unknown;
                }
                _ => {}
            },
            ExprKind::Module(_) | ExprKind::String(_) | ExprKind::Symbol(_) | ExprKind::Nil => {}
            _ => self.unknown(scope, expr),
        }
    }
}
