//! The data keys that are read by name: by lookups in programs, in Ruby, and in data itself.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use marotte_db::Db;
use marotte_db::{Environment, File, files_below, module_file, module_folder, source_text};
use marotte_eval::functions::Names;
use marotte_hiera::{ExpressionKind, Format, Layer, LookupKey, Method, expressions};
use marotte_hir::body::{Expr, Segment};
use marotte_hir::{ExprId, Item, is_readable, items};
use marotte_infer::declared::type_in;
use marotte_infer::inference::{constant, infer};
use marotte_pcore::types::{Type, TypeKind};
use marotte_pcore::value::Value;
use marotte_resolve::call::NamedCall;
use marotte_resolve::data_files::{data_files, document};
use marotte_resolve::manifests::manifests;
use marotte_text::{Str, ascii_regex};
use regex::Regex;

use super::{names_sensitive, strings};
use crate::incremental::overview::key_reads;
use crate::lookups::LookupCall;

/// The keys that some code or data reads.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KeyReads {
    keys: BTreeSet<Str>,
    /// The keys that lookups require `Sensitive` values for.
    sensitive: BTreeSet<Str>,
    /// Prefixes and suffixes of computed keys.
    patterns: BTreeSet<(Str, Str)>,
    /// Whether some keys are read of which nothing is known.
    any: bool,
}

impl KeyReads {
    /// Reads of these keys alone.
    pub(crate) fn of(keys: BTreeSet<Str>) -> KeyReads {
        KeyReads { keys, ..KeyReads::default() }
    }

    /// Whether a key may be read.
    pub fn may_read(&self, key: &str) -> bool {
        self.any || self.keys.contains(key) || self.patterns.iter().any(|it| fits(it, key))
    }

    /// The keys that lookups require `Sensitive` values for, or values that contain some.
    pub(crate) fn sensitive(&self) -> &BTreeSet<Str> {
        &self.sensitive
    }

    /// Whether a key may be read under a computed name.
    pub(crate) fn may_compute(&self, key: &str) -> bool {
        self.any || self.patterns.iter().any(|it| fits(it, key))
    }

    /// The keys that are read by a literal name.
    pub fn keys(&self) -> impl Iterator<Item = &Str> {
        self.keys.iter()
    }

    /// Whether other keys may be read in addition to the literal ones.
    pub fn is_vague(&self) -> bool {
        self.any || !self.patterns.is_empty()
    }

    /// Whether a key is read by its literal name, or by a literal part of it.
    fn names(&self, key: &str) -> bool {
        self.keys.contains(key) || self.patterns.iter().any(|it| !is_empty(it) && fits(it, key))
    }

    fn extend(&mut self, other: &KeyReads) {
        self.keys.extend(other.keys.iter().cloned());
        self.sensitive.extend(other.sensitive.iter().cloned());
        self.patterns.extend(other.patterns.iter().cloned());
        self.any |= other.any;
    }

    /// Adds the root of a key. A lookup of an invalid key fails.
    fn key(&mut self, key: &str) {
        self.keys.extend(LookupKey::parse(key).map(|it| it.root));
    }
}

fn fits((start, end): &(Str, Str), key: &str) -> bool {
    key.len() >= start.len() + end.len() && key.starts_with(&**start) && key.ends_with(&**end)
}

fn is_empty((start, end): &(Str, Str)) -> bool {
    start.is_empty() && end.is_empty()
}

/// Whether a key in a layer's data may be read. Code that looks up arbitrary keys given to it doesn't read the data of other
/// modules, which is for their own parameters.
pub(crate) fn may_be_read(db: &dyn Db, environment: Environment, layer: &Layer, key: &str) -> bool {
    let all = key_reads(db, environment);
    match layer {
        Layer::Module(module) if !all.names(key) => {
            all.may_read(key) && own_reads(db, environment, module.clone()).may_read(key)
        }
        _ => all.may_read(key),
    }
}

/// Whether a key is read by its name, or by a part of it that is written out. Other keys may be read nevertheless, by computed names.
pub(crate) fn is_read_by_name(db: &dyn Db, environment: Environment, key: &str) -> bool {
    key_reads(db, environment).names(key)
}

