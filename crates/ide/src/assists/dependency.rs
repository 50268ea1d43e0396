//! Remedy: list a module in `metadata.json`.

use marotte_db::{File, FileStatus, environment_of, module_file, module_folder, source_text};
use marotte_hiera::data::{Document, Inner, Places, Step, parse_json};
use marotte_pcore::semver::SemVer;
use marotte_pcore::value::Value;
use marotte_resolve::metadata::metadata;
use marotte_ruby::core::agent_modules;
use marotte_text::Str;

use super::{Assist, json};
use crate::definition::targets;
use crate::symbol::Symbol;
use crate::token::{slice, tokens};
use crate::{Db, FileRange, TextEdit};

/// Adds the module that the name at a place belongs to, by its full name, and with the versions that are compatible with the
/// installed one. None if the metadata of that module doesn't say what its full name is.
pub(super) fn declare(db: &dyn Db, at: FileRange) -> Option<Assist> {
    let environment = environment_of(db, at.file);
    let own = &module_file(db, at.file)?.module;
    let module = module_of(db, at, own)?;
    let (file, document) = document(db, at.file, own.clone())?;
    let (_, other) = self::document(db, at.file, module.clone())?;
    let text_of = |name: &str| Step::Key(name.into()).lead(&other.value, &other.places)?.0.as_str();
    let name = text_of("name").filter(|it| is_full(it, &module))?;
    let versions = text_of("version").and_then(compatible);

    let text = source_text(db, file).text();
    let listed = Step::Key("dependencies".into()).lead(&document.value, &document.places);
    let fields = |name: &str| {
        let name = format!("\"name\": \"{name}\"");
        [Some(name), versions.as_ref().map(|it| format!("\"version_requirement\": \"{it}\""))]
    };
    let on_one_line = |name: &str| {
        let fields: Vec<String> = fields(name).into_iter().flatten().collect();
        format!("{{ {} }}", fields.join(", "))
    };
    let on_lines = |name: &str, indent: &str| {
        let fields: Vec<String> =
            fields(name).into_iter().flatten().map(|it| format!("{indent}  {it}")).collect();
        format!("{{\n{}\n{indent}}}", fields.join(",\n"))
    };
    let insertion = match listed {
        Some((Value::Array(_), places)) => {
            let last = last(text, places);
            // Both separators are in use.
            let separator = if last.is_some_and(|it| !it.contains('/')) { "-" } else { "/" };
            let name = name.replacen(['-', '/'], separator, 1);
            json::appended(text, places, |indent| match last {
                Some(last) if !last.contains('\n') => on_one_line(&name),
                _ => on_lines(&name, indent),
            })
        }
        Some(_) => return None,
        None => json::appended(text, &document.places, |indent| {
            format!("\"dependencies\": [\n{indent}  {}\n{indent}]", on_one_line(name))
        }),
    };
    let new = parse_json(&json::with(text, &insertion)?).ok()?;
    let (Value::Array(all), _) = Step::Key("dependencies".into()).lead(&new.value, &new.places)? else {
        return None;
    };
    let known = metadata(db, environment, own.clone())?;
    if all.len() != known.dependencies.len() + 1 {
        return None;
    }
    let (range, text) = insertion;
    let edits = vec![TextEdit { place: FileRange { file, range }, text }];
    Some(Assist {
        id: "declare-dependency",
        title: format!("Add `{name}` to the dependencies of module `{own}`"),
        edits,
    })
}

/// The module that a name at a place belongs to, if the metadata of the module `own` doesn't list it.
fn module_of(db: &dyn Db, at: FileRange, own: &Str) -> Option<Str> {
    let known = metadata(db, environment_of(db, at.file), own.clone())?;
    let is_of_agent = |it: &Str| {
        agent_modules().iter().any(|of| of.name.split(['-', '/']).next_back() == Some(it.as_str()))
    };
    let is_missing = |it: &Str| it != own && !known.dependencies.contains(it) && !is_of_agent(it);
    let here = tokens(db, at.file).into_iter().filter(|it| it.range.intersect(at.range).is_some());
    let symbols = here.filter_map(|it| Symbol::of(db, at.file, &it));
    let mut modules = symbols.flat_map(|it| {
        let targets = targets(db, at.file, &it).into_iter();
        targets.filter_map(|it| Some(module_file(db, it.full.file)?.module.clone())).collect::<Vec<_>>()
    });
    modules.find(is_missing)
}

