//! The dependencies of a file's check on other files, as index keys: they decide which files a change affects.

use std::collections::BTreeSet;
use std::hash::{BuildHasher as _, Hasher as _};
use std::sync::Arc;

use foldhash::fast::FixedState;
use marotte_db::{Db, File, Settings, module_file, source_text};
use marotte_diagnostics::rules;
use marotte_hir::body::Expr;
use marotte_hir::{ExprId, ItemKind, NameKind, items};
use marotte_infer::declarations::declarations;
use marotte_infer::literal::references;
use marotte_resolve::call::queries_catalog;
use marotte_resolve::data_files::{HieraFileKind, data_keys, hiera_file};
use marotte_resolve::names::known;
use marotte_text::{Str, normalized, split_namespace, unrooted};

use crate::analysis::names::mentions;
use crate::analysis::resources::declarable::{is_written_in, loose};
use crate::analysis::resources::fragments::fragments;
use crate::analysis::resources::relationships::{
    later, named_by_title, operands, overridden, partly_written, realized,
};
use crate::data::passed_on::passed_on;
use crate::data::reads::{KeyReads, data_reads, program_reads};

pub use crate::analysis::titles::near::MeantElsewhere;

/// The title of a resource that stands for any of its type.
pub const ANY_TITLE: &str = "*";

/// The dependencies of a file's check.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Dependencies {
    /// The resources that the file puts into relationships without declaring them in the same item: types, and titles as far as
    /// they distinguish resources.
    pub resources: BTreeSet<(Str, Str)>,
    /// The hashes of the words of these titles.
    pub title_words: BTreeSet<u64>,
    /// The data keys that the file looks up; of data, also the keys that it has.
    pub keys: KeyReads,
    /// The data keys of the parameters of its classes.
    pub parameters: Box<[Str]>,
    /// The [hashes](word) of the words of the file's text, normalized for comparison, and of the names that contain them.
    pub words: Box<[u64]>,
    /// The hashes of those names that are in a namespace.
    pub names: Box<[u64]>,
    /// The outermost namespaces of the names.
    pub namespaces: Box<[Str]>,
    /// The names that the file defines.
    pub defines: Box<[Str]>,
    /// The classes from which the file's classes inherit.
    pub inherits: Box<[Str]>,
}

impl Dependencies {
    /// Whether the text contains a word, or a name that starts with it.
    pub fn says(&self, name: &str) -> bool {
        self.words.binary_search(&word(name)).is_ok()
    }
}

/// The hash of a word in lower case. Collisions are so rare that the superfluous checks they cause cost nothing.
pub fn word(text: &str) -> u64 {
    let mut hasher = FixedState::default().build_hasher();
    hasher.write(text.as_bytes());
    hasher.finish()
}

