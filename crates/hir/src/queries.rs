use std::sync::Arc;

use marotte_db::{Db, File, parse};

use crate::{Lowered, lower};

/// A file's definitions and what it evaluates. After an edit it is made again, and its bodies are what they were unless
/// their own text has changed: whoever reads only those need not run again.
#[salsa::tracked(returns(ref), no_eq)]
pub fn lowered(db: &dyn Db, file: File) -> Arc<Lowered> {
    Arc::new(lower(&parse(db, file).load(db).program))
}
