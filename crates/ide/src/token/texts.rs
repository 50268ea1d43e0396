//! Names in strings: references (`require => 'Class[ntp]'`), tags, alternatives of what `include` is given, and the tasks and
//! plans that plans run.

use std::ops::Range;

use marotte_eval::functions::Names;
use marotte_hir::body::{Attribute, AttributeName, Block, Body, Expr, Query, QueryKind};
use marotte_hir::{ExprId, ItemKind};
use marotte_resolve::call::NamedCall;
use marotte_text::{Str, normalized};

use super::{Access, Named};
use marotte_check::semantics::is_relationship;

/// A name in a string.
pub(super) struct InText<'db> {
    /// The string.
    pub(super) at: ExprId,
    /// The value of the string. The name has a place only if the string has no escape sequences.
    pub(super) text: &'db str,
    /// The part of the value that is the name.
    pub(super) range: Range<usize>,
    /// The kind of access.
    pub(super) access: Access,
    /// The name.
    pub(super) named: Named<'db>,
}

/// Returns the names in the strings of a body, as far as the meaning of the strings is certain.
pub(super) fn names<'db>(body: &'db Body, kind: ItemKind) -> Vec<InText<'db>> {
    let mut collector = Collector { body, is_plan: kind == ItemKind::Plan, found: Vec::new() };
    for (_, expr) in body.exprs() {
        collector.expr(expr);
    }
    collector.found
}

struct Collector<'db> {
    body: &'db Body,
    /// Whether the body is that of a plan, which may run tasks.
    is_plan: bool,
    found: Vec<InText<'db>>,
}

impl<'db> Collector<'db> {
    fn expr(&mut self, expr: &'db Expr) {
        match expr {
            Expr::Resource(it) => it.bodies.iter().for_each(|it| self.attributes(&it.attributes)),
            Expr::ResourceDefaults(_, attributes) | Expr::ResourceOverride(_, _, attributes) => {
                self.attributes(attributes);
            }
            Expr::Collector(it) => {
                self.attributes(&it.attributes);
                self.query(it.query.as_deref());
            }
            Expr::Hash(entries) => {
                for (key, value) in entries {
                    if matches!(self.body.expr(*key), Expr::String(it) if is_relationship(it)) {
                        self.references(*value);
                    }
                }
            }
            Expr::Relationship { left, right, .. } => {
                self.references(*left);
                self.references(*right);
            }
            Expr::Access { target, keys } => self.resource_type(*target, keys),
            _ => {
                if let Some(call) = NamedCall::of(expr) {
                    self.call(&call);
                }
            }
        }
    }

    fn attributes(&mut self, attributes: &[Attribute]) {
        for attribute in attributes {
            if matches!(&attribute.name, AttributeName::Name(it) if is_relationship(it)) {
                self.references(attribute.value);
            }
        }
    }

    /// `tag == 'a::b'`, in the query of a collector.
    fn query(&mut self, query: Option<&'db Query>) {
        let mut open: Vec<&Query> = query.into_iter().collect();
        while let Some(query) = open.pop() {
            match &query.kind {
                QueryKind::And(left, right) | QueryKind::Or(left, right) => open.extend([&**left, &**right]),
                QueryKind::Equal(name, value) | QueryKind::NotEqual(name, value) => {
                    if matches!(self.body.expr(*name), Expr::String(it) if it == "tag") {
                        self.tag(*value);
                    }
                }
                QueryKind::Other(_) => {}
            }
        }
    }

    /// `Resource['a::b', 'title']`
    fn resource_type(&mut self, target: ExprId, keys: &[ExprId]) {
        let is_resource =
            matches!(self.body.expr(target), Expr::Reference(it) if normalized(it) == "resource");
        if let (true, Some(first)) = (is_resource, keys.first())
            && let Expr::String(name) = self.body.expr(*first)
            && normalized(name) != "class"
        {
            self.add(*first, 0..name.len(), Access::Read, Named::ResourceType(normalized(name)));
        }
    }

