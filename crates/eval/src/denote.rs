//! The types that expressions denote, for use without evaluating a program.

use std::rc::Rc;
use std::sync::Arc;

use marotte_hir::{Body, ExprId};
use marotte_pcore::types::Type;
use marotte_text::Str;

use crate::interpreter::{Env, Interpreter, denotes_type};
use crate::{Code, Origin, Requests, Settings};

/// Returns the type that an expression denotes: a name, possibly with literal keys. None for other expressions, or if a
/// name in it is unknown.
pub fn denoted_type(
    requests: &dyn Requests,
    settings: Settings,
    body: &Arc<Body>,
    id: ExprId,
) -> Option<Type> {
    let code = Code { body: Arc::clone(body), origin: Arc::new(Origin::Internal) };
    if !denotes_type(&code, id) {
        return None;
    }
    let mut effects = Vec::new();
    let mut interpreter = Interpreter::new(settings, requests, &mut effects);
    let top = Rc::clone(&interpreter.top);
    let env = Env { code: &code, frame: None, scope: &top, own_frames: 0 };
    interpreter.eval_type(&env, id).ok()
}

/// Returns the target of an alias, given the alias's name and the body that defines it.
pub fn alias_type(requests: &dyn Requests, settings: Settings, name: &Str, body: &Arc<Body>) -> Option<Type> {
    let code = Code { body: Arc::clone(body), origin: Arc::new(Origin::Internal) };
    let mut effects = Vec::new();
    let mut interpreter = Interpreter::new(settings, requests, &mut effects);
    let top = Rc::clone(&interpreter.top);
    let env = Env { code: &code, frame: None, scope: &top, own_frames: 0 };
    interpreter.alias_type(&env, name).ok()
}
