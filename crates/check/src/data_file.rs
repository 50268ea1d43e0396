//! The check of a Hiera file: a `hiera.yaml` or a file of data.

use foldhash::HashSet;
use marotte_db::Db;
use marotte_db::{File, Settings, source_text};
use marotte_diagnostics::Diagnostic;
use marotte_diagnostics::suppress::Suppressions;
use marotte_hiera::Format;
use marotte_resolve::data_files::{DataFault, HieraFile, HieraFileKind, document};

use crate::data::{DataContext, DataFile, comments};
use crate::rules;
use crate::rules::data::invalid_data_file;
use crate::rules::data::invalid_hiera_config;
use crate::rules::files::unreadable;
use crate::suppressions::unused_suppressions;

/// Adds the findings in a Hiera file.
pub(crate) fn check(db: &dyn Db, file: File, hiera: &HieraFile, findings: &mut Vec<Diagnostic>) {
    let format = match hiera.kind {
        HieraFileKind::Configuration => Format::Yaml,
        HieraFileKind::Data { format, .. } => format,
    };
    if !rules::reads_data(Settings::get(db).rules(db)) {
        let error = source_text(db, file).error();
        findings.extend(error.map(|it| unreadable::diagnostic(file.id(db), it)));
        return;
    }
    let document = match &**document(db, file, format) {
        Ok(document) => document,
        Err(DataFault::Source(error)) => return findings.push(unreadable::diagnostic(file.id(db), error)),
        Err(DataFault::Data(error)) => return findings.push(invalid_data_file::unreadable(db, file, error)),
    };
    let data = DataFile::new(db, file, hiera, document);
    let mut context = DataContext::new(data, findings);
    let is_sound = match hiera.kind {
        HieraFileKind::Configuration if invalid_hiera_config::check(&mut context) => {
            rules::check_configuration(&mut context);
            true
        }
        HieraFileKind::Data { .. } if invalid_data_file::check(&mut context) => {
            rules::check_data(&mut context);
            true
        }
        _ => false,
    };
    // What an alias stands for is checked wherever it stands, and is the same fault each time.
    let mut told = HashSet::default();
    findings.retain(|it| told.insert((it.rule, it.range, it.message.clone())));
    let source = source_text(db, file);
    if format != Format::Json && source.text().contains("lint:") {
        let comments = comments::comments(source.text(), document);
        let suppressions = Suppressions::new(&comments, source.text(), source.line_index());
        findings.extend(suppressions.faults(file.id(db)));
        let unused = suppressions.apply(findings, source.line_index());
        findings.extend(unused_suppressions(db, file, unused, |_| is_sound));
    }
}
