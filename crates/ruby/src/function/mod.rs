//! Functions: what `Puppet::Functions.create_function` declares, and `newfunction` of the 3.x API.

mod body;
mod declares;
mod deprecation;
mod dispatch;
mod legacy;
mod model;

use crate::evaluate::{Scope, Visit};
use crate::syntax::{self, Call, Expr, ExprKind};

pub use declares::may_declare;
pub use deprecation::deprecation;
pub use model::{
    Block, Count, Dispatch, Function, Functions, Injection, LegacyFunction, LegacyKind, Parameter,
};

/// Words without which a file declares no function.
const TRIGGERS: &[&str] = &["create_function", "create_loaded_function", "newfunction"];

/// The functions that a Ruby file declares.
pub fn read(text: &str) -> Functions {
    let nothing = Functions { complete: true, ..Functions::default() };
    if !TRIGGERS.iter().any(|word| text.contains(word)) {
        return nothing;
    }
    let source = syntax::parse(text);
    let mut scope = Scope::new(&source);
    let mut file = File { found: nothing };
    scope.walk(&source.body, &mut file);
    let mut found = file.found;
    if !source.sound || scope.exhausted() {
        found.complete = false;
        found.functions.iter_mut().for_each(|it| it.complete = false);
        for legacy in &mut found.legacy {
            (legacy.kind, legacy.arity) = (None, None);
        }
    }
    found
}

/// The statements of a file.
struct File {
    found: Functions,
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
        let receiver = match &call.receiver {
            None => None,
            Some(Expr { kind: ExprKind::Constant(path), .. }) => Some(path.as_str()),
            Some(_) => return self.unknown(scope, expr),
        };
        let read = match (receiver, call.method.as_str()) {
            (Some("Puppet::Functions" | "Functions"), "create_function") => {
                body::created(scope, expr, call).map(|it| self.found.functions.push(it))
            }
            (None | Some("Puppet::Parser::Functions" | "Parser::Functions" | "Functions"), "newfunction") => {
                legacy::new_function(scope, call).map(|it| self.found.legacy.push(it))
            }
            _ => return self.unknown(scope, expr),
        };
        if read.is_none() {
            self.found.complete = false;
        }
    }
}
