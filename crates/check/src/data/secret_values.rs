//! The places of secrets in data files: no finding quotes these lines.

use std::collections::BTreeSet;

use foldhash::HashMap;
use marotte_db::{Db, Environment, File, environment_of, source_text};
use marotte_hiera::{Format, has_secret_block};
use marotte_hir::ExprId;
use marotte_hir::body::{Body, Expr, parts};
use marotte_infer::declared::declared;
use marotte_pcore::types::Type;
use marotte_pcore::value::Value;
use marotte_resolve::data_files::{HieraFileKind, document, hiera_file};
use marotte_text::{Str, TextRange, TextSize};

use super::class_key::{ClassKey, class_key};
use super::options::{Treatment, treatments};
use crate::incremental::overview::key_reads;

/// The ranges of the entries of [secret keys](is_secret_key), and of entries with encrypted values. Empty for other files
/// than data.
#[salsa::tracked(returns(deref))]
pub fn secret_places(db: &dyn Db, file: File) -> Box<[TextRange]> {
    let Some(hiera) = hiera_file(db, file) else { return Box::new([]) };
    let format = match hiera.kind {
        HieraFileKind::Configuration => Format::Yaml,
        HieraFileKind::Data { format, .. } => format,
    };
    let text = source_text(db, file).text();
    let Ok(document) = &**document(db, file, format) else { return unparsed_places(db, file, format).into() };
    let mut places = Vec::new();
    for (key, key_range, value, inner) in document.entries().into_iter().flatten() {
        if has_encrypted(value) || key.as_str().is_some_and(|it| is_secret_key(db, file, it)) {
            places.push(key_range.cover(inner.range));
        }
    }
    // Only the last value of a repeated key has a place.
    for repeated in &document.repeated {
        let key = text[repeated.before].trim_matches(['"', '\'']);
        let is_inside = places.iter().any(|it| it.contains_range(repeated.again));
        if is_inside || is_secret_key(db, file, key) {
            let rest = text[usize::from(repeated.before.end())..].lines().next().unwrap_or_default();
            places.push(TextRange::new(repeated.before.start(), repeated.before.end() + TextSize::of(rest)));
        }
    }
    places.into()
}

/// The places of secrets in a file with a syntax error: from a secret key to the next key that isn't indented, and to the
/// end in formats in which lines say nothing.
fn unparsed_places(db: &dyn Db, file: File, format: Format) -> Vec<TextRange> {
    let mut known = HashMap::default();
    let mut is_secret_word = |word| *known.entry(word).or_insert_with(|| is_secret_key(db, file, word));
    let is_part_of_word = |it: char| it.is_alphanumeric() || matches!(it, '_' | ':' | '.' | '-');
    let mut places = Vec::new();
    let mut is_secret = false;
    for (at, line) in lines(source_text(db, file).text()) {
        let starts_key = |it: char| is_part_of_word(it) || matches!(it, '"' | '\'');
        let is_next_key = format == Format::Yaml && line.starts_with(starts_key);
        let mut words = line.split(|it| !is_part_of_word(it)).map(|it| it.trim_matches([':', '.']));
        is_secret = words.any(&mut is_secret_word) || (is_secret && !is_next_key);
        if is_secret || has_secret_block(line) {
            places.push(TextRange::at(at, TextSize::of(line)));
        }
    }
    places
}

/// The lines of a text, with their starts.
fn lines(text: &str) -> impl Iterator<Item = (TextSize, &str)> {
    let mut at = 0;
    text.split_inclusive('\n').map(move |line| {
        let start = at;
        at += line.len();
        (size(start), line)
    })
}

fn size(at: usize) -> TextSize {
    // Texts that are too long for this are never read.
    TextSize::new(u32::try_from(at).unwrap_or(u32::MAX))
}

/// Whether a key of a data file may have a `Sensitive` value: the parameter that it sets, a lookup or `lookup_options` say so.
pub fn is_secret_key(db: &dyn Db, file: File, key: &str) -> bool {
    let is_declared = || match class_key(db, file, key) {
        ClassKey::Parameter(item, index) => {
            let types = &declared(db, item).parameters;
            let body = item.body(db);
            let written = body.parameters.get(index).and_then(|it| it.type_expr);
            types.get(index).is_some_and(|it| it.as_ref().is_some_and(Type::mentions_sensitive))
                || written.is_some_and(|it| names_sensitive(body, it))
        }
        _ => false,
    };
    let environment = environment_of(db, file);
    let is_converted = || {
        let treatments = treatments(db, environment, key);
        treatments.is_some_and(|it| it.iter().any(Treatment::may_hide))
    };
    is_declared() || is_converted() || keys_of_sensitive_lookups(db, environment).contains(key)
}

/// The keys that lookups require `Sensitive` values for. Other reads of keys change more often.
#[salsa::tracked(returns(ref))]
fn keys_of_sensitive_lookups(db: &dyn Db, environment: Environment) -> BTreeSet<Str> {
    key_reads(db, environment).sensitive().clone()
}

/// Whether an expression for a type names `Sensitive`, even if other names in it are unknown.
pub(crate) fn names_sensitive(body: &Body, id: ExprId) -> bool {
    let mut open = vec![id];
    while let Some(id) = open.pop() {
        let expr = body.expr(id);
        if matches!(expr, Expr::Reference(name) if name.eq_ignore_ascii_case("sensitive")) {
            return true;
        }
        parts(body, expr, &mut |part, _| open.push(part));
    }
    false
}

fn has_encrypted(value: &Value) -> bool {
    match value {
        Value::String(text) => has_secret_block(text),
        Value::Array(elements) => elements.iter().any(has_encrypted),
        Value::Hash(hash) => hash.iter().any(|(_, value)| has_encrypted(value)),
        _ => false,
    }
}
