//! `removed-ruby-method`, and `legacy-fact`, `unresolved-function` and `unresolved-variable` in ERB: Ruby code of templates and
//! plugins that doesn't work with Puppet 8.

use std::collections::BTreeSet;
use std::sync::{Arc, LazyLock};

use foldhash::HashSet;
use marotte_db::{
    Db, Environment, File, Settings, environment_of, files_below, module_file, module_folder, source_text,
};
use marotte_diagnostics::{Diagnostic, Edit, Fix, Rule, rules};
use marotte_hir::items;
use marotte_ruby::core;
use marotte_ruby::erb::{Tag, tags};
use marotte_text::{Str, TextRange, TextSize, ascii_regex};
use regex::Regex;

use crate::rules::migration::legacy_fact::{NOTE, is_replaceable, legacy};
use crate::rules::names::template_locals;
use crate::template_facts::{is_certain, is_in_text, legacy_reads};

/// A use of a method or class that Ruby 3.2 no longer has. Puppet 8 itself defines `File.exists?` and `Dir.exists?` again. With
/// arguments, `taint` is a method of the code's own.
static REMOVED: LazyLock<Regex> = LazyLock::new(|| {
    ascii_regex(
        r#"\bFileTest(?:\.|::)(?P<exists>exists\?)|(?:^|[^\w:.@$])(?:::)?(?P<class>Fixnum|Bignum)\b|\b(?P<uri>URI(?:\.|::)(?:(?:un)?escape|encode|decode)\b)|[\w)\]}'"?!]\.(?P<taint>(?:un)?taint)(?:\s*$|[;.,)}\]\n]|\s+(?:[^\w\s('"@:$\[{=]|(?:if|unless|and|or)\b))"#,
    )
});

/// The words in each of these uses: few files have any of them, and this search takes a fraction of the other's time.
static REMOVED_WORDS: LazyLock<Regex> =
    LazyLock::new(|| ascii_regex(r"exists\?|Fixnum|Bignum|escape|URI(?:\.|::)(?:en|de)code|taint"));

