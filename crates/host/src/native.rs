//! Resource types that aren't written in Puppet, as the interpreter sees them.

use std::sync::Arc;

use marotte_catalog::{NativeType, TitlePattern};
use marotte_db::{Db, Environment};
use marotte_pcore::effort;
use marotte_pcore::regexp::{Options, Regexp};
use marotte_resolve::resource_types::{self, NativeType as Resolved};
use marotte_resolve::ruby::{RubyKind, declared_resource_type, ruby_definition};
use marotte_ruby::resource_type::ResourceType;
use marotte_text::Str;

use super::replica::replica;
use super::run_type;

/// The resource type of a lower-case name that isn't written in Puppet, with the properties that evaluation needs.
#[salsa::tracked(returns(ref))]
pub(crate) fn native_type(db: &dyn Db, environment: Environment, name: Str) -> Option<Arc<NativeType>> {
    let found = match resource_types::native_type(db, environment, &name)? {
        Resolved::Replica(file) => replica(db, file, &name),
        Resolved::Core(it) => known(it),
        Resolved::Plugin(_) => plugin(db, environment, &name),
        Resolved::Agent(_) => return None,
    };
    Some(Arc::new(found))
}

/// The resource type of a module, as far as its Ruby file can be interpreted.
fn plugin(db: &dyn Db, environment: Environment, name: &str) -> NativeType {
    let Some(declared) = declared_resource_type(db, environment, name) else {
        return NativeType::unknown(name);
    };
    let mut it = known(declared);
    // A type without namevars is a mistake, or a mistake of the reader.
    let has_namevars = declared.namevars().next().is_some();
    if !it.titles_are_known || !it.unread_title.is_empty() || it.attributes.is_none() || !has_namevars {
        run(db, environment, &mut it);
    }
    it
}

/// Runs the file of a resource type to find out how titles identify its resources, and which attributes they have.
fn run(db: &dyn Db, environment: Environment, it: &mut NativeType) {
    let found = ruby_definition(db, environment, RubyKind::ResourceType, it.name.clone());
    let Some(found) = found.filter(|it| it.is_only) else { return };
    let Some(found) = run_type::summary(db, environment, found.file, it.name.clone()) else { return };
    if let [only] = &found.namevars[..] {
        it.namevar = only.clone();
    }
    it.namevars = found.is_isomorphic.then(|| found.namevars.clone());
    it.title_patterns.clone_from(&found.patterns);
    if it.attributes.is_none() {
        // Providers may be defined in other files.
        it.attributes = Some(found.attributes.iter().cloned().chain(["provider".into()]).collect());
    }
    it.unread_title.clear();
    it.titles_are_known = true;
}

/// Converts a resource type. Its unknown parts stay unknown.
fn known(it: &ResourceType) -> NativeType {
    let mut namevars: Vec<_> = it.namevars().map(|it| it.name.clone()).collect();
    namevars.sort();
    let names_are_known = it.complete && it.isomorphic == Some(true);
    let patterns = it.title_patterns.as_ref().map(|all| {
        all.iter().map(|pattern| {
            let flags = pattern.regexp.flags;
            let options = Options {
                ignore_case: flags.ignore_case,
                multi_line: flags.multi_line,
                extended: flags.extended,
            };
            let regexp = Regexp::with_options(&pattern.regexp.source, options).ok()?;
            Some(TitlePattern { regexp, attributes: pattern.attributes.clone() })
        })
    });
    // A pattern that cannot be compiled makes all later ones unknown.
    let compiled = effort::within(effort::FOR_REGEXPS, || patterns.and_then(Iterator::collect));
    let title_patterns: Option<Vec<_>> = compiled.ok().flatten();
    let unread_title = match &title_patterns {
        None if it.complete => namevars.clone(),
        _ => Vec::new(),
    };
    NativeType {
        name: it.name.clone(),
        attributes: it.complete.then(|| {
            let own = it.attributes.iter().map(|it| it.name.clone());
            // Providers may be defined in other files.
            own.chain(["provider".into()]).collect()
        }),
        namevar: match &namevars[..] {
            [only] => only.clone(),
            _ => "name".into(),
        },
        titles_are_known: it.complete || title_patterns.is_some(),
        namevars: (names_are_known && unread_title.is_empty() && !namevars.is_empty()).then_some(namevars),
        unread_title,
        title_patterns: title_patterns.unwrap_or_default(),
    }
}
