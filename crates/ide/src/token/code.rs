//! The tokens of manifests and templates.

use std::collections::BTreeSet;

use marotte_check::semantics::{Mention, Mentioned, Part, mentions};
use marotte_db::{File, source_text};
use marotte_hiera::LookupKey;
use marotte_hir::body::{Callee, Expr, Variable};
use marotte_hir::{ExprId, Item, ItemKind, ItemPlaces, items, places};
use marotte_text::{Str, TextRange, TextSize, unrooted};

use super::variables::Frames;
use super::{Access, Named, Token, part, slice, texts, unquoted};
use crate::Db;

pub(super) fn tokens(db: &dyn Db, file: File) -> Vec<Token<'_>> {
    let text = source_text(db, file).text();
    let mut found = Vec::new();
    for item in items(db, file) {
        let mut collector = Collector { text, item: *item, places: places(db, *item), found: &mut found };
        if let Some(range) = collector.places.name.filter(|_| has_name(item.kind(db))) {
            collector.add(range, Access::Definition, Named::Item(*item));
        }
        for mention in mentions(db, *item) {
            collector.mention(db, mention);
        }
        collector.texts(db);
        collector.variables(db);
    }
    found
}

fn has_name(kind: ItemKind) -> bool {
    !matches!(kind, ItemKind::Program | ItemKind::Template | ItemKind::TypeMapping | ItemKind::Node(_))
}

struct Collector<'db, 't> {
    text: &'t str,
    item: Item<'db>,
    places: ItemPlaces,
    found: &'t mut Vec<Token<'db>>,
}

