//! Files that aren't checked, but on which findings depend: reports those that cannot be read.

use marotte_diagnostics::{Diagnostic, Level, Rule, rules};
use std::sync::Arc;

use camino::Utf8Path;
use marotte_check::{
    Needs, check_environment_conf, check_metadata, check_puppetfile, check_ruby, check_task, check_tree,
    check_yaml_plan, is_task_metadata, is_yaml_plan, looks_at_trees, needs, template_code,
};
use marotte_db::system::ReadError;
use marotte_db::{Db, File, Settings, SourceError, source_text};
use marotte_resolve::custom_facts;
use marotte_resolve::ruby::{ruby_functions, ruby_resource_types};
use marotte_ruby::erb::tags;
use marotte_ruby_eval::program::{Program, SyntaxError, template_source};
use marotte_text::{TextRange, TextSize};

use marotte_host::layout::{ENVIRONMENT_FILE, METADATA_FILE, PUPPETFILE};

use crate::discovery::{is_erb, is_support};

/// The maximum length of a Ruby file, in bytes. Longer files aren't read.
const MAX_RUBY: usize = marotte_ruby::LENGTH_LIMIT;

/// The rules that look at plans in YAML.
const OF_PLANS: [&Rule; 8] = [
    rules::DEFAULT_VALUE_TYPE,
    rules::INVALID_PLAN,
    rules::MISSING_PARAMETER,
    rules::PARAMETER_TYPE,
    rules::UNKNOWN_PARAMETER,
    rules::UNRESOLVED_TASK,
    rules::UNRESOLVED_TYPE,
    rules::UNRESOLVED_VARIABLE,
];

/// Returns all findings of a file that isn't itself checked.
pub(crate) fn support_findings(db: &dyn Db, file: File) -> Vec<Arc<Diagnostic>> {
    // Files that aren't support files, in whatever language, can only have findings about whole trees or tasks.
    let rules = Settings::get(db).rules(db);
    let is_read = is_support(file.path(db)) && is_needed(file.path(db), needs(rules));
    let reason = match is_read || is_task_metadata(db, file) || is_yaml_plan(db, file) {
        true => support(db, file).clone(),
        false => None,
    };
    let mut findings: Vec<_> = reason.into_iter().collect();
    if is_read && is_erb(file.path(db)) {
        findings.extend(erb_encoding(db, file).map(Arc::new));
    }
    if rules.contains(rules::INVALID_TASK_METADATA) {
        findings.extend(check_task(db, file).into_iter().map(Arc::new));
    }
    if rules.contains_any(&OF_PLANS) {
        let found = check_yaml_plan(db, file).into_iter().filter(|it| rules.contains(it.rule));
        findings.extend(found.map(Arc::new));
    }
    if is_read {
        let found = match file.path(db).file_name() {
            Some(METADATA_FILE) => check_metadata(db, file),
            Some(PUPPETFILE) => check_puppetfile(db, file),
            Some(ENVIRONMENT_FILE) => check_environment_conf(db, file),
            _ => Vec::new(),
        };
        findings.extend(found.into_iter().filter(|it| rules.contains(it.rule)).map(Arc::new));
    }
    findings.extend_from_slice(check_ruby(db, file));
    if looks_at_trees(db) {
        findings.extend_from_slice(check_tree(db, file));
    }
    findings
}

/// Whether rules with these needs may read a support file.
fn is_needed(path: &Utf8Path, needs: Needs) -> bool {
    !matches!(path.extension(), Some("rb" | "erb"))
        || needs == Needs::Tree
        || needs == Needs::Facts && path.as_str().contains("/lib/facter/")
}

