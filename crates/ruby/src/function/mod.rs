//! Functions: the declarations by `Puppet::Functions.create_function`, and by `newfunction` of the 3.x API.

mod body;
mod counts;
mod declares;
mod deprecation;
mod dispatch;
mod legacy;
mod model;

use std::ops::Range;

use crate::evaluate::{Scope, Visit};
use crate::syntax::{self, Call, Expr, ExprKind};

pub use declares::{Declares, Sets, declares, sets_variables};
pub use deprecation::deprecation;
pub use model::{
    Block, Count, Dispatch, Function, Functions, Injection, LegacyFunction, LegacyKind, Parameter,
};

/// A file without these words declares no function.
const TRIGGERS: &[&str] = &["create_function", "create_loaded_function", "newfunction"];

/// Reads the functions that a Ruby file declares.
pub fn read(text: &str) -> Functions {
    read_file(text).found
}

/// The positions of the signatures of a function in the text that declares it, in bytes and in the order of its
/// dispatches: their heads, such as `dispatch :name`.
pub fn dispatch_places(text: &str, name: &str) -> Vec<Range<usize>> {
    let File { found, mut places } = read_file(text);
    let index = found.functions.iter().position(|it| it.name == name);
    index.map(|it| places.swap_remove(it)).unwrap_or_default()
}

fn read_file(text: &str) -> File {
    let nothing = Functions { complete: true, ..Functions::default() };
    let mut file = File { found: nothing, places: Vec::new() };
    if !TRIGGERS.iter().any(|word| text.contains(word)) {
        return file;
    }
    let source = syntax::parse(text);
    let mut scope = Scope::new(&source);
    scope.walk(&source.body, &mut file);
    let found = &mut file.found;
    if !source.sound || scope.exhausted() {
        found.complete = false;
        found.functions.iter_mut().for_each(|it| it.complete = false);
        for legacy in &mut found.legacy {
            (legacy.kind, legacy.arity) = (None, None);
            (legacy.least, legacy.most) = (0, None);
        }
    }
    file
}

/// The visitor of the statements of a file.
struct File {
    found: Functions,
    /// For each function of the 4.x API, the positions of its signatures.
    places: Vec<Vec<Range<usize>>>,
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
            (Some("Puppet::Functions" | "Functions"), "create_function") => body::created(scope, expr, call)
                .map(|it| {
                    self.found.functions.push(it.function);
                    self.places.push(it.places);
                }),
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
