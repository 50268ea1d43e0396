//! Guards against values that contain themselves.

use std::rc::Rc;

use super::Vm;
use crate::Value;
use crate::stop::Result;

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
        let entry = (operation, address(value));
        let depth = self.world.running.borrow().len();
        self.world.spend(1 + depth / 8)?;
        if self.world.running.borrow().contains(&entry) {
            return Ok(None);
        }
        self.world.running.borrow_mut().push(entry);
        let result = stacker::maybe_grow(64 << 10, 1 << 20, || run(self));
        self.world.running.borrow_mut().pop();
        result.map(Some)
    }
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