/// The keys that a module reads, and those read outside of all modules.
#[salsa::tracked(returns(ref))]
fn own_reads(db: &dyn Db, environment: Environment, module: Str) -> KeyReads {
    let mut reads = KeyReads::default();
    let folder = module_folder(db, environment, module.clone());
    for folder in folder.into_iter().chain(environment.root(db)) {
        reads.extend(folder_reads(db, db.files().file(db, folder)));
    }
    for file in manifests(db, environment) {
        reads.extend(program_reads(db, file));
    }
    for layer in [Layer::Environment, Layer::Module(module)] {
        for (file, format) in &data_files(db, environment, layer).files {
            reads.extend(data_reads(db, *file, *format));
        }
    }
    reads
}

/// Returns the keys that are read anywhere in an environment, by looking at all of it.
pub(crate) fn environment_reads(db: &dyn Db, environment: Environment) -> KeyReads {
    let mut reads = KeyReads::default();
    let mut layers = vec![Layer::Environment];
    let folders = environment.modules(db).iter().map(|(_, folder)| folder).chain(environment.root(db));
    for folder in folders {
        reads.extend(folder_reads(db, db.files().file(db, folder)));
    }
    for file in manifests(db, environment) {
        reads.extend(program_reads(db, file));
    }
    layers.extend(environment.modules(db).iter().map(|(name, _)| Layer::Module(name.clone())));
    for layer in layers {
        for (file, format) in &data_files(db, environment, layer).files {
            reads.extend(data_reads(db, *file, *format));
        }
    }
    reads
}

/// The folders of a module or an environment that contain code, with the extension of its files.
const CODE: [(&str, &str); 6] = [
    ("manifests", "pp"),
    ("functions", "pp"),
    ("plans", "pp"),
    ("templates", "epp"),
    ("templates", "erb"),
    ("lib", "rb"),
];

/// The keys that code in a folder of a module or an environment reads.
#[salsa::tracked(returns(ref))]
fn folder_reads(db: &dyn Db, folder: File) -> KeyReads {
    let mut reads = KeyReads::default();
    for (name, extension) in CODE {
        for path in files_below(db, &folder.path(db).join(name), extension) {
            let file = db.files().file(db, &path);
            match extension {
                "pp" | "epp" => reads.extend(program_reads(db, file)),
                _ => reads.extend(ruby_reads(db, file)),
            }
        }
    }
    reads
}

/// The keys that a manifest or a template reads.
#[salsa::tracked(returns(ref))]
pub(crate) fn program_reads(db: &dyn Db, file: File) -> KeyReads {
    let mut reads = KeyReads { any: !is_readable(db, file), ..KeyReads::default() };
    for item in items(db, file) {
        reads.extend(item_reads(db, *item));
    }
    reads
}

#[salsa::tracked(returns(ref))]
fn item_reads<'db>(db: &'db dyn Db, item: Item<'db>) -> KeyReads {
    let mut reads = KeyReads::default();
    for (_, expr) in item.body(db).calls() {
        let Some(call) = NamedCall::of(expr) else { continue };
        if call.names() == Some(Names::DataKey)
            && let Some(first) = call.arguments().next()
        {
            argument_reads(db, item, first, &mut reads);
            let lookup = LookupCall::of(item.body(db), &call);
            if let Some(LookupCall { name: Some(name), value_type: Some(expected), .. }) = lookup
                && requires_sensitive(db, item, expected)
            {
                let mut required = KeyReads::default();
                argument_reads(db, item, name, &mut required);
                reads.sensitive.extend(required.keys);
            }
        }
    }
    reads
}

/// Whether an expression denotes a type with `Sensitive` values.
fn requires_sensitive(db: &dyn Db, item: Item<'_>, expected: ExprId) -> bool {
    let body = item.body(db);
    names_sensitive(body, expected)
        || type_in(db, item.file(db), body, expected).is_some_and(|it| it.mentions_sensitive())
}

