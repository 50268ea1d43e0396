//! Remedies: add a key to data.

use marotte_check::semantics;
use marotte_db::{Environment, File, FileStatus, environment_of, source_text};
use marotte_hiera::data::parse;
use marotte_hiera::{Format, Layer, LookupKey, Segment};
use marotte_hir::{Item, NameKind, items, parse as parse_code, places};
use marotte_pcore::dialect::Dialect;
use marotte_pcore::relation::instance_of;
use marotte_pcore::types::{Type, TypeKind};
use marotte_pcore::value::Value;
use marotte_resolve::call::NamedCall;
use marotte_resolve::data_files::{data_files, hiera_levels};
use marotte_syntax::ast::{AttributeName, Expr, ExprKind, ResourceBody};
use marotte_text::{TextRange, TextSize, normalized, unrooted};

use super::missing::has_data;
use super::sample::{Sample, sample};
use super::{Assist, json};
use crate::hover::shown_path;
use crate::symbol::Symbol;
use crate::token::{Named, slice, tokens, unquoted};
use crate::{Access, Db, FileRange, TextEdit};

/// The most general files of a hierarchy are offered.
const FILES: usize = 3;

/// Adds the key that a call looks up, if the call spells it out.
pub(super) fn looked_up(db: &dyn Db, at: FileRange) -> Vec<Assist> {
    let text = source_text(db, at.file).text();
    let Ok(key) = LookupKey::parse(slice(text, unquoted(text, at.range))) else { return Vec::new() };
    let is_it = |named: &Named<'_>| matches!(named, Named::DataKey(it) if *it == key.root);
    if !tokens(db, at.file).iter().any(|it| at.range.contains_range(it.range) && is_it(&it.named)) {
        return Vec::new();
    }
    let mut path = vec![key.root.to_string()];
    for segment in &key.segments {
        match segment {
            Segment::Name(name) => path.push(name.to_string()),
            // The elements before it would have to be made up.
            Segment::Number(_) => return Vec::new(),
        }
    }
    added(db, environment_of(db, at.file), key.module(), &[(path, expected(db, at))])
}

/// A placeholder of the type that a lookup demands. A lookup that demands none gets the empty string.
fn expected(db: &dyn Db, at: FileRange) -> Sample {
    let of_item = |item: &Item<'_>| {
        let (body, map) = (item.body(db), places(db, *item).map);
        body.exprs().find_map(|(_, expr)| {
            let call = NamedCall::of(expr)?;
            let arguments: Vec<_> = call.arguments().collect();
            map.place(*arguments.first()?).filter(|it| it.range == at.range)?;
            match semantics::type_of(db, *item, *arguments.get(1)?)?.kind() {
                TypeKind::Type(Some(demanded)) => Some(sample(Some(demanded))),
                _ => None,
            }
        })
    };
    items(db, at.file).iter().find_map(of_item).unwrap_or(Sample::String(String::new()))
}

/// Adds the required parameters of the class that is declared at a place, unless code passes them.
pub(super) fn of_parameters(db: &dyn Db, at: FileRange) -> Vec<Assist> {
    let here = tokens(db, at.file).into_iter().filter(|it| it.range.intersect(at.range).is_some());
    let here = here.filter(|it| it.access == Access::Declaration);
    let class = here.filter_map(|it| match (&it.named, Symbol::of(db, at.file, &it)?) {
        (Named::Class(name), Symbol::Item(item)) => {
            (semantics::definition(db, at.file, NameKind::Class, name) == Some(item)).then_some(item)
        }
        _ => None,
    });
    let Some(class) = class.into_iter().next() else { return Vec::new() };
    let Some(given) = given(db, at) else { return Vec::new() };
    let name = normalized(unrooted(class.name(db)));
    let all = class.signature(db).parameters.iter().zip(semantics::parameter_types(db, class));
    let missing = all.filter(|(it, _)| {
        !it.is_optional && !given.contains(&it.name.to_string()) && !has_data(db, at.file, class, &it.name)
    });
    let keys: Vec<_> = missing
        .map(|(it, known)| (vec![format!("{name}::{}", it.name)], placeholder(known.as_ref())))
        .collect();
    if keys.is_empty() {
        return Vec::new();
    }
    added(db, environment_of(db, at.file), name.split("::").next(), &keys)
}

