//! The body of `newtype`.

use marotte_text::Str;

use super::super::model::{
    Attribute, AttributeKind, Autorelation, Feature, Relation, ResourceType, Target, TitlePattern,
};
use super::{attribute, empty, title_patterns};
use crate::evaluate::{Scope, Value, Visit, scrub};
use crate::syntax::{Block, Expr, ExprKind, Method};

/// A statement that changes a type's attributes or namevars has to mention one of these words.
const TRIGGERS: &[&str] = &[
    "newparam",
    "newproperty",
    "newcheck",
    "ensurable",
    "provid",
    "isnamevar",
    "eval",
    "send",
    "define_",
    "key_attribute",
    "validattr",
    "initvars",
    "title_patterns",
    "self",
];

/// Calls without a receiver that do not affect what is known about a type.
const HARMLESS: &[&str] = &[
    "validate",
    "desc",
    "private",
    "public",
    "protected",
    "private_class_method",
    "attr_accessor",
    "attr_reader",
    "attr_writer",
    "alias_method",
    "require",
    "require_relative",
    "private_constant",
    "raise",
    "warn",
    "warning",
    "puts",
    "_",
];

/// Class methods of types that define the attributes: if overridden, they may return anything.
const OVERRIDES: &[&str] = &[
    "newparam",
    "newproperty",
    "ensurable",
    "ensurable?",
    "providify",
    "key_attributes",
    "key_attribute_parameters",
    "allattrs",
    "attrclass",
    "attrtype",
    "parameters",
    "properties",
    "paramclass",
    "propertybyname",
    "validattr?",
    "validproperty?",
    "validparameter?",
    "valid_parameter?",
    "validproperties",
    "metaparam?",
    "initvars",
];

/// Instance methods that together make a type ensurable.
const ENSURABLE: [&str; 3] = ["exists?", "create", "destroy"];

/// Reads the statements of a type.
pub(super) struct Body {
    found: ResourceType,
    patterns: Option<Option<Vec<TitlePattern>>>,
    /// Whether each of [`ENSURABLE`] exists and is public.
    ensuring: [bool; 3],
    /// Whether the following methods are private.
    private: bool,
}

impl Visit for Body {
    fn statement(&mut self, scope: &mut Scope<'_>, expr: &Expr) {
        match &expr.kind {
            ExprKind::Call(call) => match &call.receiver {
                None => self.bare_call(scope, expr, &call.method, &call.arguments, call.block.as_ref()),
                Some(_) => self.unknown(scope, expr),
            },
            ExprKind::Name(name) => self.bare_call(scope, expr, name, &[], None),
            ExprKind::Assign(target, value) => self.assign(scope, expr, target, value),
            ExprKind::Method(method) => self.method(scope, method),
            // A class inside may declare attributes of its own.
            ExprKind::Module(_) => {}
            ExprKind::String(_) | ExprKind::Symbol(_) | ExprKind::Nil => {}
            _ => self.unknown(scope, expr),
        }
    }
}

impl Body {
    pub(super) fn new(name: Str) -> Body {
        Body { found: empty(name), patterns: None, ensuring: [false; 3], private: false }
    }

    pub(super) fn finish(mut self) -> ResourceType {
        if self.ensuring == [true; 3] && self.found.attribute("ensure").is_none() {
            self.add(attribute::default_ensure());
        }
        self.found.title_patterns = match self.patterns {
            Some(patterns) => patterns,
            None if self.found.complete => title_patterns::usual(&self.found),
            None => None,
        };
        self.found
    }

    /// Handles a statement that is not understood: harmless, unless it mentions a relevant word.
    fn unknown(&mut self, scope: &mut Scope<'_>, expr: &Expr) {
        scope.forget(expr);
        if scope.source.mentions(expr, TRIGGERS) {
            self.found.complete = false;
        }
        if scope.source.mentions(expr, &["isomorphic"]) {
            self.found.isomorphic = None;
        }
    }