/// Collects the dependencies of a file's check.
#[salsa::tracked(returns(ref))]
pub fn dependencies(db: &dyn Db, file: File) -> Arc<Dependencies> {
    let Words { words, names, namespaces } = Words::of(source_text(db, file).text());
    if let Some(HieraFileKind::Data { format, .. }) = hiera_file(db, file).map(|it| &it.kind) {
        let is_checked = |rule| Settings::get(db).rules(db).contains(rule);
        let (mut keys, mut words) = (BTreeSet::new(), words.into_vec());
        if is_checked(rules::BAD_INTERPOLATION) {
            keys.extend(data_reads(db, file, *format).keys().cloned());
        }
        if is_checked(rules::VALUE_TYPE) {
            let own = data_keys(db, file, *format);
            words.extend(passed_types(db, file, own).iter().map(|it| word(it)));
            words.sort_unstable();
            words.dedup();
            // Merged values are checked together.
            keys.extend(own.iter().cloned());
        }
        let (keys, words) = (KeyReads::of(keys), words.into());
        return Arc::new(Dependencies { keys, words, names, namespaces, ..Dependencies::default() });
    }
    if hiera_file(db, file).is_some() || !matches!(file.path(db).extension(), Some("pp" | "epp")) {
        return Arc::new(Dependencies { words, names, namespaces, ..Dependencies::default() });
    }
    let keys = program_reads(db, file).clone();
    let mut dependencies = Dependencies { keys, words, names, namespaces, ..Dependencies::default() };
    let (mut defines, mut inherits, mut parameters) = (Vec::new(), Vec::new(), Vec::new());
    // Its declarations are part of what modules declare.
    let is_of_module =
        module_file(db, file).is_some_and(|it| matches!(it.folder(), Some("manifests" | "functions")));
    for item in items(db, file) {
        let body = item.body(db);
        if NameKind::of(item.kind(db)).is_some() {
            defines.push(normalized(item.name(db)));
        }
        inherits.extend(item.signature(db).parent.as_deref().map(normalized));
        if item.kind(db) == ItemKind::Class {
            let class = normalized(item.name(db));
            let names = item.signature(db).parameters.iter().map(|it| &it.name);
            parameters.extend(names.map(|it| Str::from(format!("{class}::{it}"))));
        }
        if queries_catalog(body) {
            continue;
        }
        for (_, kind, title) in named_by_title(body, &declarations(body)) {
            dependencies.resources.insert((kind.into(), loose(&title)));
        }
        let operands = operands(body).into_iter().map(|it| it.0);
        let operands: Vec<ExprId> =
            operands.chain(realized(body)).chain(overridden(body)).chain(later(body)).collect();
        for operand in &operands {
            for (type_name, _) in partly_written(body, *operand) {
                dependencies.resources.insert((type_name, ANY_TITLE.into()));
            }
        }
        for (container, _, target) in fragments(body) {
            let Expr::String(title) = body.expr(target) else { continue };
            dependencies.resources.extend(container.iter().map(|it| (Str::from(*it), loose(title))));
        }
        for reference in operands.into_iter().flat_map(|id| references(body, id).0) {
            let (_, reference) = reference;
            let title = loose(&reference.title);
            if !(is_of_module && is_written_in(db, *item, &reference.type_name, &title)) {
                dependencies.title_words.extend(mentions::words(&reference.title).map(|it| word(&it)));
                dependencies.resources.insert((reference.type_name, title));
            }
        }
    }
    (dependencies.defines, dependencies.inherits) = (defines.into(), inherits.into());
    dependencies.parameters = parameters.into();
    Arc::new(dependencies)
}

/// The types of the resources that classes declare from their data with these keys.
fn passed_types(db: &dyn Db, file: File, keys: &BTreeSet<Str>) -> BTreeSet<Str> {
    let of_key = |key: &Str| {
        let (class, parameter) = split_namespace(key)?;
        let item = known(db, file, NameKind::Class, class)?;
        let types = passed_on(db, item).resources.iter().filter(|it| it.0 == *parameter);
        Some(types.map(|it| it.1.clone()).collect::<Vec<_>>())
    };
    keys.iter().filter_map(of_key).flatten().collect()
}

/// The names in a text.
#[derive(Debug, Default)]
struct Words {
    words: Box<[u64]>,
    names: Box<[u64]>,
    namespaces: Box<[Str]>,
}

impl Words {
    /// Returns all names in a text, and their enclosing namespaces.
    fn of(text: &str) -> Words {
        let is_part = |it: char| it.is_ascii_alphanumeric() || it == '_' || it == ':';
        let (mut words, mut names, mut namespaces) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
        for name in text.split(|it| !is_part(it)).filter(|it| !it.is_empty()) {
            let name = unrooted(name.trim_end_matches(':')).to_ascii_lowercase();
            let mut at = name.as_str();
            while let Some((outer, _)) = split_namespace(at) {
                names.insert(word(at));
                words.insert(word(at));
                at = outer;
            }
            if !at.is_empty() {
                words.insert(word(at));
            }
            if at != name {
                namespaces.insert(Str::from(at));
            }
        }
        Words {
            words: words.into_iter().collect(),
            names: names.into_iter().collect(),
            namespaces: namespaces.into_iter().collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_words_and_so_are_those_that_they_are_in() {
        let Words { words, namespaces, .. } =
            Words::of("class a::b { notice($::C::d::e, \"${f::g}\") }\nx::y: 1\n");
        let has = |name: &str| words.binary_search(&word(name)).is_ok();
        for name in ["a", "a::b", "c", "c::d", "c::d::e", "f::g", "x::y", "notice"] {
            assert!(has(name), "{name}");
        }
        assert!(!has("b") && !has("e") && !has("d::e"));
        assert_eq!(*namespaces, ["a", "c", "f", "x"].map(Str::from));
    }
}
