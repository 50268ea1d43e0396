use std::sync::Arc;

use marotte_db::{Db, File, parse};

use crate::{Lowered, lower};

/// A file's definitions and what it evaluates. After an edit it is made again, and its bodies are what they were unless
/// their own text has changed: whoever reads only those need not run again.
#[salsa::tracked(returns(ref), no_eq)]
pub fn lowered(db: &dyn Db, file: File) -> Arc<Lowered> {
    // Asked for while the tree is there.
    is_readable(db, file);
    Arc::new(lower(&parse(db, file).load(db).program))
}

/// Whether all of a file is understood: what an error has made of the rest says nothing for certain.
#[salsa::tracked(returns(copy))]
pub fn is_readable(db: &dyn Db, file: File) -> bool {
    parse(db, file).load(db).errors.iter().all(|it| it.kind.is_warning())
}
