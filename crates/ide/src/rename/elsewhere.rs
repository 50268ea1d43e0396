//! Possible uses of a name that cannot be changed: Ruby, computed strings, computed attributes.

use std::collections::BTreeSet;

use marotte_check::semantics;
use marotte_db::{Environment, File, environment_of, source_text};
use marotte_hir::body::{Expr, FrameId};
use marotte_hir::{Item, ItemKind, NameKind, items, lowered, open_reads, places};
use marotte_syntax::ast as syntax;
use marotte_text::{Str, TextRange, TextSize, normalized, unrooted};

use super::{RefusedRename, TextEdit, refuse};
use crate::files::{code_files, hiera_files, ruby_files};
use crate::hover::shown_path;
use crate::symbol::Symbol;
use crate::token::{Named, tokens};
use crate::words::has_words;
use crate::{Db, FileRange};

/// Refuses if a qualified name occurs anywhere in code, data or Ruby without being covered by an edit. Comments don't count.
pub(super) fn unreached(
    db: &dyn Db,
    environment: Environment,
    name: &str,
    edits: &[TextEdit],
) -> Result<(), RefusedRename> {
    let files = [code_files(db, environment), hiera_files(db, environment), ruby_files(db, environment)];
    for file in files.into_iter().flatten().copied().filter(|it| has_words(db, *it, name)) {
        let text = source_text(db, file).text();
        let comments = comments(db, file);
        for at in whole_names(text, name) {
            if is_other_name(db, file, text, at, name) {
                continue;
            }
            let offset = TextSize::try_from(at).unwrap_or_default();
            if is_in_sentence(db, file, offset) {
                continue;
            }
            let is_reached = edits.iter().any(|it| it.place.file == file && it.place.range.contains(offset));
            let is_comment =
                comments.iter().any(|it| it.contains(offset)) || is_line_comment(file, db, text, at);
            if !is_reached && !is_comment {
                return refuse(format!(
                    "`{name}` appears at {}, in what may use it and cannot be changed",
                    place(db, file, offset)
                ));
            }
        }
    }
    Ok(())
}

/// Whether the text at a place is a longer name that refers to something else. Code and data refer to the variables and
/// parameters of a class in ways that edits cover; in Ruby, only names of definitions are known.
fn is_other_name(db: &dyn Db, file: File, text: &str, at: usize, name: &str) -> bool {
    let is_part = |it: char| it.is_ascii_alphanumeric() || it == '_' || it == ':';
    let rest = text[at..].find(|it| !is_part(it)).map_or(&text[at..], |end| &text[at..at + end]);
    let longer = rest.trim_end_matches(':');
    if longer.len() == name.len() {
        return false;
    }
    let is_ruby = matches!(file.path(db).extension(), Some("rb" | "erb"));
    let kinds = [NameKind::Class, NameKind::Define, NameKind::Function, NameKind::TypeAlias];
    let is_defined = |it: &str| kinds.iter().any(|kind| semantics::definition(db, file, *kind, it).is_some());
    // `a::b::c` may be a definition, or a variable of the class `a::b`.
    !is_ruby
        || is_defined(longer)
        || longer.rsplit_once("::").is_some_and(|(class, _)| class.len() > name.len() && is_defined(class))
}

