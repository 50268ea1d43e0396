//! In-place changes by Ruby code of values of Puppet code. The reference shares one object among all holders
//! of such a value, so variables and attributes of resources see the change.

use std::collections::HashSet;
use std::rc::Rc;
use std::sync::Arc;

use foldhash::HashMap;
use marotte_hir::ExprId;
use marotte_pcore::value::{Hash, Unknown, Value};
use marotte_ruby_eval::program::Program;
use marotte_text::Str;

use crate::interpreter::{Env, Evaluated, Interpreter, Scope};

/// The new values by the address of the old ones.
type Changes = HashMap<usize, Value>;

impl Interpreter<'_> {
    /// Replaces values wherever variables and attributes hold them; `changes` are pairs of old and new values. Returns
    /// whether that was possible: variables of lambdas and functions cannot be changed.
    pub(super) fn replace_changed(&mut self, env: &Env<'_>, changes: &[(Value, Value)]) -> bool {
        let changes: Changes =
            changes.iter().filter_map(|(old, new)| Some((address(old)?, new.clone()))).collect();
        let change = |it: &Value| changes.get(&address(it)?).cloned();
        if env.frame.is_some_and(|it| it.values().any(|it| replaced(it, &change).is_some())) {
            return false;
        }
        self.replace_held(env, &change);
        self.changed_values.extend(changes.into_values());
        true
    }

    /// Makes the values unknown that Ruby code may have changed in place that was not evaluated to its end here: those of its
    /// arguments and of the variables that it mentions, and those that it has changed, after the first `before` ones.
    ///
    /// # Errors
    /// If a variable of a function or lambda holds such a value, which cannot become unknown.
    pub(super) fn doubt_values(
        &mut self,
        env: &Env<'_>,
        id: ExprId,
        program: Option<&Program>,
        arguments: &[Value],
        before: usize,
        by: &Arc<Unknown>,
    ) -> Evaluated<()> {
        let mut doubted = Doubted { texts: std::mem::take(&mut self.changed_texts), ..Doubted::default() };
        let changed = self.changed_values.split_off(before.min(self.changed_values.len()));
        changed.iter().for_each(|it| doubted.add(it, false));
        if let Some(may) = program.and_then(Program::may_change) {
            doubted.all = may.others;
            arguments.iter().for_each(|it| doubted.add(it, may.any_text));
            for name in may.names.iter().filter(|_| !may.others) {
                if let Some(value) = self.find_variable(env, name) {
                    doubted.add(&value, may.any_text || may.texts.contains(name));
                }
            }
        }
        if doubted.is_empty() {
            return Ok(());
        }
        let by = by.computed();
        let doubt = |it: &Value| doubted.contains(it).then(|| Value::Unknown(Arc::clone(&by)));
        if env.frame.is_some_and(|it| it.values().any(|it| replaced(it, &doubt).is_some())) {
            return Err(self.undecided(env, id, by));
        }
        self.note_change();
        self.replace_held(env, &doubt);
        Ok(())
    }

    fn replace_held(&mut self, env: &Env<'_>, change: &dyn Fn(&Value) -> Option<Value>) {
        let replace = |value: &Value| replaced(value, change);
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

/// Values that Ruby code may have changed.
#[derive(Default)]
struct Doubted {
    /// The addresses of arrays and hashes.
    addresses: HashSet<usize>,
    /// Strings. Equal ones may be the same object.
    texts: HashSet<Str>,
    /// All arrays and hashes.
    all: bool,
}

impl Doubted {
    /// Adds a value with everything in it; strings only with `texts`.
    fn add(&mut self, value: &Value, texts: bool) {
        match value {
            Value::Array(elements) if self.addresses.insert(elements.as_ptr().addr()) => {
                elements.iter().for_each(|it| self.add(it, texts));
            }
            Value::Hash(entries) if self.addresses.insert(Arc::as_ptr(entries).addr()) => {
                entries.values().for_each(|it| self.add(it, texts));
            }
            Value::String(text) if texts => {
                self.texts.insert(text.clone());
            }
            _ => {}
        }
    }

    fn is_empty(&self) -> bool {
        self.addresses.is_empty() && self.texts.is_empty() && !self.all
    }

    fn contains(&self, value: &Value) -> bool {
        match value {
            Value::Array(it) => self.all || self.addresses.contains(&it.as_ptr().addr()),
            Value::Hash(it) => self.all || self.addresses.contains(&Arc::as_ptr(it).addr()),
            Value::String(it) => self.texts.contains(it),
            _ => false,
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
fn replaced(value: &Value, change: &dyn Fn(&Value) -> Option<Value>) -> Option<Value> {
    if let Some(new) = change(value) {
        return Some(new);
    }
    match value {
        Value::Array(elements) => {
            let new: Vec<Option<Value>> = elements.iter().map(|it| replaced(it, change)).collect();
            new.iter().any(Option::is_some).then(|| {
                let all = new.into_iter().zip(elements.iter());
                Value::Array(all.map(|(new, old)| new.unwrap_or_else(|| old.clone())).collect())
            })
        }
        Value::Hash(entries) => {
            let new: Vec<Option<Value>> = entries.values().map(|it| replaced(it, change)).collect();
            new.iter().any(Option::is_some).then(|| {
                let all = new.into_iter().zip(entries.iter());
                let all = all.map(|(new, (key, old))| (key.clone(), new.unwrap_or_else(|| old.clone())));
                Value::Hash(Arc::new(all.collect::<Hash>()))
            })
        }
        _ => None,
    }
}
