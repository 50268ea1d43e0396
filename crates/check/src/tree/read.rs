//! The mentions of an item of code, of a file, and of a whole environment.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use camino::Utf8Path;
use foldhash::HashSet;
use marotte_db::{Below, Db, Environment, File, FileStatus, below, module_file, real_path, source_text};
use marotte_eval::functions::Names;
use marotte_hiera::Layer;
use marotte_hir::body::{AttributeName, Body, Callee, Expr, Segment, Variable};
use marotte_hir::{ExprId, Item, ItemKind, is_readable, items, places};
use marotte_resolve::call::NamedCall;
use marotte_resolve::data_files::{config_file, data_files};
use marotte_resolve::ruby::ruby_functions;
use marotte_text::{Str, TextSize, ascii_regex, normalized};
use regex::Regex;

use super::mentions::{Kind, Mentions};
use super::origin::{Origin, origin};

/// Returns everything that the code and the data of an environment mention, and whether all of it was read.
#[salsa::tracked(returns(ref))]
pub(crate) fn environment_mentions(db: &dyn Db, environment: Environment) -> (Mentions, bool) {
    let (mut all, mut is_complete) = (Mentions::default(), true);
    for root in roots(db, environment) {
        let (mentions, is_whole) = folder_mentions(db, environment, db.files().file(db, root));
        all.extend(mentions);
        is_complete &= is_whole;
    }
    (all, is_complete)
}

/// Returns the folders of an environment: its own, those of its modules, and that of its main manifest.
pub(crate) fn roots(db: &dyn Db, environment: Environment) -> BTreeSet<&Utf8Path> {
    let modules = environment.modules(db).iter().map(|(_, folder)| folder);
    environment.root(db).into_iter().chain(modules).chain(environment.main_manifest(db)).collect()
}

/// Returns everything that the files below a folder mention, except those of modules in it, and whether all files were
/// read.
#[salsa::tracked(returns(ref))]
pub(crate) fn folder_mentions(db: &dyn Db, environment: Environment, folder: File) -> (Mentions, bool) {
    let (files, is_complete) = mentioning_files(db, environment, folder);
    let mut all = Mentions::default();
    files.iter().for_each(|it| all.extend(file_mentions(db, *it)));
    (all, *is_complete)
}

/// Returns everything that the files of an environment mention, except some of them.
pub(crate) fn mentions_without(db: &dyn Db, environment: Environment, left_out: &HashSet<File>) -> Mentions {
    let mut all = Mentions::default();
    for root in roots(db, environment) {
        let (files, _) = mentioning_files(db, environment, db.files().file(db, root));
        files.iter().filter(|it| !left_out.contains(it)).for_each(|it| all.extend(file_mentions(db, *it)));
    }
    all
}

/// Returns the first place, by path, where things of a kind are used by entirely unknown names. The offset is None in a file that
/// cannot be parsed.
pub(crate) fn first_unknown(
    db: &dyn Db,
    environment: Environment,
    kind: Kind,
) -> Option<(File, Option<TextSize>)> {
    let folders = roots(db, environment).into_iter().map(|it| db.files().file(db, it));
    let files = folders.flat_map(|it| mentioning_files(db, environment, it).0.iter());
    let first = files.filter(|it| file_mentions(db, **it).is_unknown(kind)).min_by_key(|it| it.path(db))?;
    if !(is_code(first.path(db)) && is_readable(db, *first)) {
        return Some((*first, None));
    }
    let module = module_file(db, *first).map(|it| it.module.clone());
    let is_unknown = |body: &Body, expr: &Expr| {
        let mut found = Mentions::default();
        sinks(body, expr, module.as_ref(), &mut found);
        found.is_unknown(kind)
    };
    let places = items(db, *first).iter().filter_map(|item| {
        let body = item.body(db);
        let (id, _) = body.exprs().find(|(_, expr)| is_unknown(body, expr))?;
        Some(places(db, *item).map.place(id)?.range.start())
    });
    Some((*first, places.min()))
}

/// Returns the files below a folder that may mention anything, except those of modules in it, and whether these are all.
#[salsa::tracked(returns(ref))]
fn mentioning_files(db: &dyn Db, environment: Environment, folder: File) -> (Box<[File]>, bool) {
    let root = folder.path(db);
    let modules: HashSet<&str> = environment.modules(db).iter().map(|(_, folder)| folder.as_str()).collect();
    let is_of_module = |path: &Utf8Path| {
        let around = path.ancestors().skip(1).map(Utf8Path::as_str);
        around.take_while(|it| *it != root.as_str()).any(|it| modules.contains(it))
    };
    // A link that leads to a folder around the tree: the files below are those of the machine.
    if root.parent().is_some_and(|it| real(db, it).starts_with(real(db, root))) {
        return (Box::default(), false);
    }
    let is_outside = db.system().is_outside(root);
    let is_read = |path: &Utf8Path| is_read(root, path) && (!is_outside || has_code_or_data(path));
    let Below { files, is_complete } = below(db, root, |path| is_read(path) && !is_of_module(path));
    (files.iter().map(|it| db.files().file(db, it)).collect(), is_complete)
}

