use marotte_db::{File, line_index, parse, source_text};
use marotte_diagnostics::{Diagnostic, suppress, syntax};

use marotte_hiera::queries::{hiera_file, may_be_hiera};

use crate::rules::{self, location, unreadable};
use crate::{Db, data};

/// Everything that is to say about a file, in order of position; what its comments suppress is left out.
///
/// Levels are the rules' own: what the user wants to see, and how seriously, is decided when findings are shown.
#[salsa::tracked(returns(deref))]
pub fn check_file(db: &dyn Db, file: File) -> Box<[Diagnostic]> {
    db.count_check();
    if let Some(hiera) = hiera_file(db, file) {
        let mut findings = Vec::new();
        data::check(db, file, hiera, &mut findings);
        findings.sort_by_key(|finding| (finding.range.start(), finding.range.end()));
        return findings.into_boxed_slice();
    }
    if may_be_hiera(file.path(db)) {
        // Of a layer that nobody reads, such as that of a second module of the same name. It is no code for that.
        return Box::new([]);
    }
    let source = source_text(db, file);
    if let Some(error) = source.error() {
        return Box::new([unreadable::diagnostic(file.id(db), error)]);
    }
    let parse = parse(db, file).load(db);
    let mut findings: Vec<Diagnostic> =
        parse.errors.iter().map(|error| syntax::diagnostic(file.id(db), error, source.text())).collect();
    // What a file holds and means is certain only once all of it can be read.
    if parse.errors.iter().all(|error| error.kind.is_warning()) {
        location::check(db, file, &parse.program, source.text(), &mut findings);
        rules::check(db, file, &mut findings);
    }
    findings.sort_by_key(|finding| (finding.range.start(), finding.range.end()));
    if !findings.is_empty() {
        suppress::suppress(&mut findings, &parse.comments, source.text(), line_index(db, file));
    }
    findings.into_boxed_slice()
}
