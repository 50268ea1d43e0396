//! The tokens of data files and of their configurations.

use marotte_check::semantics::is_class_key;
use marotte_db::{File, environment_of, source_text};
use marotte_hiera::data::{Inner, Places};
use marotte_hiera::{ExpressionKind, Format, LookupKey, Method, expressions};
use marotte_pcore::value::Value;
use marotte_resolve::data_files::{HieraFile, HieraFileKind, document};
use marotte_text::{Str, TextRange, TextSize};

use super::{Access, Named, Token, part, slice, unquoted};
use crate::Db;

/// The key under which data configures lookups of other keys.
pub(crate) const OPTIONS: &str = "lookup_options";

pub(super) fn tokens<'db>(db: &'db dyn Db, file: File, hiera: &HieraFile) -> Vec<Token<'db>> {
    let text = source_text(db, file).text();
    let mut collector = Collector { text, found: Vec::new() };
    if let HieraFileKind::Data { format, .. } = hiera.kind {
        collector.entries(db, file, format);
    }
    collector.interpolations();
    collector.found
}

struct Collector<'db, 't> {
    text: &'t str,
    found: Vec<Token<'db>>,
}

impl<'db> Collector<'db, '_> {
    fn add(&mut self, range: TextRange, access: Access, named: Named<'db>) {
        if !range.is_empty() {
            self.found.push(Token { range, access, named, within: None });
        }
    }

    fn entries(&mut self, db: &'db dyn Db, file: File, format: Format) {
        let Ok(document) = &**document(db, file, format) else { return };
        for (key, at, value, places) in document.entries().into_iter().flatten() {
            let Some(key) = key.as_str() else { continue };
            if key == OPTIONS {
                for (key, at, ..) in places.entries(value).into_iter().flatten() {
                    let Some(key) = key.as_str().filter(|it| !it.starts_with('^')) else { continue };
                    self.add(unquoted(self.text, at), Access::Read, Named::DataKey(key.into()));
                }
                continue;
            }
            self.add(unquoted(self.text, at), Access::Definition, Named::DataKey(key.into()));
            let is_usual = key == "classes" || key.ends_with("::classes");
            if is_usual || is_class_key(db, environment_of(db, file), key) {
                self.classes(value, places);
            }
        }
    }

    /// Lists of classes to include in a node, or the name of one.
    fn classes(&mut self, value: &Value, places: &Places) {
        match (value, &places.inner) {
            (Value::Array(names), Inner::Elements(all)) => {
                names.iter().zip(all.iter()).for_each(|(name, places)| self.class(name, places));
            }
            _ => self.class(value, places),
        }
    }

    fn class(&mut self, name: &Value, places: &Places) {
        if let Some(name) = name.as_str() {
            self.add(unquoted(self.text, places.range), Access::Read, Named::Class(name.into()));
        }
    }

    fn interpolations(&mut self) {
        let size = |it: usize| TextSize::try_from(it).unwrap_or_default();
        for expression in expressions(self.text) {
            let line = self.text[..expression.range.start].rsplit('\n').next().unwrap_or_default();
            if line.trim_start().starts_with('#') {
                continue;
            }
            let range = TextRange::new(size(expression.range.start), size(expression.range.end));
            match expression.kind {
                ExpressionKind::Variable(path) | ExpressionKind::Call(Method::Scope, path) => {
                    self.variable(range, path)
                }
                ExpressionKind::Call(Method::Lookup | Method::Alias, key) => {
                    if let (Some(at), Ok(parsed)) = (self.inside(range, key), LookupKey::parse(key)) {
                        let at = part(at, 0, parsed.root.len().min(key.len()));
                        self.add(at, Access::Read, Named::DataKey(parsed.root));
                    }
                }
                ExpressionKind::Nothing | ExpressionKind::Call(Method::Literal | Method::Unknown(_), _) => {}
            }
        }
    }

    /// The range of a part of an expression.
    fn inside(&self, range: TextRange, text: &str) -> Option<TextRange> {
        let at = slice(self.text, range).find(text)?;
        Some(part(range, at, at + text.len()))
    }

    fn variable(&mut self, range: TextRange, path: &str) {
        let Some(at) = self.inside(range, path) else { return };
        let segments: Vec<Str> = path.split('.').map(Str::from).collect();
        let (Some(first), rest) = (segments.first(), segments.get(1..).unwrap_or_default()) else { return };
        let name = first.strip_prefix("::").unwrap_or(first);
        if name == "facts" {
            let mut from = first.len() + 1;
            for (index, it) in rest.iter().enumerate() {
                self.add(part(at, from, from + it.len()), Access::Read, Named::Fact(rest[..=index].to_vec()));
                from += it.len() + 1;
            }
            return;
        }
        let start = first.len() - name.len();
        match name.rsplit_once("::") {
            Some((class, variable)) => {
                self.add(part(at, start, start + class.len()), Access::Read, Named::Class(class.into()));
                let from = start + class.len() + 2;
                let named = Named::Qualified(class.into(), variable.into());
                self.add(part(at, from, first.len()), Access::Read, named);
            }
            None => {
                let named = Named::Qualified(Str::new(), name.into());
                self.add(part(at, start, first.len()), Access::Read, named);
            }
        }
    }
}