impl<'db> Collector<'db, '_> {
    fn add(&mut self, range: TextRange, access: Access, named: Named<'db>) {
        if !range.is_empty() && slice(self.text, range).len() == usize::from(range.len()) {
            self.found.push(Token { range, access, named, within: Some(self.item) });
        }
    }

    fn range(&self, id: ExprId) -> Option<TextRange> {
        self.places.map.place(id).map(|it| it.range)
    }

    fn place(&self, db: &'db dyn Db, place: Part) -> Option<TextRange> {
        match place {
            Part::Expr(id) => self.range(id).map(|it| unquoted(self.text, it)),
            Part::Parent => self.places.parent,
            Part::Callee(id) => match self.item.body(db).expr(id) {
                Expr::MethodCall(call) => self.range(call.at),
                Expr::Call(call) => match &call.callee {
                    Callee::Function(name) => {
                        Some(TextRange::at(self.range(id)?.start(), TextSize::of(name.as_str())))
                    }
                    Callee::Type(it) | Callee::Other(it) => self.range(*it),
                },
                _ => self.range(id),
            },
        }
    }

    fn mention(&mut self, db: &'db dyn Db, mention: Mention) {
        let Some(range) = self.place(db, mention.place) else { return };
        let named = match mention.what {
            Mentioned::Class { name, declared } => {
                let access = if declared { Access::Declaration } else { Access::Read };
                return self.add(range, access, Named::Class(name));
            }
            Mentioned::Function(name) => Named::Function(name),
            Mentioned::ResourceType(name) => {
                return self.add(range, Access::Declaration, Named::ResourceType(name));
            }
            Mentioned::Type(name) => Named::Type(name),
            Mentioned::Attribute { type_name, class, name } => Named::Attribute { type_name, class, name },
            Mentioned::TemplateParameter { template, name } => Named::TemplateParameter(template, name),
            Mentioned::Resource { type_name, title, declared } => {
                let access = if declared { Access::Declaration } else { Access::Read };
                // `Resource['class', 'ntp']`
                let named = match type_name == "class" {
                    true => Named::Class(title),
                    false => Named::Resource { type_name, title },
                };
                return self.add(range, access, named);
            }
            Mentioned::ModuleFile { folder, path } => Named::ModuleFile { folder, path },
            Mentioned::DataKey(key) => {
                // The part after a dot is looked up inside the value.
                let Ok(key) = LookupKey::parse(&key) else { return };
                let range = part(range, 0, key.root.len());
                return self.add(range, Access::Read, Named::DataKey(key.root));
            }
            Mentioned::Fact(path) => return self.fact(range, path),
            Mentioned::Variable(name) => return self.variable_in_text(range, &name),
        };
        self.add(range, Access::Read, named);
    }

    /// The token covers the last part of a path; in `fact('os.family')`, all parts are in one string.
    fn fact(&mut self, range: TextRange, path: Vec<Str>) {
        let written = slice(self.text, range).to_owned();
        let named = |parts: &[Str]| Named::Fact(parts.to_vec());
        if !written.contains('.') {
            return self.add(range, Access::Read, named(&path));
        }
        let first = path.len().saturating_sub(written.split('.').count());
        let mut from = 0;
        for (index, it) in written.split('.').enumerate() {
            let range = part(range, from, from + it.len());
            from += it.len() + 1;
            self.add(range, Access::Read, named(&path[..(first + index + 1).min(path.len())]));
        }
    }

    fn variable_in_text(&mut self, range: TextRange, name: &str) {
        let written = slice(self.text, range);
        let sigil = usize::from(written.starts_with('$'));
        // The rest is the path to a part of the value.
        let end = written.find('.').unwrap_or(written.len());
        let name = name.split('.').next().unwrap_or(name);
        self.qualified(part(range, sigil, end), Access::Read, name);
    }

    /// Names in strings, as far as they are written without escape sequences.
    fn texts(&mut self, db: &'db dyn Db) {
        for it in texts::names(self.item.body(db), self.item.kind(db)) {
            let Some(range) = self.range(it.at).map(|it| unquoted(self.text, it)) else { continue };
            if slice(self.text, range) == it.text {
                self.add(part(range, it.range.start, it.range.end), it.access, it.named);
            }
        }
    }

    /// `a::b::c`: a token for the class, and one for its variable.
    fn qualified(&mut self, range: TextRange, access: Access, name: &str) {
        let written = slice(self.text, range).to_owned();
        match written.rfind("::") {
            Some(at) if !unrooted(&written[..at]).is_empty() => {
                let scope = Str::from(&written[..at]);
                self.add(part(range, 0, at), Access::Read, Named::Class(scope.clone()));
                let variable = Named::Qualified(scope, written[at + 2..].into());
                self.add(part(range, at + 2, written.len()), access, variable);
            }
            Some(at) => {
                let variable = Named::Qualified(Str::new(), written[at + 2..].into());
                self.add(part(range, at + 2, written.len()), access, variable);
            }
            None => self.add(range, access, Named::Variable(self.item, None, name.into())),
        }
    }

    fn variables(&mut self, db: &'db dyn Db) {
        let body = self.item.body(db);
        let frames = Frames::of(body);
        let mut set = BTreeSet::new();
        let lambdas = body.lambdas().flat_map(|it| &body.lambda(it).parameters);
        for it in body.parameters.iter().chain(lambdas) {
            set.insert(it.at);
            self.variable(it.at, Access::Definition, |item| {
                Named::Variable(item, frames.set_in(it.at), it.name.clone())
            });
        }
        for (at, name) in body.assigned() {
            set.insert(at);
            self.variable(at, Access::Write, |item| Named::Variable(item, frames.set_in(at), name.clone()));
        }
        for (id, expr) in body.exprs() {
            let Expr::Variable(variable) = expr else { continue };
            if set.contains(&id) {
                continue;
            }
            match &**variable {
                Variable::Local { name, .. } => {
                    let frame = frames.read_in(id, variable);
                    let is_outer = frame.is_none() && frames.is_set_later(id, name);
                    self.variable(id, Access::Read, |item| match is_outer {
                        true => Named::Outer(item, name.clone()),
                        false => Named::Variable(item, frame, name.clone()),
                    });
                }
                Variable::Top(name) | Variable::Qualified { name, .. } => {
                    let Some(range) = self.range(id) else { continue };
                    let sigil = usize::from(slice(self.text, range).starts_with('$'));
                    self.qualified(part(range, sigil, usize::from(range.len())), Access::Read, name);
                }
                Variable::Group(_) => {}
            }
        }
    }

    fn variable(&mut self, at: ExprId, access: Access, named: impl FnOnce(Item<'db>) -> Named<'db>) {
        let Some(range) = self.range(at) else { return };
        let sigil = usize::from(slice(self.text, range).starts_with('$'));
        self.add(part(range, sigil, usize::from(range.len())), access, named(self.item));
    }
}
