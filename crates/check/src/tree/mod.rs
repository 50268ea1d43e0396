//! Rules about a code tree as a whole: its unused parts, and the modules that its `Puppetfile` omits or lists without need.
//!
//! Everything that code, data, a template or a script mentions counts as used, and so does everything that a computed name
//! may refer to. If a computed name may refer to any class, no class is reported.

mod definitions;
mod environment_conf;
mod files;
mod mentions;
mod metadata;
mod modules;
mod origin;
mod puppetfile;
mod read;
mod tasks;
mod unjudged;
mod unread_data;
mod yaml_plans;

use std::collections::BTreeMap;
use std::sync::Arc;

use camino::Utf8Path;
use marotte_db::{Db, Environment, EnvironmentSet, File, FileStatus, Settings, environment_of};
use marotte_diagnostics::rules::Subject;
use marotte_diagnostics::suppress::Suppressions;
use marotte_diagnostics::{Diagnostic, Rule};
use marotte_hir::parse;
use marotte_resolve::puppetfile::puppetfile;
use marotte_text::{Str, TextRange};

pub use environment_conf::check_environment_conf;
pub use metadata::check_metadata;
pub use puppetfile::check_puppetfile;
pub use tasks::{check_task, is_task_metadata};
pub use unjudged::{Reason, Unjudged, unjudged};
pub use yaml_plans::{check_yaml_plan, is_yaml_plan};

/// Whether the settings request what [`check_tree`] reports.
pub fn looks_at_trees(db: &dyn Db) -> bool {
    Settings::get(db).rules(db).has(Subject::Tree)
}

/// Returns all findings of the rules about whole trees in one file, without those that its comments suppress.
///
/// A separate query, so that only callers that need these findings pay for them.
#[salsa::tracked(returns(deref))]
pub fn check_tree(db: &dyn Db, file: File) -> Box<[Arc<Diagnostic>]> {
    let all = findings_by_file(db, environment_of(db, file));
    let Some(findings) = all.get(&file) else { return Box::new([]) };
    let mut findings = findings.clone();
    if matches!(file.path(db).extension(), Some("pp" | "epp")) {
        let parsed = parse(db, file);
        let source = parsed.source();
        let suppressions = Suppressions::new(parsed.comments(), source.text(), source.line_index());
        suppressions.about(|it| it == Subject::Tree).apply(&mut findings, source.line_index());
    }
    findings.into_iter().map(Arc::new).collect()
}

/// Returns the files with findings of the rules about whole trees, in order.
pub fn files_with_findings(db: &dyn Db) -> Vec<File> {
    let environments = EnvironmentSet::get(db).environments(db).iter();
    environments.flat_map(|it| findings_by_file(db, *it).keys().copied()).collect()
}

/// Returns the findings about an environment, by file.
#[salsa::tracked(returns(ref))]
fn findings_by_file(db: &dyn Db, environment: Environment) -> BTreeMap<File, Vec<Diagnostic>> {
    let root = environment.root(db);
    let mut tree =
        Tree { db, environment, root: root.unwrap_or(Utf8Path::new("/")), findings: BTreeMap::new() };
    if root.is_some() && !is_in_module(db, environment) {
        modules::check(&mut tree);
        definitions::check(&mut tree);
        files::check(&mut tree);
        unread_data::check(&mut tree);
    }
    tree.findings
}

/// Whether an environment is inside a module of another environment, where it serves to try out the module.
fn is_in_module(db: &dyn Db, environment: Environment) -> bool {
    let mut others = EnvironmentSet::get(db).environments(db).iter().filter(|it| **it != environment);
    environment.root(db).is_some_and(|root| {
        others.any(|it| it.modules(db).iter().any(|(_, folder)| root.starts_with(folder)))
    })
}

/// The input and output of a rule about a whole tree: an environment, and the list of findings.
struct Tree<'db> {
    db: &'db dyn Db,
    environment: Environment,
    root: &'db Utf8Path,
    findings: BTreeMap<File, Vec<Diagnostic>>,
}

impl<'db> Tree<'db> {
    /// Reports a finding at the default level of its rule.
    fn report(
        &mut self,
        rule: &'static Rule,
        file: File,
        range: TextRange,
        message: String,
    ) -> &mut Diagnostic {
        let level = rule.level;
        let findings = self.findings.entry(file).or_default();
        findings.push(Diagnostic::new(rule, level, file.id(self.db), range, message));
        let last = findings.len() - 1;
        &mut findings[last]
    }

    /// Returns the site's own modules: those in the repository that are neither listed in the `Puppetfile` nor released
    /// with metadata, so that no other site can use their content.
    fn own_modules(&self) -> Vec<(&'db Str, &'db Utf8Path)> {
        let (db, root) = (self.db, self.root);
        let listed = puppetfile(db, self.environment).map(|(_, it)| it);
        let is_own = |(name, folder): &(&Str, &Utf8Path)| {
            // Modules of Puppet 3 have a `Modulefile`.
            let is_released = ["metadata.json", "Modulefile"]
                .iter()
                .any(|it| db.files().file(db, &folder.join(it)).status(db) != FileStatus::Missing);
            folder.starts_with(root)
                && listed.and_then(|it| it.module(name)).is_none_or(|it| it.is_local)
                && !is_released
        };
        self.environment.modules(db).iter().filter(is_own).collect()
    }

    /// Whether a module that isn't available may use parts of the tree. Modules from the Forge can't.
    fn may_be_used_elsewhere(&self) -> bool {
        let (db, modules) = (self.db, self.environment.modules(self.db));
        puppetfile(db, self.environment).is_some_and(|(_, it)| {
            !it.is_complete
                || it.modules.iter().any(|it| !it.has_author && modules.folder(&it.name).is_none())
        })
    }

    /// Returns the path of a file below the root of the tree, for messages.
    fn shown<'p>(&self, path: &'p Utf8Path) -> &'p Utf8Path {
        path.strip_prefix(self.root).unwrap_or(path)
    }
}
