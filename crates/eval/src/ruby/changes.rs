//! In-place changes by Ruby code of arrays and hashes of Puppet code. The reference shares one object among all holders
//! of such a value, so variables and attributes of resources see the change.

use std::rc::Rc;
use std::sync::Arc;

use foldhash::HashMap;
use marotte_pcore::value::{Hash, Unknown, Value};
use marotte_ruby_eval::program::Program;

use crate::interpreter::{Env, Interpreter, Scope};

/// The new values by the address of the old ones.
type Changes = HashMap<usize, Value>;

impl Interpreter<'_> {
    /// Replaces values wherever variables and attributes hold them; `changes` are pairs of old and new values. Returns
    /// whether that was possible: variables of lambdas and functions cannot be changed.
    pub(super) fn replace_changed(&mut self, env: &Env<'_>, changes: &[(Value, Value)]) -> bool {
        let changes: Changes =
            changes.iter().filter_map(|(old, new)| Some((address(old)?, new.clone()))).collect();
        if env.frame.is_some_and(|it| it.values().any(|it| replaced(it, &changes).is_some())) {
            return false;
        }
        self.replace_held(env, &changes);
        true
    }

    /// Makes the arrays and hashes unknown that a template may have changed that was not evaluated to its end here.
    pub(super) fn doubt_values(&mut self, env: &Env<'_>, template: &Program, by: &Arc<Unknown>) {
        let held = template.may_change().into_iter().filter_map(|it| self.find_variable(env, &it));
        let is_shared = |it: &Value| matches!(it, Value::Array(_) | Value::Hash(_));
        let doubt = |it: Value| Some((address(&it)?, Value::Unknown(by.computed())));
        let changes: Changes = held.filter(is_shared).filter_map(doubt).collect();
        if !changes.is_empty() {
            self.note_change();
            self.replace_held(env, &changes);
        }
    }

    fn replace_held(&mut self, env: &Env<'_>, changes: &Changes) {
        let replace = |value: &Value| replaced(value, changes);
        let mut scopes: Vec<Rc<Scope>> = vec![Rc::clone(env.scope), Rc::clone(&self.top)];
        if let Some(state) = &mut self.catalog {
            // The order is irrelevant: each scope is changed independently.
            scopes.extend(state.all_scopes());
            state.replace_values(&replace);
        }
        for scope in scopes {
            let mut next = Some(scope);
            while let Some(it) = next {
                it.replace_values(&replace);
                next = it.inherited.clone().or_else(|| it.global.clone());
            }
        }
    }
}

/// The address of an array or hash, which distinguishes it from equal ones.
fn address(value: &Value) -> Option<usize> {
    match value {
        Value::Array(it) => Some(it.as_ptr().addr()),
        Value::Hash(it) => Some(Arc::as_ptr(it).addr()),
        Value::Unknown(it) => Some(Arc::as_ptr(it).addr()),
        _ => None,
    }
}

/// The value after the changes; None if nothing in it was changed.
fn replaced(value: &Value, changes: &Changes) -> Option<Value> {
    if let Some(new) = changes.get(&address(value)?) {
        return Some(new.clone());
    }
    match value {
        Value::Array(elements) => {
            let new: Vec<Option<Value>> = elements.iter().map(|it| replaced(it, changes)).collect();
            new.iter().any(Option::is_some).then(|| {
                let all = new.into_iter().zip(elements.iter());
                Value::Array(all.map(|(new, old)| new.unwrap_or_else(|| old.clone())).collect())
            })
        }
        Value::Hash(entries) => {
            let new: Vec<Option<Value>> = entries.values().map(|it| replaced(it, changes)).collect();
            new.iter().any(Option::is_some).then(|| {
                let all = new.into_iter().zip(entries.iter());
                let all = all.map(|(new, (key, old))| (key.clone(), new.unwrap_or_else(|| old.clone())));
                Value::Hash(Arc::new(all.collect::<Hash>()))
            })
        }
        _ => None,
    }
}