fn real<'db>(db: &'db dyn Db, path: &Utf8Path) -> &'db Utf8Path {
    real_path(db, db.files().file(db, path))
}

/// Whether a file of a linked module outside of the tree has code or data, judging by its name. Nothing else is read there.
fn has_code_or_data(path: &Utf8Path) -> bool {
    matches!(path.extension(), Some("pp" | "epp" | "erb" | "rb" | "yaml" | "yml" | "eyaml" | "json" | "conf"))
}

/// Whether all data of an environment is in files of the tree, so that all names in data are known.
pub(crate) fn has_all_data(db: &dyn Db, environment: Environment) -> bool {
    let layer = Layer::Environment;
    let config = config_file(db, environment, &layer);
    let has_config = config.is_some_and(|it| it.status(db) == FileStatus::Exists);
    has_config && data_files(db, environment, layer).is_complete
}

/// Whether a file may mention anything, judging by its path: it isn't hidden, documentation or part of tests.
fn is_read(root: &Utf8Path, path: &Utf8Path) -> bool {
    let Ok(path) = path.strip_prefix(root) else { return false };
    let is_hidden = path.iter().any(|it| it.starts_with('.') && it != ".fixtures.yml");
    let is_documentation = matches!(path.extension(), Some("md" | "markdown" | "rst" | "html" | "lock"));
    let is_of_tests = path.iter().any(|it| it == "spec");
    // Lists of modules name modules without using anything of them.
    let is_list = matches!(path.file_name(), Some("Puppetfile" | "metadata.json" | "environment.conf"));
    !is_hidden && !is_documentation && !is_of_tests && !is_list
}

fn is_code(path: &Utf8Path) -> bool {
    matches!(path.extension(), Some("pp" | "epp"))
}

/// Whether a file of a module is an example or a test, which doesn't count as a use.
fn is_of_tests(db: &dyn Db, file: File) -> bool {
    module_file(db, file).is_some_and(|it| matches!(it.folder(), Some("examples" | "tests" | "spec")))
}

/// Returns everything that a file mentions, in any language.
#[salsa::tracked(returns(ref))]
pub(crate) fn file_mentions(db: &dyn Db, file: File) -> Mentions {
    let mut found = Mentions::default();
    if is_of_tests(db, file) {
        return found;
    }
    let path = file.path(db);
    if is_code(path) && is_readable(db, file) {
        for item in items(db, file) {
            found.extend(item_mentions(db, *item));
        }
        return found;
    }
    let place = module_file(db, file);
    let source = source_text(db, file);
    // Files for agents have no part in the compilation.
    if source.error().is_some() || place.is_some_and(|it| it.folder() == Some("files")) {
        return found;
    }
    let text = match path.extension() {
        Some("yaml" | "yml" | "eyaml") => {
            let is_comment = |it: &&str| it.trim_start().starts_with('#');
            source.text().lines().filter(|it| !is_comment(it)).collect::<Vec<_>>().join("\n")
        }
        _ => source.text().to_owned(),
    };
    found.text(&text);
    if is_code(path) && COMPUTED.is_match(&text) {
        [Kind::Class, Kind::Define, Kind::Path].into_iter().for_each(|it| found.add_unknown(it));
    }
    if let Some(place) = place {
        found.text(&own_paths(&text, &place.module));
    }
    // A Ruby function that only mentions itself isn't used.
    if path.extension() == Some("rb") && path.as_str().contains("/functions/") {
        let declared = ruby_functions(db, file);
        declared.functions.iter().for_each(|it| found.forget(&it.name.to_lowercase()));
        declared.legacy.iter().for_each(|it| found.forget(&it.name.to_lowercase()));
    }
    found
}

/// Computed names in code that can't be parsed.
static COMPUTED: LazyLock<Regex> = LazyLock::new(|| {
    ascii_regex(
        r#"(?:\b(?:include|contain|require|class|template|epp|file|create_resources)\b[\s({]*|=>\s*)["']?\$"#,
    )
});

