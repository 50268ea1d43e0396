use std::fmt;
use std::panic::{RefUnwindSafe, UnwindSafe};
use std::sync::Arc;

use marotte_eval::{Filter, StoredResource};
use marotte_pcore::value::Value;

/// A store of exported resources, as PuppetDB is one. Its answers do not change while a program runs that depends on them.
pub trait Store: fmt::Debug + Send + Sync + UnwindSafe + RefUnwindSafe {
    /// Returns the resources of a type that nodes export and that match a filter.
    ///
    /// # Errors
    /// If there is no whole answer, or the filter is refused: a message.
    fn exported(&self, type_name: &str, filter: Option<&Filter>) -> Result<Arc<[StoredResource]>, String>;

    /// Returns the answer to a query in the store's own language.
    ///
    /// # Errors
    /// If there is no whole answer, or the query is refused: a message.
    fn query(&self, query: &Value) -> Result<Value, String>;
}
