//! Reading resource types from a file.

mod attribute;
mod body;
mod resource_api;
mod title_patterns;

use marotte_text::Str;

use self::body::Body;
use super::model::{Addition, ResourceType, ResourceTypes, Target};
use crate::evaluate::{Scope, Visit};
use crate::syntax::{self, Call, Expr, ExprKind};

/// A file without these words neither declares a type nor adds to one.
const TRIGGERS: &[&str] =
    &["newtype", "register_type", "newparam", "newproperty", "newmetaparam", "ensurable", "providify"];

/// Reads the resource types that a Ruby file declares, and its additions to others.
///
/// Files that this one loads are not read: their declarations are in their own results. A type that loads files of its
/// own (`puppet/type/NAME/…`), or includes a module that could do anything, is incomplete.
pub fn read(text: &str) -> ResourceTypes {
    let nothing = ResourceTypes { complete: true, ..ResourceTypes::default() };
    if !TRIGGERS.iter().any(|word| text.contains(word)) {
        return nothing;
    }
    let source = syntax::parse(text);
    let mut scope = Scope::new(&source);
    let mut file = File { found: nothing, required: Vec::new() };
    scope.walk(&source.body, &mut file);
    let File { mut found, required } = file;
    for it in &mut found.types {
        it.complete &= !required.contains(&it.name);
    }
    if !source.sound || scope.exhausted() {
        found.complete = false;
        found.types.iter_mut().for_each(|it| it.complete = false);
        found.additions.iter_mut().for_each(|it| it.complete = false);
    }
    found
}

/// The visitor of the statements of a file.
struct File {
    found: ResourceTypes,
    /// The folders of the loaded files; one with a type's name contains more of that type.
    required: Vec<Str>,
}

impl Visit for File {
    fn statement(&mut self, scope: &mut Scope<'_>, expr: &Expr) {
        match &expr.kind {
            ExprKind::Module(body) => scope.walk(body, self),
            ExprKind::Call(call) => self.call(scope, expr, call),
            _ => self.unknown(scope, expr),
        }
    }
}

impl File {
    fn unknown(&mut self, scope: &mut Scope<'_>, expr: &Expr) {
        scope.forget(expr);
        if scope.source.mentions(expr, TRIGGERS) {
            self.found.complete = false;
        }
    }

    fn call(&mut self, scope: &mut Scope<'_>, expr: &Expr, call: &Call) {
        match (call.receiver.as_ref().map(|it| &it.kind), call.method.as_str()) {
            (Some(ExprKind::Constant(path)), "newtype") if is_type(path) => self.new_type(scope, call),
            (Some(ExprKind::Constant(path)), "register_type") if path.ends_with("ResourceApi") => {
                match resource_api::register_type(scope, call) {
                    Some(found) => self.found.types.push(found),
                    None => self.found.complete = false,
                }
            }
            (None, "require" | "require_relative") => {
                let path = call.arguments.first().and_then(|it| scope.value(it).text().cloned());
                self.required.extend(path.as_deref().and_then(folder));
            }
            (Some(ExprKind::Call(inner)), method) if is_type_lookup(inner) => {
                self.addition(scope, expr, inner, method, call);
            }
            _ => self.unknown(scope, expr),
        }
    }

    fn new_type(&mut self, scope: &mut Scope<'_>, call: &Call) {
        let arguments = scope.list(&call.arguments);
        let name = arguments.as_deref().and_then(|it| it.first()).and_then(|it| it.text().cloned());
        let Some(name) = name else {
            self.found.complete = false;
            return;
        };
        let body = call.block.as_ref().map_or(&[][..], |block| &block.body);
        let mut reader = Body::new(name);
        scope.walk(body, &mut reader);
        self.found.types.push(reader.finish());
    }

    /// Handles `Puppet::Type.type(:file).newparam(:x) do … end`.
    fn addition(&mut self, scope: &mut Scope<'_>, expr: &Expr, lookup: &Call, method: &str, call: &Call) {
        if method == "provide" {
            return;
        }
        let name = match &lookup.arguments[..] {
            [name] => scope.value(name).text().cloned(),
            _ => None,
        };
        let Some(name) = name else { return self.unknown(scope, expr) };
        let mut reader = Body::new(name);
        match (method, &call.block) {
            ("newparam" | "newproperty" | "ensurable" | "providify", _) => {
                reader.bare_call(scope, expr, method, &call.arguments, call.block.as_ref());
            }
            ("class_eval" | "instance_eval", Some(block)) => scope.walk(&block.body, &mut reader),
            _ => return self.unknown(scope, expr),
        }
        let ResourceType { name, attributes, complete, .. } = reader.finish();
        match self.found.additions.iter_mut().find(|it| it.resource_type == name) {
            Some(addition) => {
                addition.attributes.extend(attributes);
                addition.complete &= complete;
            }
            None => self.found.additions.push(Addition { resource_type: name, attributes, complete }),
        }
    }
}

/// The folder of a loaded file: `file` for `puppet/type/file/mode`.
fn folder(path: &str) -> Option<Str> {
    path.rsplit('/').nth(1).map(Str::from)
}

/// Whether a path of constants denotes the class of all types. In `module Puppet` it may be short.
fn is_type(path: &str) -> bool {
    matches!(path, "Puppet::Type" | "Type")
}

/// Whether a call is `Puppet::Type.type(…)`.
fn is_type_lookup(call: &Call) -> bool {
    call.method == "type"
        && matches!(&call.receiver, Some(Expr { kind: ExprKind::Constant(path), .. }) if is_type(path))
}

/// A type of which only the name is known.
fn empty(name: Str) -> ResourceType {
    ResourceType {
        name,
        doc: None,
        attributes: Vec::new(),
        title_patterns: None,
        isomorphic: Some(true),
        target: Target::Host,
        features: Vec::new(),
        autorelations: Vec::new(),
        complete: true,
    }
}

/// Whether the first sentence of a documentation declares its subject deprecated.
fn is_deprecated(doc: &str) -> bool {
    let doc = doc.trim();
    let end = doc.find('.').into_iter().chain(doc.find("\n\n")).min().unwrap_or(doc.len());
    doc[..end]
        .to_ascii_lowercase()
        .split(|c: char| !c.is_ascii_alphanumeric())
        .any(|word| word == "deprecated")
}