/// A value for a parameter. The empty string stands for all types that allow it: for a required parameter, `undef` may be none.
fn placeholder(known: Option<&Type>) -> Sample {
    let is_text = known.is_none_or(|it| instance_of(Dialect::puppet8(), it, &Value::from("")));
    match sample(known) {
        Sample::Undef if is_text => Sample::String(String::new()),
        other => other,
    }
}

/// The names of the parameters that are passed to the class whose title is at a place. None if some are computed.
fn given(db: &dyn Db, at: FileRange) -> Option<Vec<String>> {
    let parsed = parse_code(db, at.file);
    let tree = parsed.program();
    let mut open: Vec<&Expr> = Vec::new();
    tree.for_each_child(&mut |it| open.push(it));
    while let Some(expr) = open.pop() {
        if let ExprKind::Resource(resource) = &expr.kind {
            let is_it = |it: &&ResourceBody| it.title.range.contains_range(at.range);
            if let Some(body) = resource.bodies.iter().find(is_it) {
                let names = body.attributes.iter().map(|it| match &it.name {
                    AttributeName::Name(name) => Some(name.to_string()),
                    AttributeName::Unfold | AttributeName::Error => None,
                });
                return names.collect();
            }
        }
        expr.for_each_child(&mut |it| {
            if it.range.contains_range(at.range) {
                open.push(it);
            }
        });
    }
    Some(Vec::new())
}

/// A path of keys, and the value.
type Entry = (Vec<String>, Sample);

/// Adds entries to a data file that every node reads, of the environment, or else of the keys' module: an assist for each file,
/// the most general one first.
fn added(db: &dyn Db, environment: Environment, module: Option<&str>, entries: &[Entry]) -> Vec<Assist> {
    let layers = [Some(Layer::Environment), module.map(|it| Layer::Module(it.into()))];
    for layer in layers.into_iter().flatten() {
        let files = general_files(db, environment, &layer);
        let assists = files.into_iter().filter_map(|(file, format)| {
            let edit = insertion(source_text(db, file).text(), format, entries)?;
            let names: Vec<String> =
                entries.iter().map(|(path, _)| format!("`{}`", path.join("."))).collect();
            let title = format!("Add {} to `{}`", names.join(", "), shown_path(db, environment, file));
            let (range, text) = edit;
            Some(Assist {
                id: "add-key",
                title,
                edits: vec![TextEdit { place: FileRange { file, range }, text }],
            })
        });
        let assists: Vec<Assist> = assists.take(FILES).collect();
        if !assists.is_empty() {
            return assists;
        }
    }
    Vec::new()
}

/// The existing data files of a layer that it reads for every node, the last level first.
fn general_files(db: &dyn Db, environment: Environment, layer: &Layer) -> Vec<(File, Format)> {
    let Some(Ok(levels)) = hiera_levels(db, environment, layer.clone()) else { return Vec::new() };
    let known = &data_files(db, environment, layer.clone()).files;
    let mut found = Vec::new();
    for pattern in levels.iter().rev().flat_map(|it| it.files.iter().flatten().rev()) {
        let Some(path) = pattern.path() else { continue };
        let file = db.files().file(db, camino::Utf8Path::new(&**path));
        let is_it = |it: &&(File, Format)| it.0 == file && file.status(db) == FileStatus::Exists;
        found.extend(known.iter().find(is_it).filter(|it| !found.contains(*it)).copied());
    }
    found
}