/// The metadata of a module, if they are a hash.
pub(crate) fn document(db: &dyn Db, from: File, module: Str) -> Option<(File, Document)> {
    let folder = module_folder(db, environment_of(db, from), module)?;
    let file = db.files().file(db, &folder.join("metadata.json"));
    let source = source_text(db, file);
    if file.status(db) != FileStatus::Exists || source.error().is_some() {
        return None;
    }
    let document = parse_json(source.text()).ok()?;
    matches!(document.value, Value::Hash(_)).then_some((file, document))
}

/// Whether a name of a module has an author in front: `puppetlabs-stdlib` or `puppetlabs/stdlib`.
pub(crate) fn is_full(name: &str, module: &str) -> bool {
    let is_author = |it: &str| !it.is_empty() && it.chars().all(|it| it.is_ascii_alphanumeric());
    name.split_once(['-', '/'])
        .is_some_and(|(author, it)| is_author(author) && it.eq_ignore_ascii_case(module))
}

/// The versions without incompatible changes, by the rules of semantic versioning.
pub(crate) fn compatible(version: &str) -> Option<String> {
    let parsed = SemVer::parse(version).ok()?;
    Some(format!(">= {version} < {}.0.0", parsed.major() + 1u32))
}

/// The last element of an array as written.
fn last<'t>(text: &'t str, places: &Places) -> Option<&'t str> {
    match &places.inner {
        Inner::Elements(all) => all.last().map(|it| slice(text, it.range)),
        Inner::Scalar | Inner::Entries(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::super::remedies::tests::{applied, findings};

    const RULE: &str = "undeclared-module-dependency";

    fn tree(metadata: &str) -> String {
        format!(
            "
//- /modules/web/manifests/init.pp
class web {{
  include ntp
}}
//- /modules/ntp/manifests/init.pp
class ntp {{ }}
//- /modules/ntp/metadata.json
{{\"name\": \"me-ntp\", \"version\": \"2.3.1\", \"author\": \"me\", \"license\": \"x\", \"source\": \"\", \"dependencies\": []}}
//- /modules/web/metadata.json
{metadata}
"
        )
    }

    #[track_caller]
    fn check(metadata: &str, expected: &str) {
        let tree = tree(metadata);
        let new = applied(&tree, RULE).expect("a remedy");
        assert_eq!(new, format!("//- /modules/web/metadata.json\n{expected}\n"));
        assert_eq!(findings(&tree).iter().filter(|it| it.rule.name == RULE).count(), 1);
        let repaired = self::tree(expected);
        assert!(findings(&repaired).is_empty(), "{:?}", findings(&repaired));
    }

    #[test]
    fn a_dependency_looks_like_the_one_above_it() {
        check(
            "{\n  \"name\": \"me-web\", \"version\": \"1.0.0\", \"author\": \"me\", \"license\": \"x\", \"source\": \"\",\n  \
             \"dependencies\": [\n    {\"name\": \"me-other\", \"version_requirement\": \">= 1.0.0 < 2.0.0\"}\n  ]\n}",
            "{\n  \"name\": \"me-web\", \"version\": \"1.0.0\", \"author\": \"me\", \"license\": \"x\", \"source\": \"\",\n  \
             \"dependencies\": [\n    {\"name\": \"me-other\", \"version_requirement\": \">= 1.0.0 < 2.0.0\"},\n    \
             { \"name\": \"me-ntp\", \"version_requirement\": \">= 2.3.1 < 3.0.0\" }\n  ]\n}",
        );
    }

    #[test]
    fn the_first_dependency_gets_lines_of_its_own() {
        check(
            "{\n  \"name\": \"me-web\", \"version\": \"1.0.0\", \"author\": \"me\", \"license\": \"x\", \"source\": \"\",\n  \
             \"dependencies\": []\n}",
            "{\n  \"name\": \"me-web\", \"version\": \"1.0.0\", \"author\": \"me\", \"license\": \"x\", \"source\": \"\",\n  \
             \"dependencies\": [\n    {\n      \"name\": \"me/ntp\",\n      \
             \"version_requirement\": \">= 2.3.1 < 3.0.0\"\n    }\n  ]\n}",
        );
    }

    #[test]
    fn a_module_without_a_full_name_cannot_be_listed() {
        let tree = tree("{\"name\": \"me-web\", \"dependencies\": []}");
        assert!(applied(&tree, RULE).is_some());
        assert_eq!(applied(&tree.replace("me-ntp", "ntp"), RULE), None);
    }
}