/// The start of a heredoc.
static HEREDOC: LazyLock<Regex> = LazyLock::new(|| ascii_regex(r#"<<[-~]?["']?(?P<end>[A-Z]\w*)"#));

/// Code that runs with several versions of Ruby, and asks for the version or for the method or class before it uses it.
static GUARD: LazyLock<Regex> = LazyLock::new(|| {
    ascii_regex(
        r"RUBY_VERSION|Puppet\.version|PUPPETVERSION|defined\?[\s(]*(?:::)?(?:Fixnum|Bignum)|(?:respond_to|method_defined|const_defined)\?[\s(]*:\w+",
    )
});

/// Returns the findings of these rules in a template or a plugin of a module.
#[salsa::tracked(returns(deref))]
pub fn check_ruby(db: &dyn Db, file: File) -> Box<[Arc<Diagnostic>]> {
    let rules = Settings::get(db).rules(db);
    let extension = file.path(db).extension();
    let is_template = match module_file(db, file).and_then(|it| it.folder()) {
        Some("templates") if extension == Some("erb") => true,
        Some("lib") if extension == Some("rb") && rules.contains(rules::REMOVED_RUBY_METHOD) => false,
        _ => return Box::new([]),
    };
    let of_names = [rules::UNRESOLVED_FUNCTION, rules::UNRESOLVED_VARIABLE];
    let findings = match is_template && rules.contains_any(&of_names) {
        true => {
            let is_set = |name: &str| set_somewhere(db, environment_of(db, file)).contains(name);
            let has_other_names = || renders_templates(db, file);
            template_locals::findings(db, file, |it| rules.contains(it), is_set, has_other_names)
        }
        false => Vec::new(),
    };
    let source = source_text(db, file);
    let text = source.text();
    // Templates are read in whatever encoding.
    let is_read = is_template || source.error().is_none();
    let finds_removed = is_read
        && rules.contains(rules::REMOVED_RUBY_METHOD)
        && REMOVED_WORDS.is_match(text)
        && !GUARD.is_match(text);
    let finds_facts = is_template && rules.contains(rules::LEGACY_FACT);
    let mut code = Code { db, file, text, findings };
    let ranges = match (finds_removed || finds_facts, is_template) {
        (false, _) => Vec::new(),
        (true, true) => lines_in_tags(text),
        (true, false) => lines_of_code(text),
    };
    for range in ranges {
        if finds_removed {
            code.removed(range);
        }
        if finds_facts {
            code.facts(range);
        }
    }
    if source.error().is_some() {
        // The offsets of an edit are not those of the file.
        code.findings.iter_mut().for_each(|it| it.fix = None);
    }
    code.findings.into_iter().map(Arc::new).collect()
}

/// The Ruby code of a file, and the findings in it.
struct Code<'db> {
    db: &'db dyn Db,
    file: File,
    text: &'db str,
    findings: Vec<Diagnostic>,
}

/// Returns the ranges of the code in the tags of a template, without comments.
pub(crate) fn lines_in_tags(text: &str) -> Vec<TextRange> {
    let tags = tags(text).into_iter().filter(Tag::is_run);
    tags.flat_map(|tag| lines_of_code(tag.code).into_iter().map(move |it| it + tag.range().start())).collect()
}

/// Returns the ranges of the lines that contain code, without trailing comments.
fn lines_of_code(text: &str) -> Vec<TextRange> {
    let mut found = Vec::new();
    let mut at = 0;
    let mut heredoc: Option<&str> = None;
    for line in text.split_inclusive('\n') {
        let is_text = match heredoc {
            Some(end) => {
                heredoc = Some(end).filter(|end| line.trim() != *end);
                true
            }
            None => {
                let start = line.contains("<<").then(|| HEREDOC.captures(line)).flatten();
                heredoc = start.and_then(|it| it.name("end")).map(|it| it.as_str());
                false
            }
        };
        let is_comment = line.trim_start().starts_with('#') || is_text;
        let end = line.find(" # ").unwrap_or(line.len());
        if !is_comment {
            found.push(TextRange::at(TextSize::of(&text[..at]), TextSize::of(&line[..end])));
        }
        at += line.len();
    }
    found
}

impl Code<'_> {
    /// Reports a finding at the default level of its rule.
    fn report(&mut self, rule: &'static Rule, range: TextRange, message: String) -> &mut Diagnostic {
        self.findings.push(Diagnostic::new(rule, rule.level, self.file.id(self.db), range, message));
        let last = self.findings.len() - 1;
        &mut self.findings[last]
    }

    /// Reports uses of methods and classes that Ruby 3.2 no longer has.
    fn removed(&mut self, range: TextRange) {
        let text = &self.text[range];
        for found in REMOVED.captures_iter(text) {
            let new = |at: &regex::Match<'_>| {
                TextRange::at(range.start() + TextSize::of(&text[..at.start()]), TextSize::of(at.as_str()))
            };
            let (at, replacement, safe) = if let Some(at) = found.name("exists") {
                (at, Some("exist?"), true)
            } else if let Some(at) = found.name("class") {
                if is_in_text(&text[..at.start()]) {
                    continue;
                }
                (at, Some("Integer"), true)
            } else if let Some(at) = found.name("uri") {
                let is_reverse = at.as_str().ends_with("unescape") || at.as_str().ends_with("decode");
                let name = if is_reverse { "unescape" } else { "escape" };
                (
                    at,
                    Some(if name == "escape" {
                        "URI::DEFAULT_PARSER.escape"
                    } else {
                        "URI::DEFAULT_PARSER.unescape"
                    }),
                    false,
                )
            } else if let Some(at) = found.name("taint") {
                (at, None, false)
            } else {
                continue;
            };
            let message = format!("Ruby 3.2, with which Puppet 8 runs, has no `{}`", at.as_str());
            let at = new(&at);
            let finding = self.report(rules::REMOVED_RUBY_METHOD, at, message);
            finding.label = replacement.map(|it| format!("use `{it}`"));
            finding.fix = replacement.map(|it| Fix {
                title: format!("replace with `{it}`"),
                safe,
                edits: vec![Edit { range: at, text: it.to_owned() }],
            });
        }
    }

    /// Reports the legacy facts that the code of a template reads.
    fn facts(&mut self, range: TextRange) {
        let db = self.db;
        let environment = environment_of(db, self.file);
        for read in legacy_reads(&self.text[range]) {
            let Some(fact) = legacy(db, environment, read.name) else { continue };
            if !is_certain(self.text, &read) {
                continue;
            }
            // Code that sets a variable of this name may be the code that renders the template.
            if read.is_variable && set_somewhere(db, environment).contains(read.name) {
                continue;
            }
            let safe = is_replaceable(db, environment, &fact);
            let new = fact.keys().map(|keys| format!("{}{keys}", read.base));
            let at = read.range + range.start();
            let finding = self.report(rules::LEGACY_FACT, at, format!("`{}` is a legacy fact", read.name));
            finding.label = new.as_ref().map(|it| fact.advice(it));
            finding.notes.push(NOTE.to_owned());
            finding.fix = new.filter(|_| read.is_replaced && !fact.has_other_form).map(|new| Fix {
                title: format!("replace with `{new}`"),
                safe,
                edits: vec![Edit { range: at, text: new }],
            });
        }
    }
}