/// The keys that the first argument of a lookup may name.
fn argument_reads(db: &dyn Db, item: Item<'_>, argument: ExprId, reads: &mut KeyReads) {
    let body = item.body(db);
    match body.expr(argument) {
        Expr::String(key) => reads.key(key),
        Expr::Array(elements) => elements.iter().for_each(|it| argument_reads(db, item, *it, reads)),
        // A hash of options, which include the name.
        Expr::Hash(entries) => {
            for (key, value) in entries {
                match body.expr(*key) {
                    Expr::String(name) if name != "name" => {}
                    _ => argument_reads(db, item, *value, reads),
                }
            }
        }
        Expr::Interpolated(segments) => {
            let known = |segment: &Segment| match segment {
                Segment::Text(text) => Some(text.clone()),
                Segment::Expr(id) => known_text(db, item, *id),
            };
            let texts: Vec<Option<Str>> = segments.iter().map(known).collect();
            let joined =
                |texts: &[Option<Str>]| -> String { texts.iter().map_while(|it| it.as_deref()).collect() };
            if texts.iter().all(Option::is_some) {
                return reads.key(&joined(&texts));
            }
            let last = texts.iter().rposition(Option::is_none).unwrap_or_default();
            let (start, end) = (joined(&texts), joined(&texts[last + 1..]));
            // The part after a dot is looked up inside the value.
            let end = if end.contains('.') { String::new() } else { end };
            let start = start.split('.').next().unwrap_or_default();
            reads.patterns.insert((start.into(), end.into()));
        }
        _ => match infer(db, item).type_of(argument) {
            Some(known) => type_reads(known, reads),
            None => reads.any = true,
        },
    }
}

/// The constant text of an interpolated expression, if it has one.
fn known_text(db: &dyn Db, item: Item<'_>, id: ExprId) -> Option<Str> {
    if let Expr::Variable(variable) = item.body(db).expr(id)
        && let marotte_hir::body::Variable::Local { name, .. } = &**variable
        && name == "module_name"
    {
        return module_file(db, item.file(db)).map(|it| it.module.clone());
    }
    match constant(infer(db, item).type_of(id)?)? {
        Value::String(text) => Some(text),
        _ => None,
    }
}

/// The keys that an argument of this type may name.
fn type_reads(it: &Type, reads: &mut KeyReads) {
    match it.resolved().kind() {
        TypeKind::Enum(it) if !it.values().is_empty() => it.values().iter().for_each(|key| reads.key(key)),
        TypeKind::Variant(types) => types.iter().for_each(|it| type_reads(it, reads)),
        TypeKind::Array(element, _) => type_reads(element, reads),
        TypeKind::Tuple(tuple) => tuple.types.iter().for_each(|it| type_reads(it, reads)),
        _ => match constant(it) {
            Some(Value::String(key)) => reads.key(&key),
            _ => reads.any = true,
        },
    }
}

/// The keys that a Ruby file or an ERB template reads, judging by its calls of data functions.
#[salsa::tracked(returns(ref))]
pub(crate) fn ruby_reads(db: &dyn Db, file: File) -> KeyReads {
    static CALL: LazyLock<Regex> = LazyLock::new(|| {
        ascii_regex(
            r##"(?:\bfunction_|\bcall_function\W+)(?:hiera(?:_array|_hash|_include)?|lookup)\b['"]?[\s,(\[]*(?:'([^']*)'|"([^"#]*)")?"##,
        )
    });
    /// APIs that bypass these functions.
    const APIS: [&str; 4] = ["Pops::Lookup", "Hiera.new", "HieraPuppet", "DataBinding.indirection"];
    let source = source_text(db, file);
    if source.error().is_some() {
        return KeyReads { any: true, ..KeyReads::default() };
    }
    let text = source.text();
    let mut reads = KeyReads { any: APIS.iter().any(|it| text.contains(it)), ..KeyReads::default() };
    for call in CALL.captures_iter(text) {
        match call.get(1).or(call.get(2)) {
            Some(key) => reads.key(key.as_str()),
            None => reads.any = true,
        }
    }
    reads
}

/// The keys that a data file looks up.
#[salsa::tracked(returns(ref))]
pub(crate) fn data_reads(db: &dyn Db, file: File, format: Format) -> KeyReads {
    let mut reads = KeyReads::default();
    let Ok(document) = &**document(db, file, format) else {
        return KeyReads { any: true, ..reads };
    };
    for (text, _) in strings(&document.value, &document.places) {
        for expression in expressions(text) {
            if let ExpressionKind::Call(Method::Lookup | Method::Alias, key) = expression.kind {
                reads.key(key);
            }
        }
    }
    reads
}
