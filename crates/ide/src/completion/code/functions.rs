//! Functions, with the text of a call.

use marotte_check::semantics;
use marotte_eval::functions::ALL;
use marotte_hir::NameKind;
use marotte_resolve::ruby::{RubyKind, ruby_definition, ruby_functions};
use marotte_syntax::STATEMENT_CALLS;
use marotte_text::unrooted;

use super::{Completer, Found};
use crate::completion::{escaped, fits, names};
use crate::docs::short_documentation;
use crate::symbol::Symbol;
use crate::token::slice;
use crate::{SymbolKind, bolt, signature};

/// The functions that may be called without arguments, and then need parentheses.
const JUMPS: [&str; 3] = ["break", "next", "return"];

/// The form of a call.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Call {
    /// After a dot.
    Method,
    /// As a statement: some functions need no parentheses.
    Statement,
    /// As a part of an expression.
    Value,
}

impl<'db> Completer<'db, '_> {
    /// Adds the functions that may be called at the place.
    pub(super) fn functions(&self, call: Call, found: &mut Found<'_>) {
        let (db, written) = (self.db, self.spot.written);
        for it in ALL {
            let symbol = Symbol::BuiltinFunction(it.name.into());
            self.function(it.name, &symbol, call, it.doc.split("\n\n").next(), found);
        }
        if bolt::is_of_plans(db, self.at.file) {
            for it in bolt::FUNCTIONS {
                let symbol = Symbol::BoltFunction(it.name.into());
                self.function(it.name, &symbol, call, Some(it.doc), found);
            }
        }
        for item in names::definitions(db, self.environment, NameKind::Function) {
            let name = unrooted(item.name(db));
            if fits(name, slice(found.text, written)) {
                let docs = short_documentation(db, item);
                self.function(name, &Symbol::Item(item), call, docs, found);
            }
        }
        for kind in [RubyKind::Function, RubyKind::LegacyFunction] {
            for name in semantics::names_in_ruby(db, self.environment, kind) {
                if !fits(name, slice(found.text, written)) {
                    continue;
                }
                let Some(it) = ruby_definition(db, self.environment, kind, name.into()) else { continue };
                let declared = &ruby_functions(db, it.file).functions;
                let docs = declared.iter().find(|it| it.name == name).and_then(|it| it.doc.clone());
                let symbol = Symbol::RubyFunction(it.file, name.into());
                self.function(name, &symbol, call, docs.as_deref(), found);
            }
        }
    }

    fn function(
        &self,
        name: &str,
        symbol: &Symbol<'db>,
        call: Call,
        docs: Option<&str>,
        found: &mut Found<'_>,
    ) {
        let Some(it) = found.add(self.spot.written, SymbolKind::Function, name) else { return };
        it.rank = 4;
        it.documentation = docs.map(str::to_owned);
        let signatures = signature::of_function(self.db, self.at.file, name, symbol);
        if call == Call::Statement && STATEMENT_CALLS.contains(&name) && !JUMPS.contains(&name) {
            it.detail = signatures.first().map(signature::Signature::text);
            it.insert = format!("{name} ");
            return;
        }
        let Some(first) = signatures.first() else {
            it.insert = format!("{}($0)", escaped(name));
            it.is_snippet = true;
            return;
        };
        it.detail = Some(first.text());
        let skipped = usize::from(call == Call::Method);
        let needed = first.parameters.iter().skip(skipped).filter(|it| !it.is_optional);
        let arguments: Vec<String> = needed
            .zip(1..)
            .map(|(it, number)| {
                format!("${{{number}:{}}}", if it.name.is_empty() { "value" } else { &it.name })
            })
            .collect();
        let needs_block = first.block.as_ref().is_some_and(|it| !it.starts_with("Optional"));
        let parentheses = match (arguments.is_empty(), first.parameters.len() > skipped) {
            (false, _) => format!("({})", arguments.join(", ")),
            // A name is a call after a dot, or before a lambda.
            (true, _) if needs_block || call == Call::Method && first.block.is_some() => String::new(),
            (true, true) => "($1)".to_owned(),
            (true, false) => "()".to_owned(),
        };
        let block = match &first.block {
            Some(it) if it == "Callable[0, 0]" => " || { $0 }".to_owned(),
            Some(_) if needs_block => {
                format!(" |\\$${{{}:it}}| {{ $0 }}", arguments.len() + 1)
            }
            _ => String::new(),
        };
        it.insert = format!("{}{parentheses}{block}", escaped(name));
        it.is_snippet = true;
    }
}