/// Whether Ruby code of a file's module renders templates itself: they may have other names than those of Puppet.
fn renders_templates(db: &dyn Db, file: File) -> bool {
    let module = module_file(db, file).map(|it| it.module.clone());
    module.is_none_or(|module| module_renders_templates(db, environment_of(db, file), module))
}

#[salsa::tracked(returns(copy))]
fn module_renders_templates(db: &dyn Db, environment: Environment, module: Str) -> bool {
    let Some(folder) = module_folder(db, environment, module) else { return true };
    let paths = files_below(db, &folder.join("lib"), "rb");
    let mut texts = paths.iter().map(|it| source_text(db, db.files().file(db, it)).text());
    texts.any(|it| it.contains("ERB"))
}

/// Returns the variables that the code of an environment sets, as names without scopes.
#[salsa::tracked(returns(ref))]
pub(crate) fn set_somewhere(db: &dyn Db, environment: Environment) -> HashSet<Str> {
    let mut files: Vec<File> = marotte_resolve::manifests::manifests(db, environment).collect();
    for (_, folder) in environment.modules(db).iter() {
        for name in ["manifests", "templates"] {
            let paths = files_below(db, &folder.join(name), if name == "manifests" { "pp" } else { "epp" });
            files.extend(paths.iter().map(|it| db.files().file(db, it)));
        }
    }
    files.into_iter().flat_map(|it| set_in(db, it)).collect()
}

fn set_in(db: &dyn Db, file: File) -> Vec<Str> {
    items(db, file).iter().flat_map(|it| it.body(db).variables().cloned().collect::<Vec<_>>()).collect()
}

/// Returns the names of legacy facts that are variables which the code of a file sets: findings in templates depend on them.
pub fn shadowed_facts(db: &dyn Db, file: File) -> BTreeSet<Str> {
    set_in(db, file).into_iter().filter(|it| core::is_legacy(it)).collect()
}

#[cfg(test)]
mod tests {
    use super::{REMOVED, REMOVED_WORDS};

    /// A file without these words is not searched.
    #[test]
    fn every_use_has_one_of_the_words() {
        for text in [
            "FileTest.exists?(path)",
            "x.is_a?(Fixnum)",
            "x.kind_of? Bignum",
            "when Fixnum",
            "x.class == Bignum",
            "URI.escape(x)",
            "URI.unescape(x)",
            "path.taint",
            "'x'.taint ",
            "x.untaint if y",
            "[Fixnum, String].include?(x.class)",
            "Fixnum === x",
            "FileTest::exists?(path)",
            "URI::encode(x)",
            "URI.decode(x)",
            "File.read(path).untaint",
        ] {
            assert!(REMOVED.is_match(text) && REMOVED_WORDS.is_match(text), "{text}");
        }
    }
}
