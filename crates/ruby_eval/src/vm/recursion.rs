//! Guards against values that contain themselves, and against recursion without end.

use std::rc::Rc;

use super::Vm;
use super::eval::{MORE_STACK, RED_ZONE};
use super::world::exhausted;
use crate::Value;
use crate::stop::Result;

/// The greatest number of active methods and blocks, and that of nested operations in Rust.
pub(super) const DEPTH: u32 = 10_000;

/// An operation that is running, with the addresses of its values.
pub(super) type Running = (&'static str, [usize; 2]);

impl Vm<'_> {
    /// Runs an operation for a value, unless the same operation is already running for the same object: then the result
    /// is None.
    ///
    /// # Errors
    /// Errors of the operation.
    pub fn guarded<T>(
        &mut self,
        operation: &'static str,
        value: &Value,
        run: impl FnOnce(&mut Self) -> Result<T>,
    ) -> Result<Option<T>> {
        self.guarded_as((operation, [address(value), 0]), run)
    }

    /// The same for an operation on two values.
    ///
    /// # Errors
    /// Errors of the operation.
    pub(crate) fn guarded_pair<T>(
        &mut self,
        operation: &'static str,
        values: [&Value; 2],
        run: impl FnOnce(&mut Self) -> Result<T>,
    ) -> Result<Option<T>> {
        self.guarded_as((operation, values.map(address)), run)
    }

    fn guarded_as<T>(
        &mut self,
        entry: Running,
        run: impl FnOnce(&mut Self) -> Result<T>,
    ) -> Result<Option<T>> {
        self.world.spend(1)?;
        if !self.world.running.borrow_mut().insert(entry) {
            return Ok(None);
        }
        let result = self.nested(run);
        self.world.running.borrow_mut().remove(&entry);
        result.map(Some)
    }

    /// Runs an operation that may lead to itself: with enough stack, unless it is nested too deeply.
    ///
    /// # Errors
    /// Errors of the operation; if it is nested too deeply.
    pub(crate) fn nested<T>(&mut self, run: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        let depth = self.world.nested.get();
        if depth >= DEPTH {
            return too_deep();
        }
        self.world.nested.set(depth + 1);
        let result = stacker::maybe_grow(RED_ZONE, MORE_STACK, || run(self));
        self.world.nested.set(depth);
        result
    }
}

/// The error for recursion without end.
pub(super) fn too_deep<T>() -> Result<T> {
    exhausted("the Ruby code calls itself too deeply")
}

/// The address of an object that can contain others.
fn address(value: &Value) -> usize {
    match value {
        Value::Array(it) => Rc::as_ptr(it).addr(),
        Value::Hash(it) => Rc::as_ptr(it).addr(),
        Value::Range(it) => Rc::as_ptr(it).addr(),
        Value::Object(it) => Rc::as_ptr(it).addr(),
        _ => 0,
    }
}
