//! The correspondence between Ruby objects and Puppet values. In the reference both are the same object, so that all
//! its holders see changes; here, changes are propagated from one to the other.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::rc::Rc;
use std::sync::Arc;

use indexmap::IndexMap;
use marotte_pcore::value::{Unknown, UnknownSource, Value as PuppetValue};
use marotte_text::Str;

use crate::stop::{Result, Stop, unsupported};
use crate::{Value, Vm};

thread_local! {
    static CHANGES: Cell<u64> = const { Cell::new(0) };
    static TEXT_CHANGES: RefCell<Vec<Str>> = const { RefCell::new(Vec::new()) };
}

/// Counts a change in place of an array or hash that corresponds to a Puppet value.
pub(crate) fn note_change() {
    CHANGES.set(CHANGES.get() + 1);
}

/// Notes the first change in place of a string that came from Puppet, with its text before.
pub(crate) fn note_text_change(text: Str) {
    TEXT_CHANGES.with_borrow_mut(|it| it.push(text));
}

/// The correspondence between Ruby objects and Puppet values.
#[derive(Debug)]
pub(crate) struct Identities {
    /// The objects by the addresses of their Puppet values, which they keep alive.
    imported: RefCell<IndexMap<usize, Value>>,
    /// The replaced values, as pairs of the old and the new value.
    moves: RefCell<Vec<(PuppetValue, PuppetValue)>>,
    /// Replaced values that may still be referenced by computations in progress.
    replaced: RefCell<Vec<PuppetValue>>,
    /// The number of changes at the last check.
    changes_seen: Cell<u64>,
}

impl Default for Identities {
    fn default() -> Identities {
        // Those of an evaluation that has ended, since each tells its own before it starts another.
        drop(TEXT_CHANGES.take());
        Identities {
            imported: RefCell::default(),
            moves: RefCell::default(),
            replaced: RefCell::default(),
            changes_seen: Cell::new(CHANGES.get()),
        }
    }
}

/// The role of a Puppet value that is created for an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Export {
    /// A copy, independent of the object.
    Copy,
    /// The value represents the object from now on. An object without a Puppet form is represented by an unknown value
    /// in Puppet code, from which Ruby code gets the object back.
    Keep,
}

/// A conversion of a value.
pub(crate) struct Exporting {
    /// The role of the result.
    pub(super) export: Export,
    /// The converted parts by the addresses of the objects, which stay one value if they were one object.
    known: HashMap<usize, PuppetValue, foldhash::fast::FixedState>,
}

impl Exporting {
    pub(super) fn new(export: Export) -> Exporting {
        Exporting { export, known: HashMap::default() }
    }
}

/// The address that distinguishes a Puppet value from equal ones; 0 for values without identity.
pub(crate) fn address(value: &PuppetValue) -> usize {
    match value {
        PuppetValue::Array(it) => it.as_ptr().addr(),
        PuppetValue::Hash(it) => Arc::as_ptr(it).addr(),
        PuppetValue::Unknown(it) => Arc::as_ptr(it).addr(),
        _ => 0,
    }
}

