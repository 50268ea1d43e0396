use std::sync::Arc;

use camino::Utf8Path;
use marotte_db::Db;
use marotte_db::{File, Settings, environment_of, may_be_hiera, module_file, module_folder};
use marotte_db::{real_path, relative_to};
use marotte_diagnostics::headline::shorten;
use marotte_diagnostics::rules::{self as registry, Subject};
use marotte_diagnostics::suppress::Suppressions;
use marotte_diagnostics::{Diagnostic, syntax};
use marotte_hir::{is_program, items, parse};
use marotte_resolve::data_files::hiera_file;
use marotte_resolve::location;
use marotte_text::TextRange;

use crate::analysis::resources::declarable;
use crate::consequences;
use crate::data_file;
use crate::rules;
use crate::rules::files::unreadable;
use crate::style;
use crate::suppressions::unused_suppressions;
use crate::tree::{check_tree, looks_at_trees};

/// Returns all findings about a file, ordered by position, without those that its comments suppress.
///
/// Levels are the rules' defaults: the user's settings are applied when findings are displayed.
#[salsa::tracked(returns(deref))]
pub fn check_file(db: &dyn Db, file: File) -> Box<[Arc<Diagnostic>]> {
    db.note_check();
    if let Some(hiera) = hiera_file(db, file) {
        let mut findings = Vec::new();
        data_file::check(db, file, hiera, &mut findings);
        return in_order(findings);
    }
    if may_be_hiera(file.path(db)) {
        // The file belongs to an unused layer, such as that of a second module of the same name. It isn't code either.
        return Box::new([]);
    }
    let parsed = parse(db, file);
    let source = parsed.source();
    if let Some(error) = source.error() {
        if unreadable::is_policy_package(source) {
            return Box::new([]);
        }
        return Box::new([unreadable::diagnostic(file.id(db), error).into()]);
    }
    if unreadable::is_script(file.path(db), source.text()) {
        return Box::new([]);
    }
    let errors = parsed.errors();
    let rules = Settings::get(db).rules(db);
    let shown = consequences::first_of_slips(errors);
    let mut findings: Vec<Diagnostic> =
        shown.iter().map(|error| syntax::diagnostic(file.id(db), error, source.text())).collect();
    debug_assert!(
        shown
            .iter()
            .zip(&findings)
            .all(|(error, finding)| { error.kind.keeps_meaning() || finding.rule.stops_others() })
    );
    // The content and meaning of a file are certain only if all of it can be read. A construct at a wrong place hides no other findings.
    let is_sound = errors.iter().all(|error| error.kind.keeps_meaning());
    let of_text = findings.len();
    let is_loaded = is_sound && !is_hidden(db, file);
    if is_sound {
        // It needs the layout, so it has to be asked for.
        if rules.contains_any(&location::RULES) {
            location::check(db, file, parsed.statements(), source.text(), &mut findings);
        }
    }
    if is_loaded {
        rules::check(db, file, &mut findings);
        let wrong: Vec<TextRange> =
            errors.iter().filter(|it| !it.kind.is_warning()).map(|it| it.range).collect();
        if !wrong.is_empty() {
            let meant = consequences::without(
                findings.split_off(of_text),
                &wrong,
                source.text(),
                source.line_index(),
            );
            findings.extend(meant);
        }
    }
    let suppressions = Suppressions::new(parsed.comments(), source.text(), source.line_index())
        .about(|subject| !matches!(subject, Subject::Style | Subject::Tree));
    // Where the text has errors, it is not certain what is a comment.
    let faults = suppressions.faults(file.id(db)).into_iter();
    findings.extend(faults.filter(|it| is_sound || it.rule != registry::UNUSED_SUPPRESSION));
    let unused = suppressions.apply(&mut findings, source.line_index());
    findings.extend(unused_suppressions(db, file, unused, |subject| match subject {
        Subject::Text => is_sound,
        _ => is_loaded,
    }));
    in_order(findings)
}