/// Whether a place is in a string that cannot be a name or a reference, because it contains blanks outside of brackets.
fn is_in_sentence(db: &dyn Db, file: File, at: TextSize) -> bool {
    if !crate::token::is_code(db, file) {
        return false;
    }
    let parsed = marotte_hir::parse(db, file);
    let tree = parsed.load();
    let text = source_text(db, file).text();
    let mut string: Option<TextRange> = None;
    fn visit(expr: &syntax::Expr, at: TextSize, string: &mut Option<TextRange>) {
        if expr.range.contains(at) {
            if matches!(expr.kind, syntax::ExprKind::String(_) | syntax::ExprKind::Interpolated(_)) {
                *string = string.or(Some(expr.range));
            }
            expr.for_each_child(&mut |it| visit(it, at, string));
        }
    }
    tree.program.for_each_child(&mut |it| visit(it, at, &mut string));
    let Some(string) = string else { return false };
    let mut depth = 0_usize;
    text[string].chars().any(|it| {
        match it {
            '[' | '{' => depth += 1,
            ']' | '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        it == ' ' && depth == 0
    })
}

fn comments(db: &dyn Db, file: File) -> Vec<TextRange> {
    if !crate::token::is_code(db, file) {
        return Vec::new();
    }
    marotte_hir::parse(db, file).load().comments.iter().map(|it| it.range).collect()
}

fn is_line_comment(file: File, db: &dyn Db, text: &str, at: usize) -> bool {
    let line = text[..at].rsplit('\n').next().unwrap_or_default();
    !crate::token::is_code(db, file) && line.trim_start().starts_with('#')
}

/// The offsets at which a name occurs as a whole word, ignoring case.
fn whole_names(text: &str, name: &str) -> Vec<usize> {
    let is_part = |it: char| it.is_alphanumeric() || it == '_';
    let (bytes, name_bytes) = (text.as_bytes(), name.as_bytes());
    let mut found = Vec::new();
    for (at, window) in bytes.windows(name_bytes.len().max(1)).enumerate() {
        if !window.eq_ignore_ascii_case(name_bytes) || !text.is_char_boundary(at) {
            continue;
        }
        let before = text[..at].trim_end_matches("::");
        let is_start = !before.ends_with(is_part) || (before.len() == at && !text[..at].ends_with(is_part));
        let is_end = !text[at + name.len()..].starts_with(is_part);
        if is_start && is_end {
            found.push(at);
        }
    }
    found
}

/// Refuses if a template or a string in Ruby may read a variable of an item's scope.
pub(super) fn templates(db: &dyn Db, item: Item<'_>, name: &str) -> Result<(), RefusedRename> {
    let file = item.file(db);
    let environment = environment_of(db, file);
    let mut reads_anything = false;
    for (id, expr) in item.body(db).exprs() {
        let called = match expr {
            Expr::Call(it) => match &it.callee {
                marotte_hir::body::Callee::Function(name) => unrooted(name),
                _ => continue,
            },
            Expr::MethodCall(it) => &it.name,
            _ => continue,
        };
        reads_anything |= matches!(called, "template" | "epp");
        if matches!(called, "inline_template" | "inline_epp") {
            let Some(range) = places(db, item).map.place(id).map(|it| it.range) else { continue };
            let text = crate::token::slice(source_text(db, file).text(), range);
            let arguments = match expr {
                Expr::Call(it) => &it.arguments,
                Expr::MethodCall(it) => &it.arguments,
                _ => continue,
            };
            // A text that is written in the call reads what it names, in its tags.
            let is_literal =
                arguments.first().is_some_and(|it| matches!(item.body(db).expr(*it), Expr::String(_)));
            let reads = |at: usize| text[..at].ends_with(['$', '@', '\'', '"', ':', '.']);
            if whole_names(text, name).into_iter().any(reads) || !is_literal && text.contains('$') {
                return refuse(format!(
                    "the template at {} may read `${name}`",
                    place(db, file, range.start())
                ));
            }
        }
    }
    if !reads_anything {
        return Ok(());
    }
    let rendered = tokens(db, file).into_iter().filter(|it| it.within == Some(item));
    let mut known = 0;
    for token in rendered {
        if !matches!(token.named, Named::ModuleFile { folder: "templates", .. }) {
            continue;
        }
        known += 1;
        if let Some(Symbol::File(template)) = Symbol::of(db, file, &token) {
            of_template(db, environment, template, name)?;
        }
    }
    // A template rendered under a computed name may be any of them.
    let calls = item.body(db).exprs().filter(|(_, it)| is_rendering(it)).count();
    if known < calls {
        for template in ruby_files(db, environment) {
            of_template(db, environment, *template, name)?;
        }
    }
    Ok(())
}

fn is_rendering(expr: &Expr) -> bool {
    match expr {
        Expr::Call(it) => {
            matches!(&it.callee, marotte_hir::body::Callee::Function(name) if matches!(unrooted(name), "template" | "epp"))
        }
        Expr::MethodCall(it) => matches!(&*it.name, "template" | "epp"),
        _ => false,
    }
}

fn of_template(
    db: &dyn Db,
    environment: Environment,
    template: File,
    name: &str,
) -> Result<(), RefusedRename> {
    if !has_words(db, template, name) {
        return Ok(());
    }
    let shown = || shown_path(db, environment, template);
    if template.path(db).extension() == Some("epp") {
        let is_open = !lowered(db, template).declares_parameters;
        return match is_open && open_reads(db, template).iter().any(|it| it == name) {
            true => refuse(format!("the template `{}` reads `${name}` of who renders it", shown())),
            false => Ok(()),
        };
    }
    let text = source_text(db, template).text();
    let is_read = |before: &str| before.ends_with(['@', '\'', '"', ':']) || before.ends_with("scope.");
    match whole_names(text, name).into_iter().any(|at| is_read(&text[..at])) {
        true => refuse(format!("the template `{}` reads `@{name}`", shown())),
        false => Ok(()),
    }
}

/// Refuses if computed attributes may be set on a class or resource type. A declaration whose type is computed, too, may set
/// them only if the attribute's name is a key of a hash somewhere.
pub(super) fn computed_attributes(
    db: &dyn Db,
    item: Item<'_>,
    name: &str,
    edits: &[TextEdit],
) -> Result<(), RefusedRename> {
    let environment = environment_of(db, item.file(db));
    let type_name = match item.kind(db) {
        ItemKind::Class => Str::from("class"),
        _ => normalized(item.name(db)),
    };
    let class = normalized(item.name(db));
    let last = unrooted(item.name(db)).rsplit("::").next().unwrap_or_default().to_owned();
    for file in code_files(db, environment) {
        // Code that declares it under a computed name contains no word of the name, but contains the attribute; functions take
        // both from elsewhere.
        let may_declare = [&*last, name, "create_resources", "ensure_resource", "ensure_resources"];
        if !may_declare.iter().any(|it| has_words(db, *file, it)) {
            continue;
        }
        for other in items(db, *file) {
            let Some(computed) = semantics::computed_attributes(db, *other, &type_name, &class, name) else {
                continue;
            };
            let range = places(db, *other).map.place(computed.at).map(|it| it.range).unwrap_or_default();
            let at = place(db, *file, range.start());
            if !computed.of_any_type {
                return refuse(format!("attributes are computed at {at}"));
            }
            if let Some((file, key)) = hash_key(db, environment, name, edits) {
                let key = place(db, file, key);
                return refuse(format!("`{name}` at {key} may be an attribute that {at} sets"));
            }
        }
    }
    Ok(())
}

/// The first place in code or data where a name is the key of a hash, or may be one.
fn hash_key(
    db: &dyn Db,
    environment: Environment,
    name: &str,
    edits: &[TextEdit],
) -> Option<(File, TextSize)> {
    let files = code_files(db, environment).iter().chain(hiera_files(db, environment));
    files.copied().filter(|it| has_words(db, *it, name)).find_map(|file| {
        let text = source_text(db, file).text();
        let is_code = crate::token::is_code(db, file);
        let known = if is_code { tokens(db, file) } else { Vec::new() };
        let comments = comments(db, file);
        let places =
            whole_names(text, name).into_iter().map(|at| (at, TextSize::try_from(at).unwrap_or_default()));
        let mut keys = places.filter(|(at, offset)| {
            let rest = text[at + name.len()..].trim_start_matches(['\'', '"']);
            let is_key = match is_code {
                true => text[..*at].ends_with(['\'', '"']) || rest.trim_start().starts_with("=>"),
                false => rest.starts_with(':'),
            };
            is_key
                && !text[..*at].ends_with(['$', '@', ':'])
                && !edits.iter().any(|it| it.place.file == file && it.place.range.contains(*offset))
                && !known.iter().any(|it| it.range.contains(*offset))
                && !comments.iter().any(|it| it.contains(*offset))
                && !is_line_comment(file, db, text, *at)
        });
        keys.next().map(|(_, offset)| (file, offset))
    })
}

/// Refuses if a body in which the variable is visible has another variable of the new name.
pub(super) fn clash(
    db: &dyn Db,
    item: Item<'_>,
    frame: Option<FrameId>,
    new: &str,
    edits: &[TextEdit],
) -> Result<(), RefusedRename> {
    let mut files: BTreeSet<File> = [item.file(db)].into();
    files.extend(edits.iter().map(|it| it.place.file));
    for file in files {
        let all = tokens(db, file);
        for token in &all {
            let (Named::Variable(of, _, name) | Named::Outer(of, name)) = &token.named else { continue };
            let is_concerned = *of == item
                || frame.is_none()
                    && edits.iter().any(|it| {
                        // Another body that inherits the variable and reads it by its short name.
                        it.place.file == file
                            && all
                                .iter()
                                .any(|other| other.range == it.place.range && other.within == Some(*of))
                    });
            if name == new && is_concerned {
                return refuse(format!("there is a variable `${new}` already"));
            }
        }
    }
    if item.signature(db).parameter(new).is_some() {
        return refuse(format!("there is a parameter `${new}` already"));
    }
    Ok(())
}

/// The edits of `@param` in the comment above a definition.
pub(super) fn documented(db: &dyn Db, item: Item<'_>, old: &str, new: &str) -> Vec<TextEdit> {
    let file = item.file(db);
    let text = source_text(db, file).text();
    let Some(full) = crate::definition::full_range(db, item) else { return Vec::new() };
    let mut end = text[..usize::from(full.start())].rfind('\n').map_or(0, |it| it + 1);
    let mut edits = Vec::new();
    while end > 0 {
        let start = text[..end - 1].rfind('\n').map_or(0, |it| it + 1);
        let line = &text[start..end];
        if !line.trim_start().starts_with('#') {
            break;
        }
        if let Some(tag) = line.find("@param") {
            let rest = &line[tag..];
            let found = whole_names(rest, old).into_iter().find(|at| !rest[..*at].trim_end().ends_with(','));
            let words = rest.split_whitespace().filter(|it| !it.starts_with('['));
            let is_it = words.take(3).any(|it| it.trim_start_matches('$') == old);
            if let (Some(at), true) = (found, is_it) {
                let at = TextSize::try_from(start + tag + at).unwrap_or_default();
                let range = TextRange::at(at, TextSize::try_from(old.len()).unwrap_or_default());
                edits.push(TextEdit { place: FileRange { file, range }, text: new.to_owned() });
            }
        }
        end = start;
    }
    edits
}

/// A place in the form that users read: `manifests/site.pp:3`.
pub(super) fn place(db: &dyn Db, file: File, at: TextSize) -> String {
    let line = source_text(db, file).line_index().position(at).line;
    format!("{}:{line}", shown_path(db, environment_of(db, file), file))
}