impl Vm<'_> {
    /// The object that represents the Puppet value at an address.
    pub(super) fn known_import(&self, address: usize) -> Option<Value> {
        self.world.puppet.identities.imported.borrow().get(&address).cloned()
    }

    pub(super) fn keep_import(&self, address: usize, object: Value) -> Value {
        self.world.puppet.identities.imported.borrow_mut().insert(address, object.clone());
        object
    }

    /// The Puppet form of a Ruby value that Puppet code will hold: changes in place are propagated to it.
    ///
    /// # Errors
    /// If the budget is exhausted.
    pub(super) fn export_kept(&mut self, value: &Value) -> Result<PuppetValue> {
        match self.export_whole(value, Export::Keep) {
            Err(stop) if matches!(*stop, Stop::Unsupported(_)) => Ok(self.stand_for_itself(value)),
            result => result,
        }
    }

    /// The Puppet form of the result of a function. What has none, such as a symbol, is unknown to Puppet code, while Ruby code
    /// that calls the function gets the object.
    ///
    /// # Errors
    /// If the budget is exhausted.
    pub(super) fn export_result(&mut self, value: &Value) -> Result<PuppetValue> {
        match self.export(value) {
            Err(stop) if matches!(*stop, Stop::Unsupported(_)) => self.export_kept(value),
            result => result,
        }
    }

    /// The Puppet form of an element, which is shared by all its places in a value.
    pub(super) fn export_part(
        &mut self,
        value: &Value,
        exporting: &mut Exporting,
        depth: usize,
    ) -> Result<PuppetValue> {
        /// The length of texts that are worth sharing.
        const LONG: usize = 64;
        let place = match value {
            Value::Array(_) | Value::Hash(_) => place(value),
            Value::String(it) if it.bytes().len() >= LONG => Rc::as_ptr(it).addr(),
            _ => 0,
        };
        if let Some(known) = exporting.known.get(&place) {
            return Ok(known.clone());
        }
        let exported = match self.export_at(value, exporting, depth + 1) {
            Err(stop) if exporting.export == Export::Keep && matches!(*stop, Stop::Unsupported(_)) => {
                self.stand_for_itself(value)
            }
            result => result?,
        };
        if place != 0 {
            exporting.known.insert(place, exported.clone());
        }
        Ok(exported)
    }

    /// Registers the new Puppet value of an array or hash, which may have had another one before.
    pub(super) fn exported(
        &mut self,
        object: &Value,
        before: Option<PuppetValue>,
        now: PuppetValue,
        export: Export,
    ) -> PuppetValue {
        if export == Export::Keep {
            self.stand_for(object, before, &now);
        }
        now
    }

    /// The unknown value that represents an object without a Puppet form.
    fn stand_for_itself(&mut self, object: &Value) -> PuppetValue {
        let before = origin(object);
        if let Some(PuppetValue::Unknown(_)) = &before {
            return before.unwrap_or(PuppetValue::Undef);
        }
        let now = PuppetValue::Unknown(Unknown::new(UnknownSource::RubyObject));
        self.stand_for(object, before, &now);
        now
    }

    fn stand_for(&mut self, object: &Value, before: Option<PuppetValue>, now: &PuppetValue) {
        match object {
            Value::Array(it) => it.stand_for(now.clone()),
            Value::Hash(it) => it.stand_for(now.clone()),
            _ => {}
        }
        let identities = &self.world.puppet.identities;
        identities.imported.borrow_mut().insert(address(now), object.clone());
        if let Some(before) = before {
            let mut moves = identities.moves.borrow_mut();
            for (_, target) in moves.iter_mut().filter(|(_, target)| address(target) == address(&before)) {
                *target = now.clone();
            }
            moves.push((before, now.clone()));
        }
    }

    /// Reports to the host the arrays and hashes that Ruby code has changed in place since the last call.
    ///
    /// # Errors
    /// If the host cannot propagate the changes, or a string was changed, whose other holders are not known.
    pub fn apply_changes(&mut self) -> Result<()> {
        let identities = &self.world.puppet.identities;
        let texts = TEXT_CHANGES.take();
        if !texts.is_empty() {
            self.host.note_changed_texts(texts);
            return unsupported("changing a string of Puppet code in place");
        }
        let changes = CHANGES.get();
        if identities.changes_seen.replace(changes) == changes {
            return Ok(());
        }
        for object in self.changed_objects() {
            self.export_kept(&object)?;
        }
        let moves = self.world.puppet.identities.moves.take();
        let answer = self.host.replace_values(&moves);
        self.world
            .puppet
            .identities
            .replaced
            .borrow_mut()
            .extend(moves.into_iter().map(|(before, _)| before));
        self.answered(answer)
    }

    /// The changed objects, and those that contain them.
    fn changed_objects(&self) -> Vec<Value> {
        let imported = self.world.puppet.identities.imported.borrow();
        let mut changed: IndexMap<usize, Value> = IndexMap::new();
        let is_changed = |value: &Value| match value {
            Value::Array(it) => it.is_changed(),
            Value::Hash(it) => it.is_changed(),
            _ => false,
        };
        for object in imported.values().filter(|it| is_changed(it)) {
            changed.insert(place(object), object.clone());
        }
        loop {
            let known = changed.len();
            for object in imported.values() {
                let holds = match object {
                    _ if changed.contains_key(&place(object)) => false,
                    Value::Array(it) => it.items().iter().any(|it| changed.contains_key(&place(it))),
                    Value::Hash(it) => it.entries().values().any(|it| changed.contains_key(&place(it))),
                    _ => false,
                };
                if holds {
                    changed.insert(place(object), object.clone());
                }
            }
            if changed.len() == known {
                return changed.into_values().collect();
            }
        }
    }
}

/// The Puppet value that represents an object.
fn origin(object: &Value) -> Option<PuppetValue> {
    match object {
        Value::Array(it) => it.origin(),
        Value::Hash(it) => it.origin(),
        _ => None,
    }
}

/// The address that distinguishes an array or hash from equal ones; 0 for other values.
fn place(value: &Value) -> usize {
    match value {
        Value::Array(it) => Rc::as_ptr(it).addr(),
        Value::Hash(it) => Rc::as_ptr(it).addr(),
        _ => 0,
    }
}