    /// Handles a call without a receiver.
    pub(super) fn bare_call(
        &mut self,
        scope: &mut Scope<'_>,
        expr: &Expr,
        method: &str,
        arguments: &[Expr],
        block: Option<&Block>,
    ) {
        match method {
            "newparam" => self.attribute(scope, AttributeKind::Parameter, arguments, block),
            "newproperty" => self.attribute(scope, AttributeKind::Property, arguments, block),
            "ensurable" => {
                let ensure = attribute::ensure(scope, block);
                self.add_read(ensure);
            }
            "provide" | "providify" => self.provider(),
            "feature" => self.feature(scope, arguments),
            "autorequire" => self.autorelation(scope, Relation::Require, arguments),
            "autobefore" => self.autorelation(scope, Relation::Before, arguments),
            "autosubscribe" => self.autorelation(scope, Relation::Subscribe, arguments),
            "autonotify" => self.autorelation(scope, Relation::Notify, arguments),
            "apply_to_device" => self.found.target = Target::Device,
            "apply_to_host" => self.found.target = Target::Host,
            "apply_to_all" => self.found.target = Target::Both,
            "include" | "extend" if arguments.iter().all(is_utility) => {}
            "private" | "protected" if arguments.is_empty() => self.private = true,
            "public" if arguments.is_empty() => self.private = false,
            _ if HARMLESS.contains(&method) => {}
            // Code for later, which does nothing by itself.
            "proc" | "lambda" => self.unknown(scope, expr),
            // The call may change anything about the type.
            _ => {
                scope.forget(expr);
                self.found.complete = false;
            }
        }
    }

    fn attribute(
        &mut self,
        scope: &mut Scope<'_>,
        kind: AttributeKind,
        arguments: &[Expr],
        block: Option<&Block>,
    ) {
        match attribute::declared(scope, kind, arguments, block) {
            Some(read) => self.add_read(read),
            None => self.found.complete = false,
        }
    }

    fn add_read(&mut self, read: attribute::Read) {
        self.found.complete &= read.complete;
        self.add(read.attribute);
    }

    /// Adds an attribute; one that is declared twice prevents the reference from loading the type.
    fn add(&mut self, attribute: Attribute) {
        if self.found.attribute(&attribute.name).is_some() {
            self.found.complete = false;
        } else if attribute.name == "ensure" && attribute.kind == AttributeKind::Property {
            self.found.attributes.insert(0, attribute);
        } else {
            self.found.attributes.push(attribute);
        }
    }

    fn provider(&mut self) {
        if self.found.attribute("provider").is_none() {
            let attribute = Attribute::new("provider", AttributeKind::Parameter);
            self.add(Attribute { validated: true, ..attribute });
        }
    }

    fn feature(&mut self, scope: &mut Scope<'_>, arguments: &[Expr]) {
        let arguments: Vec<Value> = arguments.iter().map(|it| scope.value(it)).collect();
        if let Some(name) = arguments.first().and_then(Value::text) {
            let doc = arguments.get(1).and_then(Value::text).map(|doc| scrub(doc).into());
            self.found.features.push(Feature { name: name.clone(), doc });
        }
    }

    fn autorelation(&mut self, scope: &mut Scope<'_>, relation: Relation, arguments: &[Expr]) {
        let Some(name) = arguments.first().and_then(|it| scope.value(it).text().cloned()) else { return };
        let resource_type: Str = name.to_lowercase();
        let found = Autorelation { relation, resource_type };
        if !self.found.autorelations.contains(&found) {
            self.found.autorelations.push(found);
        }
    }

    fn assign(&mut self, scope: &mut Scope<'_>, expr: &Expr, target: &Expr, value: &Expr) {
        match &target.kind {
            ExprKind::InstanceVariable(name) if name == "@doc" => {
                self.found.doc = scope.value(value).text().map(|doc| scrub(doc).into());
            }
            ExprKind::InstanceVariable(name) if name == "@isomorphic" => {
                self.found.isomorphic = match scope.value(value) {
                    Value::Bool(isomorphic) => Some(isomorphic),
                    _ => None,
                };
            }
            _ => self.unknown(scope, expr),
        }
    }

    fn method(&mut self, scope: &mut Scope<'_>, method: &Method) {
        let name = method.name.as_str();
        match (method.on_self, name) {
            (true, "title_patterns") => self.patterns = Some(title_patterns::of(scope, method)),
            (true, "isomorphic?") => self.found.isomorphic = None,
            (true, _) if OVERRIDES.contains(&name) => self.found.complete = false,
            (true, _) => {}
            (false, _) => {
                if let Some(index) = ENSURABLE.iter().position(|it| *it == name) {
                    self.ensuring[index] = !self.private;
                }
            }
        }
    }
}

/// Whether an included module is unrelated to attributes.
pub(super) fn is_utility(argument: &Expr) -> bool {
    let ExprKind::Constant(path) = &argument.kind else { return false };
    path.starts_with("Puppet::Util::")
        || matches!(path.as_str(), "Puppet::Util" | "Comparable" | "Enumerable")
}
