//! The pools of type expressions and values that are compared with the reference pairwise.

use std::path::PathBuf;

use marotte_pcore::dialect::Dialect;
use marotte_pcore::types::Type;
use marotte_pcore::value::Value;

use super::{Evaluator, Failure};
use crate::workspace;

/// Returns the folder of the pools and their records.
pub fn folder() -> PathBuf {
    workspace::root().join("tests/oracle/types")
}

/// The compared types and values, with their expressions.
pub struct Pool {
    /// The types, in order.
    pub types: Vec<(String, Type)>,
    /// The values, in order.
    pub values: Vec<(String, Value)>,
    /// Evaluates expressions with the aliases of the pool.
    pub evaluator: Evaluator,
}

impl Pool {
    /// Reads both pools.
    ///
    /// # Errors
    /// If a file is missing, or an expression has no value.
    pub fn read(dialect: &'static Dialect) -> Result<Pool, Failure> {
        let types = workspace::read(&folder().join("types.txt"))?;
        let values = workspace::read(&folder().join("values.txt"))?;
        let aliases = types.lines().filter(|line| line.starts_with("type "));
        let evaluator = Evaluator::new(dialect, aliases)?;
        let failed = |source: &str, failure| Failure(format!("{source}: {failure}"));
        let (types, values) = evaluator.session(|it| {
            let types = expressions(&types).map(|source| {
                let it = it.evaluate_type(source).map_err(|failure| failed(source, failure))?;
                Ok((source.to_owned(), it))
            });
            let types = types.collect::<Result<_, Failure>>()?;
            let values = expressions(&values).map(|source| {
                let it = it.evaluate(source).map_err(|failure| failed(source, failure))?;
                Ok((source.to_owned(), it))
            });
            Ok((types, values.collect::<Result<_, Failure>>()?))
        })?;
        Ok(Pool { types, values, evaluator })
    }
}

/// The lines that are neither comments nor aliases.
fn expressions(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter(|line| !line.is_empty() && !line.starts_with('#') && !line.starts_with("type "))
}