    fn call(&mut self, call: &NamedCall<'_>) {
        let arguments: Vec<ExprId> = call.arguments().collect();
        if call.names() == Some(Names::Classes) {
            let names: Vec<ExprId> = arguments.into_iter().flat_map(|it| self.strings(it)).collect();
            for at in names {
                if let Expr::String(name) = self.body.expr(at) {
                    self.add(at, 0..name.len(), Access::Declaration, Named::Class(name.clone()));
                }
            }
            return;
        }
        match (call.plain_name(), &arguments[..]) {
            ("run_task" | "run_task_with", [name, ..]) if self.is_plan => self.whole(*name, Named::Task),
            ("run_plan", [name, ..]) if self.is_plan => self.whole(*name, Named::Plan),
            ("tagged", tags) => tags.iter().for_each(|it| self.tag(*it)),
            ("getparam", [resource, key, ..]) => self.attribute(*resource, *key),
            _ => {}
        }
    }

    /// A string that is a name as a whole.
    fn whole(&mut self, at: ExprId, named: fn(Str) -> Named<'db>) {
        if let Expr::String(name) = self.body.expr(at) {
            self.add(at, 0..name.len(), Access::Read, named(name.clone()));
        }
    }

    /// The tag that only the class or the resources of this name have: a simple word may be a part of several names.
    fn tag(&mut self, at: ExprId) {
        let Expr::String(tag) = self.body.expr(at) else { return };
        let is_name = tag.contains("::") && tag.split("::").all(is_word);
        if is_name {
            self.add(at, 0..tag.len(), Access::Read, Named::Class(tag.clone()));
        }
    }

    /// `getparam('Class[a::b]', 'port')`
    fn attribute(&mut self, resource: ExprId, key: ExprId) {
        let (Some((type_name, title)), Expr::String(name)) = (self.reference(resource), self.body.expr(key))
        else {
            return;
        };
        let class = (type_name == "class").then_some(title);
        let named = Named::Attribute { type_name, class, name: name.clone() };
        self.add(key, 0..name.len(), Access::Read, named);
    }

    fn references(&mut self, id: ExprId) {
        for at in self.strings(id) {
            self.reference(at);
        }
    }

    /// Adds the type and the title of a reference. Returns them if the string is a reference.
    fn reference(&mut self, at: ExprId) -> Option<(Str, Str)> {
        let Expr::String(text) = self.body.expr(at) else { return None };
        let (written, title) = text.strip_suffix(']')?.split_once('[')?;
        // Titles with commas or quotes are read differently by arrows and metaparameters.
        let is_plain = !title.is_empty() && !title.contains(['\'', '"', ',', '[', ']', '$', '%']);
        if !is_plain || !written.split("::").all(is_word) {
            return None;
        }
        let type_name = normalized(written);
        let place = written.len() + 1..text.len() - 1;
        if type_name == "class" {
            let title = normalized(title);
            self.add(at, place, Access::Read, Named::Class(title.clone()));
            return Some((type_name, title));
        }
        self.add(at, 0..written.len(), Access::Read, Named::ResourceType(type_name.clone()));
        let (of, title) = (type_name.clone(), Str::from(title));
        self.add(at, place, Access::Read, Named::Resource { type_name: of, title: title.clone() });
        Some((type_name, title))
    }

    fn add(&mut self, at: ExprId, range: Range<usize>, access: Access, named: Named<'db>) {
        if let Expr::String(text) = self.body.expr(at) {
            self.found.push(InText { at, text, range, access, named });
        }
    }

    /// The strings that an expression may be, or that may be elements of it.
    fn strings(&self, id: ExprId) -> Vec<ExprId> {
        let mut found = Vec::new();
        let mut open = vec![id];
        let last = |block: &Block| block.last().copied();
        while let Some(id) = open.pop() {
            match self.body.expr(id) {
                Expr::String(_) => found.push(id),
                Expr::Array(elements) => open.extend(elements),
                Expr::Selector(it) => open.extend(it.entries.iter().map(|(_, value)| *value)),
                Expr::If(it) | Expr::Unless(it) => {
                    open.extend(it.arms.iter().filter_map(|it| last(&it.body)));
                    open.extend(it.otherwise.iter().filter_map(last));
                }
                Expr::Case(it) => open.extend(it.options.iter().filter_map(|it| last(&it.body))),
                _ => {}
            }
        }
        found
    }
}

fn is_word(text: &str) -> bool {
    text.starts_with(|it: char| it.is_ascii_alphabetic())
        && text.chars().all(|it| it.is_ascii_alphanumeric() || it == '_')
}