/// The reason why a file cannot be understood. At most one finding.
#[salsa::tracked(returns(ref))]
fn support(db: &dyn Db, file: File) -> Option<Arc<Diagnostic>> {
    let source = source_text(db, file);
    let path = file.path(db);
    let at = |rule, range, message| {
        Some(Arc::new(Diagnostic::new(rule, Level::Error, file.id(db), range, message)))
    };
    let start = TextRange::default();
    match source.error() {
        // `erb_encoding` reports that. The code can be parsed all the same.
        Some(SourceError::InvalidUtf8 { .. }) if is_erb(path) => {}
        // A file that disappeared meanwhile isn't an error.
        Some(SourceError::Read(ReadError::NotFound)) => return None,
        Some(SourceError::Read(error @ ReadError::TooLarge { .. })) => {
            return at(rules::FILE_TOO_LARGE, start, format!("this file is not read: {error}"));
        }
        Some(SourceError::Read(error)) => {
            return at(rules::UNREADABLE_FILE, start, format!("this file cannot be read: {error}"));
        }
        Some(SourceError::InvalidUtf8 { offset, byte }) => {
            let message = format!("this file is not UTF-8: byte 0x{byte:02X} is not allowed here");
            return at(rules::INVALID_UTF8, TextRange::empty(TextSize::from(*offset)), message);
        }
        Some(error @ SourceError::ByteOrderMark(_)) => {
            return at(rules::INVALID_UTF8, start, format!("this file cannot be read: {error}"));
        }
        None => {}
    }
    let text = source.text();
    let is_ruby = path.extension() == Some("rb") || path.file_name() == Some(PUPPETFILE);
    if is_ruby && text.len() > MAX_RUBY {
        let message =
            format!("this file is not read: it has {} bytes, more than the limit of {MAX_RUBY}", text.len());
        return at(rules::FILE_TOO_LARGE, start, message);
    }
    if path.file_name() == Some(PUPPETFILE) {
        let (range, message) = ruby_error(path, text)?;
        let mut finding = Diagnostic::new(rules::INVALID_RUBY, Level::Error, file.id(db), range, message);
        finding
            .notes
            .push("`unlisted-module` and `unused-module` report nothing about such a file".to_owned());
        return Some(Arc::new(finding));
    }
    if path.extension() == Some("rb") {
        if is_understood(db, file) {
            return None;
        }
        let (range, message) = ruby_error(path, text)?;
        return at(rules::INVALID_RUBY, range, message);
    }
    if is_erb(path) {
        let (rule, range, message) = erb_error(db, file)?;
        return at(rule, range, message);
    }
    if path.file_name() != Some(METADATA_FILE) {
        return None;
    }
    match serde_json::from_str::<serde_json::Map<String, serde_json::Value>>(text) {
        Ok(_) => None,
        Err(error) => {
            let line = error.line().saturating_sub(1);
            let before: usize = text.split_inclusive('\n').take(line).map(str::len).sum();
            let offset = (before + error.column().saturating_sub(1)).min(text.len());
            let offset = (0..=offset).rev().find(|it| text.is_char_boundary(*it)).unwrap_or_default();
            let range = TextRange::empty(TextSize::of(&text[..offset]));
            let what = match error.classify() {
                serde_json::error::Category::Data => "the metadata are not a JSON object",
                serde_json::error::Category::Eof => "the metadata are not valid JSON: unexpected end of file",
                _ => "the metadata are not valid JSON: unexpected text",
            };
            at(rules::INVALID_METADATA, range, what.to_owned())
        }
    }
}

/// The first byte of a template that is not UTF-8.
fn erb_encoding(db: &dyn Db, file: File) -> Option<Diagnostic> {
    let source = source_text(db, file);
    let Some(SourceError::InvalidUtf8 { offset, byte }) = source.error() else { return None };
    let range = TextRange::empty(TextSize::from(*offset));
    let message = format!("this template is not UTF-8: byte 0x{byte:02X} is not valid here");
    let mut finding = Diagnostic::new(rules::INVALID_UTF8, Level::Warning, file.id(db), range, message);
    finding.notes.push(
        "Puppet renders text with such bytes to a value that is not text, and refuses them in strings of code"
            .to_owned(),
    );
    Some(finding)
}

/// The first syntax error of a Ruby file: its place, and a message.
fn ruby_error(path: &Utf8Path, text: &str) -> Option<(TextRange, String)> {
    // Both parsers have to agree, because neither of them is Ruby's own.
    let error = Some(text).filter(|it| !marotte_ruby::is_sound(it))?;
    let error = Program::parse(path.as_str(), error.as_bytes()).err()?;
    let (line, message) = refused_at(text, &error)?;
    // Of what is missing at the end, the line says more.
    match text.get(error.range.clone()).filter(|it| !it.trim().is_empty()) {
        Some(found) => {
            let start = TextSize::of(&text[..error.range.start]);
            let message = match error.message.starts_with("unexpected ") {
                true => format!("invalid Ruby: `{}` is not expected here", found.trim()),
                false => message,
            };
            Some((TextRange::at(start, TextSize::of(found)), message))
        }
        None => Some((line, message)),
    }
}

