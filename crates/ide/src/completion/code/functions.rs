//! Functions, with the text of a call.

use marotte_check::semantics;
use marotte_db::environment_of;
use marotte_eval::functions::ALL;
use marotte_hir::{Item, NameKind};
use marotte_resolve::ruby::{RubyKind, ruby_definition, ruby_functions};
use marotte_syntax::STATEMENT_CALLS;
use marotte_text::unrooted;

use super::{Completer, Found};
use crate::completion::{CompletionItem, escaped, names};
use crate::docs::short_documentation;
use crate::symbol::Symbol;
use crate::{Db, FilePosition, SymbolKind, bolt, signature};

/// The functions that may be called without arguments, and then need parentheses.
const JUMPS: [&str; 3] = ["break", "next", "return"];

/// The form of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Call {
    /// After a dot.
    Method,
    /// As a statement: some functions need no parentheses.
    Statement,
    /// As a part of an expression.
    Value,
}

/// A proposed function. Its signature and its documentation are read only if it is shown: a tree may have thousands of functions.
#[derive(Clone, Copy, Debug)]
pub(in crate::completion) struct Proposed<'db> {
    call: Call,
    function: Function<'db>,
}

#[derive(Clone, Copy, Debug)]
enum Function<'db> {
    Builtin { doc: &'static str },
    Bolt { doc: &'static str },
    Item(Item<'db>),
    Ruby(RubyKind),
}

impl<'db> Completer<'db, '_> {
    /// Adds the functions that may be called at the place.
    pub(super) fn functions(&self, call: Call, found: &mut Found<'db>) {
        let db = self.db;
        for it in ALL {
            self.function(it.name, call, Function::Builtin { doc: it.doc }, found);
        }
        if bolt::is_of_plans(db, self.at.file) {
            for it in bolt::FUNCTIONS {
                self.function(it.name, call, Function::Bolt { doc: it.doc }, found);
            }
        }
        for item in names::definitions(db, self.environment, NameKind::Function) {
            self.function(unrooted(item.name(db)), call, Function::Item(item), found);
        }
        for kind in [RubyKind::Function, RubyKind::LegacyFunction] {
            for name in semantics::names_in_ruby(db, self.environment, kind) {
                self.function(name, call, Function::Ruby(kind), found);
            }
        }
    }

    fn function(&self, name: &str, call: Call, function: Function<'db>, found: &mut Found<'db>) {
        let Some(it) = found.add(self.spot.written, SymbolKind::Function, name) else { return };
        it.rank = 4;
        found.functions.entry(name.to_owned()).or_insert(Proposed { call, function });
    }
}

impl<'db> Proposed<'db> {
    /// Adds the signature, the documentation and the text of a call to a proposal.
    pub(in crate::completion) fn describe(self, db: &'db dyn Db, at: FilePosition, it: &mut CompletionItem) {
        let Proposed { call, function } = self;
        let name = it.label.as_str();
        let (symbol, docs) = match function {
            Function::Builtin { doc } => {
                (Some(Symbol::BuiltinFunction(name.into())), doc.split("\n\n").next().map(str::to_owned))
            }
            Function::Bolt { doc } => (Some(Symbol::BoltFunction(name.into())), Some(doc.to_owned())),
            Function::Item(item) => {
                (Some(Symbol::Item(item)), short_documentation(db, item).map(str::to_owned))
            }
            Function::Ruby(kind) => of_ruby(db, at, kind, name),
        };
        let signatures = symbol.map(|it| signature::of_function(db, at.file, name, &it)).unwrap_or_default();
        it.documentation = docs;
        let first = signatures.first();
        it.detail = first.map(signature::Signature::text);
        if call == Call::Statement && STATEMENT_CALLS.contains(&name) && !JUMPS.contains(&name) {
            it.insert = format!("{name} ");
            return;
        }
        it.insert = match first {
            Some(first) => snippet(name, first, call),
            None => format!("{}($0)", escaped(name)),
        };
        it.is_snippet = true;
    }
}

/// A function in Ruby, and its documentation.
fn of_ruby<'db>(
    db: &'db dyn Db,
    at: FilePosition,
    kind: RubyKind,
    name: &str,
) -> (Option<Symbol<'db>>, Option<String>) {
    let Some(it) = ruby_definition(db, environment_of(db, at.file), kind, name.into()) else {
        return (None, None);
    };
    let declared = &ruby_functions(db, it.file).functions;
    let docs = declared.iter().find(|it| it.name == name).and_then(|it| it.doc.clone());
    (Some(Symbol::RubyFunction(it.file, name.into())), docs.map(|it| it.to_string()))
}

/// A call with placeholders for the arguments that it needs.
fn snippet(name: &str, signature: &signature::Signature, call: Call) -> String {
    let skipped = usize::from(call == Call::Method);
    let needed = signature.parameters.iter().skip(skipped).filter(|it| !it.is_optional);
    let arguments: Vec<String> = needed
        .zip(1..)
        .map(|(it, number)| format!("${{{number}:{}}}", if it.name.is_empty() { "value" } else { &it.name }))
        .collect();
    let needs_block = signature.block.as_ref().is_some_and(|it| !it.starts_with("Optional"));
    let parentheses = match (arguments.is_empty(), signature.parameters.len() > skipped) {
        (false, _) => format!("({})", arguments.join(", ")),
        // A name is a call after a dot, or before a lambda.
        (true, _) if needs_block || call == Call::Method && signature.block.is_some() => String::new(),
        (true, true) => "($1)".to_owned(),
        (true, false) => "()".to_owned(),
    };
    let block = match &signature.block {
        Some(it) if it == "Callable[0, 0]" => " || { $0 }".to_owned(),
        Some(_) if needs_block => format!(" |\\$${{{}:it}}| {{ $0 }}", arguments.len() + 1),
        _ => String::new(),
    };
    format!("{}{parentheses}{block}", escaped(name))
}