/// Replaces the variable `module_name` in a text by the module's name.
fn own_paths(text: &str, module: &str) -> String {
    if !text.contains("module_name") {
        return String::new();
    }
    let forms = ["<%= @module_name %>", "<%= module_name %>", "#{module_name}", "%{module_name}"];
    forms.iter().fold(text.to_owned(), |text, form| text.replace(form, module))
}

/// Returns everything that an item mentions, except itself.
#[salsa::tracked(returns(ref))]
pub(crate) fn item_mentions<'db>(db: &'db dyn Db, item: Item<'db>) -> Mentions {
    let mut found = Mentions::default();
    let body = item.body(db);
    let module = module_file(db, item.file(db)).map(|it| it.module.clone());
    if let Some(parent) = &item.signature(db).parent {
        found.name(parent);
    }
    for (_, expr) in body.exprs() {
        match expr {
            Expr::String(text) => {
                found.text(text);
                // A name is appended to it: `regsubst($names, '^', 'profile::')`.
                if text.ends_with("::") && !text.contains(' ') {
                    found.name_pattern(text, "");
                }
            }
            Expr::Reference(name) => found.name(name),
            Expr::Variable(variable) => {
                if let Variable::Qualified { scope, .. } = &**variable {
                    found.name(scope);
                }
            }
            Expr::RenderText(text) => found.text(text),
            Expr::Interpolated(segments) => {
                interpolated(segments, &ends(body, segments, module.as_ref()), &mut found)
            }
            _ => {}
        }
        if let Some(call) = NamedCall::of(expr) {
            found.name(call.name);
        }
        sinks(body, expr, module.as_ref(), &mut found);
    }
    if let Some(own) = own_name(db, item) {
        found.forget(&own);
    }
    found
}

/// Returns the name that an item defines, normalized for comparison.
pub(crate) fn own_name(db: &dyn Db, item: Item<'_>) -> Option<Str> {
    let is_named = matches!(
        item.kind(db),
        ItemKind::Class | ItemKind::Define | ItemKind::Function | ItemKind::TypeAlias
    );
    is_named.then(|| normalized(item.name(db)))
}

/// The known beginning and end of an interpolated text, and whether they are the whole text.
struct Ends {
    start: String,
    end: String,
    is_whole: bool,
}

fn ends(body: &Body, segments: &[Segment], module: Option<&Str>) -> Ends {
    let known = |segment: &Segment| match segment {
        Segment::Text(text) => Some(text.clone()),
        Segment::Expr(id) => match body.expr(*id) {
            Expr::String(text) => Some(text.clone()),
            Expr::Variable(it) => match &**it {
                Variable::Local { name, .. } | Variable::Top(name) if name == "module_name" => {
                    module.cloned()
                }
                _ => None,
            },
            _ => None,
        },
    };
    let texts: Vec<Option<Str>> = segments.iter().map(known).collect();
    let join = |texts: &[Option<Str>]| -> String { texts.iter().map_while(|it| it.as_deref()).collect() };
    match texts.iter().rposition(Option::is_none) {
        None => Ends { start: join(&texts), end: String::new(), is_whole: true },
        Some(last) => Ends { start: join(&texts), end: join(&texts[last + 1..]), is_whole: false },
    }
}

/// Adds what an interpolated text may evaluate to, regardless of its use, if it looks like a name or a path.
fn interpolated(segments: &[Segment], ends: &Ends, found: &mut Mentions) {
    if ends.is_whole {
        return found.text(&ends.start);
    }
    let is_name = |text: &str| text.chars().all(|it| it.is_ascii_alphanumeric() || it == '_' || it == ':');
    let has_only_names = segments.iter().all(|it| match it {
        Segment::Text(text) => is_name(text),
        Segment::Expr(_) => true,
    });
    if has_only_names && (ends.start.contains("::") || ends.end.contains("::")) {
        found.name_pattern(&ends.start, &ends.end);
    }
    let is_below_module = ends.start.contains("modules/")
        || ends.start.split_once('/').is_some_and(|(module, _)| !module.is_empty() && is_name(module));
    if is_below_module && !ends.start.contains([' ', '\n']) {
        found.path_pattern(&ends.start, &ends.end);
    }
    // Longer texts may also contain names between their interpolations.
    for segment in segments {
        if let Segment::Text(text) = segment
            && text.contains([' ', '\n'])
        {
            found.text(text);
        }
    }
}