/// Collects what checks of other files may need of a file: its definitions, and the resources that they can declare.
///
/// Queries about whole trees collect it, too. The first of them would do so for all files on one thread, while the other threads
/// wait for it.
pub fn prepare(db: &dyn Db, file: File) {
    if may_be_hiera(file.path(db)) {
        return;
    }
    let declares = Settings::get(db).rules(db).contains(registry::DANGLING_REFERENCE);
    for item in items(db, file).iter().filter(|_| declares) {
        declarable::of_item(db, *item);
    }
}

/// Returns all findings of a file, including those of style rules and of rules about whole trees if the settings request
/// them.
pub fn findings(db: &dyn Db, file: File) -> Vec<Arc<Diagnostic>> {
    let mut findings = check_file(db, file).to_vec();
    let rules = Settings::get(db).rules(db);
    let (style, tree) = (rules.has(Subject::Style), looks_at_trees(db));
    if style {
        findings.extend_from_slice(check_style(db, file));
    }
    if tree {
        findings.extend_from_slice(check_tree(db, file));
    }
    if style || tree {
        findings.sort_by_key(|finding| (finding.range.start(), finding.range.end(), finding.rule));
    }
    findings
}

/// Returns the style findings of a manifest: code that is correct, but written differently from the usual style. Findings that
/// its comments suppress are left out.
///
/// A separate query, so that only callers that need these findings pay for them.
#[salsa::tracked(returns(deref))]
pub fn check_style(db: &dyn Db, file: File) -> Box<[Arc<Diagnostic>]> {
    if file.path(db).extension() != Some("pp") && may_be_hiera(file.path(db)) {
        return Box::new([]);
    }
    let parsed = parse(db, file);
    let source = parsed.source();
    // Templates are laid out for what they render.
    if source.error().is_some()
        || parsed.mode().template
        || unreadable::is_script(file.path(db), source.text())
        || is_hidden(db, file)
    {
        return Box::new([]);
    }
    if !parsed.errors().iter().all(|error| error.kind.keeps_meaning()) {
        return Box::new([]);
    }
    let (text, lines) = (source.text(), source.line_index());
    let mut findings = style::findings(file.id(db), text, lines, &parsed.program(), parsed.comments());
    // A module's examples and tests are applied by themselves, and consist of such code.
    if module_file(db, file).is_some() && is_program(db, file) {
        findings.retain(|it| it.rule != registry::TOP_SCOPE_CODE);
    }
    let suppressions = Suppressions::new(parsed.comments(), text, lines).about(|it| it == Subject::Style);
    let unused = suppressions.apply(&mut findings, lines);
    let rules = Settings::get(db).rules(db);
    let unused = unused.iter().filter(|it| rules.contains(it.rule));
    findings.extend(unused.map(|it| it.unused(file.id(db))));
    in_order(findings)
}

/// Whether a file is never loaded as code: `puppet generate types` wrote it, or it is in a module of an environment whose name
/// resolves to another module.
fn is_hidden(db: &dyn Db, file: File) -> bool {
    let environment = environment_of(db, file);
    let folder = || module_folder(db, environment, module_file(db, file)?.module.clone());
    let is_in = |folder: &Utf8Path| {
        // The module's folder may be a link to the folder that contains the file.
        let real = || real_path(db, db.files().file(db, folder));
        relative_to(file.path(db), folder).is_some() || real_path(db, file).starts_with(real())
    };
    let is_generated = file.path(db).as_str().contains("/.resource_types/");
    is_generated || environment.root(db).is_some() && folder().is_some_and(|it| !is_in(it))
}

fn in_order(mut findings: Vec<Diagnostic>) -> Box<[Arc<Diagnostic>]> {
    findings.iter_mut().for_each(shorten);
    findings.sort_by_key(|finding| (finding.range.start(), finding.range.end(), finding.rule));
    // An expression that is used twice is wrong once.
    let is_said = |it: &mut Diagnostic, before: &mut Diagnostic| {
        it.rule == before.rule && it.range == before.range && it.message == before.message
    };
    findings.dedup_by(is_said);
    findings.into_iter().map(Arc::new).collect()
}