/// The insertion of entries at the end of a document. None if the document doesn't consist of lines with keys, or if the new
/// text would not have the old entries and the new ones.
fn insertion(text: &str, format: Format, entries: &[Entry]) -> Option<(TextRange, String)> {
    let before = parse(format, text).ok()?;
    let insertion = match format {
        Format::Yaml => {
            let mut lines = String::new();
            for (path, value) in entries {
                let (last, outer) = path.split_last()?;
                for (depth, key) in outer.iter().enumerate() {
                    lines += &format!("{}{}:\n", "  ".repeat(depth), yaml_key(key)?);
                }
                lines += &format!("{}{}: {}\n", "  ".repeat(outer.len()), yaml_key(last)?, value.yaml()?);
            }
            let end = TextRange::empty(TextSize::of(text));
            let line_break = if text.is_empty() || text.ends_with('\n') { "" } else { "\n" };
            (end, format!("{line_break}{lines}"))
        }
        Format::Json => {
            let mut members = Vec::new();
            for (path, value) in entries {
                let (first, inner) = path.split_first()?;
                let value = inner.iter().rev().try_fold(value.json()?, |value, key| {
                    Some(format!("{{ {}: {value} }}", Sample::String(key.clone()).json()?))
                })?;
                members.push(format!("{}: {value}", Sample::String(first.clone()).json()?));
            }
            json::appended(text, &before.places, |indent| match indent {
                "" => members.join(", "),
                indent => members.join(&format!(",\n{indent}")),
            })
        }
        Format::Hocon => return None,
    };
    let after = parse(format, &json::with(text, &insertion)?).ok()?;
    let of = |document: &marotte_hiera::data::Document| -> Vec<(Value, Value)> {
        let entries = document.entries().into_iter().flatten();
        entries.map(|(key, _, value, _)| (key.clone(), value.clone())).collect()
    };
    let (old, new) = (of(&before), of(&after));
    let is_kept = new.starts_with(&old) && after.repeated.len() == before.repeated.len();
    let added = new.get(old.len()..)?.iter().map(|(key, _)| key.as_str());
    let is_added = added.eq(entries.iter().map(|(path, _)| path.first().map(String::as_str)));
    (is_kept && is_added).then_some(insertion)
}

/// A key in YAML, in quotes if it isn't made of the letters of usual keys.
fn yaml_key(key: &str) -> Option<String> {
    let is_usual = |it: char| it.is_ascii_alphanumeric() || matches!(it, '_' | ':');
    let starts = key.starts_with(|it: char| it.is_ascii_alphabetic());
    // Words such as `yes` and `null` mean something else.
    let is_word = ["yes", "no", "on", "off", "true", "false", "null", "y", "n"];
    let is_plain = starts
        && key.chars().all(is_usual)
        && !key.ends_with(':')
        && !is_word.iter().any(|it| it.eq_ignore_ascii_case(key));
    if is_plain { Some(key.to_owned()) } else { Sample::String(key.to_owned()).yaml() }
}

#[cfg(test)]
mod tests {
    use super::super::remedies::tests::{applied, findings};
    use super::*;
    use crate::fixture::Fixture;

    const DATA: &str = "
//- /hiera.yaml
version: 5
hierarchy:
  - name: nodes
    path: \"nodes/%{trusted.certname}.yaml\"
  - name: common
    path: common.yaml
//- /data/nodes/a.yaml
other: 1
//- /data/common.yaml
";

    #[track_caller]
    fn check(rule: &str, code: &str, data: &str, expected: &str) {
        let tree = |data: &str| format!("{code}\n{DATA}{data}");
        let found = findings(&tree(data));
        assert_eq!(found.iter().filter(|it| it.rule.name == rule).count(), 1, "{found:?}");
        assert_eq!(
            applied(&tree(data), rule).as_deref(),
            Some(&*format!("//- /data/common.yaml\n{expected}"))
        );
        let left = findings(&tree(expected));
        assert!(left.iter().all(|it| it.rule.name != rule), "{left:?}");
    }

