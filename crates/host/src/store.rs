use std::fmt;
use std::panic::{RefUnwindSafe, UnwindSafe};
use std::sync::Arc;

use marotte_catalog::rich_data::rich_data;
use marotte_eval::{Filter, StoredResource};
use marotte_pcore::value::Value;
use serde_json::{Value as Json, json};

use crate::Answers;

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

/// A store whose answers are in a record, or become part of it.
#[derive(Debug)]
pub(crate) struct RecordedStore {
    pub(crate) answers: Arc<Answers>,
    /// None if only recorded answers are used.
    pub(crate) store: Option<Arc<dyn Store>>,
}

impl Store for RecordedStore {
    fn exported(&self, type_name: &str, filter: Option<&Filter>) -> Result<Arc<[StoredResource]>, String> {
        let question = json!([type_name, filter.map(condition)]);
        if let Some(known) = self.answers.exported(&question) {
            return Ok(known);
        }
        let Some(store) = &self.store else {
            let path = self.answers.path();
            return Err(format!("the exported resources of {type_name} were not recorded in {path}"));
        };
        let found = store.exported(type_name, filter)?;
        self.answers.note_exported(question, &found);
        Ok(found)
    }

    fn query(&self, query: &Value) -> Result<Value, String> {
        match (self.answers.query(query), &self.store) {
            (Some(known), _) => Ok(known),
            (None, Some(store)) => {
                let answer = store.query(query)?;
                self.answers.note_query(query, &answer);
                Ok(answer)
            }
            (None, None) => {
                Err(format!("this query of PuppetDB was not recorded in {}", self.answers.path()))
            }
        }
    }
}

/// A filter as JSON, by which its answer is found again.
fn condition(filter: &Filter) -> Json {
    match filter {
        Filter::Equal(name, value) => json!(["=", name.as_str(), rich_data(value)]),
        Filter::NotEqual(name, value) => json!(["!=", name.as_str(), rich_data(value)]),
        Filter::And(left, right) => json!(["and", condition(left), condition(right)]),
        Filter::Or(left, right) => json!(["or", condition(left), condition(right)]),
    }
}
