//! In-place changes by Ruby code of values of Puppet code. The reference shares one object among all holders
//! of such a value, so variables and attributes of resources see the change.

use std::collections::HashSet;
use std::rc::Rc;
use std::sync::Arc;

use foldhash::HashMap;
use marotte_pcore::value::{Hash, Unknown, Value};
use marotte_ruby_eval::program::{MayChange, Program};
use marotte_text::Str;

use crate::interpreter::{Env, Evaluated, Interpreter, Scope};

/// A change in place of values by Ruby code.
pub(crate) struct ValueChange {
    kind: Kind,
    /// The values as they were, which are kept so that no other values get their addresses.
    _before: Vec<Value>,
}

enum Kind {
    /// The new values by the addresses of the old ones.
    Replaced(HashMap<usize, Value>),
    /// Values that may have been changed, and what may have done so.
    Doubted(Doubted, Arc<Unknown>),
}

impl ValueChange {
    /// The value after the change; None if nothing in it was changed.
    fn after(&self, value: &Value) -> Option<Value> {
        match &self.kind {
            Kind::Replaced(new) => replaced(value, &|it| new.get(&address(it)?).cloned()),
            Kind::Doubted(doubted, by) => {
                replaced(value, &|it| doubted.contains(it).then(|| Value::Unknown(Arc::clone(by))))
            }
        }
    }
}

impl Interpreter<'_> {
    /// Replaces values wherever variables and attributes hold them; `changes` are pairs of old and new values.
    pub(super) fn replace_changed(&mut self, env: &Env<'_>, changes: &[(Value, Value)]) {
        let new: HashMap<usize, Value> =
            changes.iter().filter_map(|(old, new)| Some((address(old)?, new.clone()))).collect();
        if new.is_empty() {
            return;
        }
        self.changed_values.extend(changes.iter().map(|(_, new)| new.clone()));
        let before = changes.iter().map(|(old, _)| old.clone()).collect();
        self.apply(env, ValueChange { kind: Kind::Replaced(new), _before: before });
    }

    /// Makes the values unknown that Ruby code may have changed in place that was not evaluated to its end here: those of its
    /// arguments and of the variables that it mentions, and those that it has changed, after the first `before` ones. Its program is
    /// None if it cannot be searched.
    pub(super) fn doubt_values(
        &mut self,
        env: &Env<'_>,
        program: Option<&Program>,
        arguments: &[Value],
        before: usize,
        by: &Arc<Unknown>,
    ) {
        let mut doubted = Doubted { texts: std::mem::take(&mut self.changed_texts), ..Doubted::default() };
        let mut held = self.changed_values.split_off(before.min(self.changed_values.len()));
        held.iter().for_each(|it| doubted.add(it, false));
        if program.is_none() {
            // Code that cannot be searched may change everything that it gets.
            arguments.iter().for_each(|it| doubted.add(it, true));
            held.extend_from_slice(arguments);
        }
        if let Some(may) = program.and_then(|it| self.may_change(it)) {
            doubted.all = may.others;
            arguments.iter().for_each(|it| doubted.add(it, may.any_text));
            held.extend_from_slice(arguments);
            for name in may.names.iter().filter(|_| !may.others) {
                if let Some(value) = self.find_variable(env, name) {
                    doubted.add(&value, may.any_text || may.texts.contains(name));
                    held.push(value);
                }
            }
        }
        if doubted.is_empty() {
            return;
        }
        self.note_change();
        self.apply(env, ValueChange { kind: Kind::Doubted(doubted, by.computed()), _before: held });
    }

    /// Returns the values that a program, and the functions that it calls, may change in place. None if they change nothing.
    fn may_change(&self, program: &Program) -> Option<MayChange> {
        let mut all = program.may_change()?;
        let mut next = 0;
        while let Some(name) = all.calls.get(next).cloned() {
            next += 1;
            if let Some(builtin) = self.builtin(&name) {
                // The code that it evaluates is not searched.
                all.itself |= builtin.may_change_catalog();
                continue;
            }
            match self.function_body(&name).is_none().then(|| self.program_of_function(&name)).flatten() {
                Some(called) => all.include(called.may_change()),
                None => all.itself = true,
            }
        }
        all.itself.then_some(all)
    }

    /// Applies a change to all variables and attributes that can be reached from here. Those of calling code, and the values
    /// with which it computes, follow in [`Interpreter::settled`].
    fn apply(&mut self, env: &Env<'_>, change: ValueChange) {
        let replace = |value: &Value| change.after(value);
        if let Some(frame) = env.frame {
            frame.replace_values(&replace);
        }
        self.replace_held(env, &replace);
        self.value_changes.push(change);
    }

    /// The number of changes in place so far.
    pub(crate) fn changes_in_place(&self) -> usize {
        self.value_changes.len()
    }

    /// Returns a value that was computed before the changes in place after the first `since` ones, as it is now.
    ///
    /// # Errors
    /// If the budget is used up.
    pub(crate) fn settled(&mut self, since: usize, value: Value) -> Evaluated {
        if since == self.value_changes.len() {
            return Ok(value);
        }
        self.spend((self.value_changes.len() - since) as u64)?;
        let changes = self.value_changes.get(since..).unwrap_or_default();
        Ok(changes.iter().fold(value, |value, it| it.after(&value).unwrap_or(value)))
    }

    /// [`Interpreter::settled`] for several values.
    ///
    /// # Errors
    /// If the budget is used up.
    pub(crate) fn settled_all(&mut self, since: usize, values: Vec<Value>) -> Evaluated<Vec<Value>> {
        if since == self.value_changes.len() {
            return Ok(values);
        }
        values.into_iter().map(|it| self.settled(since, it)).collect()
    }

    /// Applies the changes in place after the first `since` ones to the local variables of the calling place.
    ///
    /// # Errors
    /// If the budget is used up.
    pub(crate) fn settle_locals(&mut self, env: &Env<'_>, since: usize) -> Evaluated<()> {
        let (Some(frame), true) = (env.frame, since < self.value_changes.len()) else { return Ok(()) };
        self.spend((self.value_changes.len() - since) as u64)?;
        let seen = frame.seen.replace(self.value_changes.len()).max(since);
        for change in self.value_changes.get(seen..).unwrap_or_default() {
            frame.replace_values(&|value| change.after(value));
        }
        Ok(())
    }

    fn replace_held(&mut self, env: &Env<'_>, replace: &dyn Fn(&Value) -> Option<Value>) {
        let mut scopes: Vec<Rc<Scope>> = vec![Rc::clone(env.scope), Rc::clone(&self.top)];
        if let Some(state) = &mut self.catalog {
            // The order is irrelevant: each scope is changed independently.
            scopes.extend(state.all_scopes());
            state.replace_values(replace);
        }
        for scope in scopes {
            let mut next = Some(scope);
            while let Some(it) = next {
                it.replace_values(replace);
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