    #[test]
    fn a_key_that_is_looked_up() {
        let code = "$x = lookup('servers')\nnotice($x)";
        check("unresolved-key", code, "other: 1\n", "other: 1\nservers: ''\n");
        let code = "$x = lookup('servers', Array[String])\nnotice($x)";
        check("unresolved-key", code, "---\nother: 1\n", "---\nother: 1\nservers: []\n");
        let code = "$x = lookup('web.port', Integer[80])\nnotice($x)";
        check("unresolved-key", code, "other: 1\n", "other: 1\nweb:\n  port: 80\n");
    }

    #[test]
    fn a_document_that_is_not_made_of_lines_is_left_alone() {
        let tree = |data: &str| format!("$x = lookup('servers')\nnotice($x)\n{DATA}{data}\n");
        assert!(applied(&tree("other: 1"), "unresolved-key").is_some());
        for data in ["{other: 1}", "other: 1\n...", "other: |\n  text\n\n  "] {
            let new = applied(&tree(data), "unresolved-key");
            assert!(new.is_none_or(|it| it.ends_with("\nservers: ''\n")), "{data}");
        }
        assert_eq!(applied(&tree("{other: 1}"), "unresolved-key"), None);
    }

    #[test]
    fn parameters_that_nothing_sets() {
        let class = "\n//- /modules/ntp/manifests/init.pp\n\
            class ntp(Integer $port, Enum['it\\'s'] $mode, $any, $c = 1) { notice($port, $mode, $any, $c) }\n\
            //- /modules/ntp/hiera.yaml\nversion: 5\nhierarchy: [{name: a, path: a.yaml}]\n\
            //- /modules/ntp/data/a.yaml\nntp::c: 2\n";
        check(
            "missing-parameter",
            &format!("class {{ 'ntp': }}{class}"),
            "x: 1\n",
            "x: 1\nntp::port: 0\nntp::mode: 'it''s'\nntp::any: ''\n",
        );
        check(
            "missing-parameter",
            &format!("class {{ 'ntp': port => 1 }}{class}"),
            "x: 1\nntp::any: 1\n",
            "x: 1\nntp::any: 1\nntp::mode: 'it''s'\n",
        );
    }

    #[test]
    fn classes_that_are_included_have_no_finding_that_says_so() {
        let tree = format!(
            "include nt$0p\n//- /modules/ntp/manifests/init.pp\nclass ntp(Integer $port) {{ }}\n{DATA}x: 1\n"
        );
        let fixture = Fixture::new(&tree);
        let at = fixture.cursor();
        let range = TextRange::empty(at.offset);
        let found = crate::assists(fixture.db(), FileRange { file: at.file, range });
        let assist = found.into_iter().find(|it| it.id == "add-key").expect("an assist");
        assert_eq!(assist.title, "Add `ntp::port` to `data/common.yaml`");
        let new = "//- /data/common.yaml\nx: 1\nntp::port: 0\n";
        assert_eq!(fixture.applied(&assist.edits, &[]), new);
    }

    #[test]
    fn data_in_json() {
        let tree = |data: &str| {
            format!(
                "$x = lookup('web.port', Integer)\nnotice($x)\n//- /hiera.yaml\nversion: 5\n\
                 hierarchy: [{{name: a, path: a.json, data_hash: json_data}}]\n//- /data/a.json\n{data}\n"
            )
        };
        let data = "{\n  \"other\": 1\n}";
        let new = "{\n  \"other\": 1,\n  \"web\": { \"port\": 0 }\n}";
        assert_eq!(applied(&tree(data), "unresolved-key"), Some(format!("//- /data/a.json\n{new}\n")));
        assert!(findings(&tree(new)).is_empty(), "{:?}", findings(&tree(new)));
    }
}