/// The first syntax error in the Ruby code of a template, or the reason why it was not looked for: the rule, its place, and a message.
fn erb_error(db: &dyn Db, file: File) -> Option<(&'static Rule, TextRange, String)> {
    /// The one error that the other parser passes over: an `end` too many.
    const STRAY_END: &str = "unexpected kEND";
    let text = source_text(db, file).text();
    let error = match template_code(db, file) {
        Ok(_) => {
            let range = unclosed_tag(text)?;
            let message = "this tag is never closed: its code is text, as everything after it".to_owned();
            return Some((rules::INVALID_RUBY, range, message));
        }
        Err(error) => error,
    };
    let source = String::from_utf8(template_source(text.as_bytes())).ok()?;
    if source.len() > MAX_RUBY {
        let length = source.len();
        let message = format!(
            "the code of this template is not checked: it is compiled to {length} bytes of Ruby, more than the limit of {MAX_RUBY}"
        );
        return Some((rules::FILE_TOO_LARGE, TextRange::default(), message));
    }
    let is_certain = error.message == STRAY_END || !marotte_ruby::is_sound(&source);
    let (range, message) = is_certain.then(|| refused_at(text, error))??;
    Some((rules::INVALID_RUBY, range, message))
}

/// The start of the last tag of a template, if nothing closes it.
fn unclosed_tag(text: &str) -> Option<TextRange> {
    let tag = *tags(text).last()?;
    (!tag.is_closed).then(|| TextRange::at(TextSize::of(&text[..tag.open]), TextSize::of("<%")))
}

/// Returns the place and the message of a syntax error. None if only this interpreter rejects the text.
fn refused_at(text: &str, error: &SyntaxError) -> Option<(TextRange, String)> {
    if error.is_refusal {
        return None;
    }
    let line = usize::try_from(error.line).unwrap_or_default().saturating_sub(1);
    let before: usize = text.split_inclusive('\n').take(line).map(str::len).sum();
    let range = TextRange::empty(TextSize::of(&text[..before]));
    let message = match error.message.contains("END_OF_INPUT") {
        true => {
            "invalid Ruby: something is still open at the end, which lacks an `end` or a bracket".to_owned()
        }
        false => format!("invalid Ruby: {}", in_words(&error.message)),
    };
    Some((range, message))
}

/// A message of the parser, with words for the names of its tokens: ``unexpected `end` `` for `unexpected kEND`.
fn in_words(message: &str) -> String {
    let word = |token: &str| match token {
        "tCOMMA" => "`,`".to_owned(),
        "tCONSTANT" | "tIDENTIFIER" => "a name".to_owned(),
        "tFLOAT" | "tINTEGER" => "a number".to_owned(),
        "tLABEL" => "a key".to_owned(),
        "tNL" => "the end of the line".to_owned(),
        "tRBRACK" => "`]`".to_owned(),
        "tRCURLY" | "tSTRING_DEND" => "`}`".to_owned(),
        "tRPAREN" => "`)`".to_owned(),
        "tSTRING_BEG" => "a string".to_owned(),
        _ => match token.strip_prefix('k').filter(|it| it.starts_with(|it: char| it.is_ascii_uppercase())) {
            Some(keyword) => format!("`{}`", keyword.to_lowercase()),
            None => token.to_owned(),
        },
    };
    message.split(' ').map(word).collect::<Vec<_>>().join(" ")
}

/// Whether a Ruby file has declarations that are all understood, judging by results that checks have usually computed already:
/// they are complete only for code that the parser understood. Files without declarations weren't parsed for them.
fn is_understood(db: &dyn Db, file: File) -> bool {
    let path = file.path(db).as_str();
    let is_below = |folder: &str| path.contains(folder);
    if is_below("/lib/puppet/functions/") || is_below("/lib/puppet/parser/functions/") {
        let found = ruby_functions(db, file);
        found.complete && !(found.functions.is_empty() && found.legacy.is_empty())
    } else if is_below("/lib/puppet/type/") {
        let found = ruby_resource_types(db, file);
        found.complete && !(found.types.is_empty() && found.additions.is_empty())
    } else {
        is_below("/lib/facter/") && custom_facts::adds_known_facts(db, file)
    }
}