/// Adds the things that an expression uses under computed names.
fn sinks(body: &Body, expr: &Expr, module: Option<&Str>, found: &mut Mentions) {
    let mut add = |kind: Kind, id: ExprId| sink(body, kind, id, module, found);
    if let Some(call) = NamedCall::of(expr) {
        let name = call.plain_name();
        let arguments: Vec<ExprId> = call.arguments().collect();
        match call.names() {
            Some(Names::Classes | Names::Resources) => {
                arguments.iter().for_each(|it| add(Kind::Class, *it));
            }
            Some(Names::DataKey) if name == "hiera_include" => {
                arguments.iter().for_each(|it| add(Kind::Class, *it));
            }
            Some(Names::Files | Names::Templates | Names::ErbTemplates) => {
                arguments.iter().for_each(|it| add(Kind::Path, *it));
            }
            Some(Names::EppTemplate) => {
                arguments.first().into_iter().for_each(|it| add(Kind::Path, *it));
            }
            Some(Names::Function) => {
                arguments.first().into_iter().for_each(|it| add(Kind::Function, *it));
            }
            names if names == Some(Names::ResourceType) || name == "defined_with_params" => {
                arguments.first().into_iter().for_each(|it| add(Kind::Define, *it));
                let is_class = |it: &ExprId| !matches!(body.expr(*it), Expr::String(name) if name != "class");
                if arguments.first().is_some_and(is_class) {
                    match arguments.get(1).map(|it| body.expr(*it)) {
                        Some(Expr::Hash(entries)) => {
                            entries.iter().for_each(|(title, _)| add(Kind::Class, *title));
                        }
                        _ => arguments.get(1).into_iter().for_each(|it| add(Kind::Class, *it)),
                    }
                }
            }
            _ => {}
        }
    }
    match expr {
        Expr::Call(call) => {
            if let Callee::Other(id) = &call.callee {
                add(Kind::Function, *id);
            }
        }
        Expr::Resource(it) => {
            if !matches!(body.expr(it.type_name), Expr::Reference(_)) {
                add(Kind::Define, it.type_name);
            }
            let is_class = matches!(body.expr(it.type_name), Expr::String(name) if name == "class");
            for it in &it.bodies {
                if is_class {
                    add(Kind::Class, it.title);
                }
                it.attributes
                    .iter()
                    .filter(|it| is_path(&it.name))
                    .for_each(|it| add(Kind::Source, it.value));
            }
        }
        Expr::ResourceDefaults(_, attributes) | Expr::ResourceOverride(_, _, attributes) => {
            attributes.iter().filter(|it| is_path(&it.name)).for_each(|it| add(Kind::Source, it.value));
        }
        Expr::Access { target, keys } => {
            if let Expr::Reference(name) = body.expr(*target) {
                match normalized(name).as_str() {
                    "class" => keys.iter().for_each(|it| add(Kind::Class, *it)),
                    "resource" => keys.iter().take(1).for_each(|it| add(Kind::Define, *it)),
                    _ => {}
                }
            }
        }
        _ => {}
    }
}

/// Whether the value of an attribute may be the path or the URL of a module file.
fn is_path(name: &AttributeName) -> bool {
    let AttributeName::Name(name) = name else { return false };
    ["source", "template", "epp", "erb"].iter().any(|it| name.contains(it))
}

/// Adds the things that are used under the name that an expression evaluates to.
fn sink(body: &Body, kind: Kind, id: ExprId, module: Option<&Str>, found: &mut Mentions) {
    let mut unknown = false;
    origin(body, id, &mut |it| match it {
        Origin::Text(segments) => {
            let ends = ends(body, segments, module);
            if ends.is_whole {
                found.text(&ends.start);
            } else if matches!(kind, Kind::Path | Kind::Source) {
                // `"/etc/${x}"` isn't a file of a module, and a text with blanks isn't a file at all. The beginning of a
                // URL that starts with a variable is in another text, which is a path itself.
                let is_other = kind == Kind::Source && ends.start.is_empty()
                    || ends.start.starts_with('/')
                    || ends.start.contains("://") && !ends.start.contains("/modules/")
                    || ends.start.contains([' ', '\n'])
                    || ends.end.contains([' ', '\n']);
                let is_known = ends.start.contains('/') || ends.end.contains(['/', '.']);
                match (is_other, is_known) {
                    (true, _) => {}
                    (false, true) => found.path_pattern(&ends.start, &ends.end),
                    (false, false) => unknown |= kind == Kind::Path,
                }
            } else if ends.start.is_empty() && ends.end.is_empty() {
                unknown = true;
            } else {
                found.name_pattern(&ends.start, &ends.end);
            }
        }
        // A text from an unknown origin is unlikely to be the path of a file.
        Origin::Unknown => unknown |= !matches!(kind, Kind::Path | Kind::Source),
        Origin::Data if matches!(kind, Kind::Class | Kind::Define) => found.add_unknown(Kind::Data),
        Origin::Data | Origin::Passed => {}
    });
    if unknown {
        found.add_unknown(kind);
    }
}
