//! Reading facts from a file.

use super::{Fact, Facts};
use crate::evaluate::{Scope, Value, Visit};
use crate::syntax::{self, Block, Call, Expr, ExprKind};

/// A file without these words declares no fact.
const TRIGGERS: &[&str] = &["Facter.add", "Facter.define_fact", "Facter::add", "Facter::define_fact"];

/// Reads the custom facts that a Ruby file declares, or may declare.
pub fn read(text: &str) -> Facts {
    let nothing = Facts { complete: true, ..Facts::default() };
    if !text.contains("Facter") {
        return nothing;
    }
    let source = syntax::parse(text);
    let mut scope = Scope::new(&source);
    let mut file = File { found: nothing };
    scope.walk(&source.body, &mut file);
    let mut found = file.found;
    found.complete &= source.sound && !scope.exhausted();
    found
}

/// The visitor of the statements of a file, and of everything that may run when it is loaded.
struct File {
    found: Facts,
}

impl Visit for File {
    fn statement(&mut self, scope: &mut Scope<'_>, expr: &Expr) {
        match &expr.kind {
            // Conditional code may run, too.
            ExprKind::Module(body) | ExprKind::Branches(body) => scope.walk(body, self),
            ExprKind::Call(call) if is_add(call) => {
                // The block may declare further facts.
                if let Some(block) = &call.block {
                    self.complete_unless_mentioned(scope, &block.body);
                }
                match fact(scope, call) {
                    Some(fact) => self.add(fact),
                    None => self.found.complete = false,
                }
            }
            _ => {
                scope.forget(expr);
                self.complete_unless_mentioned(scope, std::slice::from_ref(expr));
            }
        }
    }
}

impl File {
    fn complete_unless_mentioned(&mut self, scope: &Scope<'_>, body: &[Expr]) {
        self.found.complete &= !body.iter().any(|expr| scope.source.mentions(expr, TRIGGERS));
    }

    /// Adds a resolution; a fact can have several.
    fn add(&mut self, fact: Fact) {
        match self.found.facts.iter_mut().find(|it| it.name == fact.name) {
            Some(known) if known.structured != fact.structured => known.structured = None,
            Some(_) => {}
            None => self.found.facts.push(fact),
        }
    }
}

fn is_add(call: &Call) -> bool {
    matches!(&call.receiver, Some(Expr { kind: ExprKind::Constant(path), .. }) if path == "Facter")
        && matches!(call.method.as_str(), "add" | "define_fact")
}

fn fact(scope: &mut Scope<'_>, call: &Call) -> Option<Fact> {
    let arguments = scope.list(&call.arguments)?;
    let name = arguments.first()?.text()?.to_lowercase();
    let aggregate = match arguments.get(1) {
        Some(options) => options.get("type").text().is_some_and(|it| it == "aggregate"),
        None => false,
    };
    let structured = match &call.block {
        // Chunks are merged into one hash or array.
        _ if aggregate => Some(true),
        Some(block) => structured(scope, block),
        None => None,
    };
    Some(Fact { name, structured })
}

/// Whether the value of `setcode` is a hash or an array, if it ends with a literal.
fn structured(scope: &mut Scope<'_>, block: &Block) -> Option<bool> {
    let setcode = block.body.iter().filter_map(|expr| match &expr.kind {
        ExprKind::Call(call) if call.receiver.is_none() && call.method == "setcode" => Some(call),
        _ => None,
    });
    let [setcode] = setcode.collect::<Vec<_>>()[..] else { return None };
    let Some(code) = &setcode.block else {
        // The value of a command is text.
        let command = scope.value(setcode.arguments.first()?);
        return matches!(command, Value::String(_)).then_some(false);
    };
    // Values can be returned earlier.
    let (last, before) = code.body.split_last()?;
    if before.iter().any(|expr| scope.source.mentions(expr, &["return", "next", "break"])) {
        return None;
    }
    match &last.kind {
        ExprKind::Hash(_) | ExprKind::Array(_) => Some(true),
        ExprKind::String(_)
        | ExprKind::Symbol(_)
        | ExprKind::Number(_)
        | ExprKind::True
        | ExprKind::False => Some(false),
        _ => None,
    }
}
