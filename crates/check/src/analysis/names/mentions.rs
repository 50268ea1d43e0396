//! The words and titles in an environment's code and data, without references to resources. Code that computes a title takes it,
//! or its parts, from these.

use std::collections::BTreeSet;

use camino::Utf8PathBuf;
use foldhash::HashSet;
use marotte_db::{Db, Environment, File, files_below, source_text};
use marotte_hiera::Layer;
use marotte_hir::body::{Body, Expr, Segment};
use marotte_hir::{ExprId, items};
use marotte_resolve::data_files::data_files;
use marotte_resolve::manifests::manifests;
use marotte_text::Str;

use crate::analysis::resources::declarable::{loose, template_may_declare};
use crate::analysis::titles::pattern::TitlePattern;
use crate::analysis::titles::patterns::TitlePatterns;
use crate::incremental::dependencies::word;

/// The words and titles that occur in a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Mentions {
    /// The hashes of the words.
    pub(crate) words: BTreeSet<u64>,
    /// The lines of the strings, as far as titles distinguish resources.
    pub(crate) lines: BTreeSet<Str>,
    /// The partly computed strings whose literal parts are long enough to recognize the strings.
    pub(crate) patterns: TitlePatterns,
}

impl Mentions {
    /// Returns the words, titles and patterns that only one of the two contains.
    pub(crate) fn other(&self, other: &Mentions) -> Mentions {
        Mentions {
            words: self.words.symmetric_difference(&other.words).copied().collect(),
            lines: self.lines.symmetric_difference(&other.lines).cloned().collect(),
            patterns: self.patterns.other(&other.patterns),
        }
    }

    /// Whether it contains a word, given by its [hash](word).
    pub fn has_word(&self, word: u64) -> bool {
        self.words.contains(&word)
    }

    /// Whether it contains a title, as far as titles distinguish resources, or a computed string that may be the title.
    pub fn may_have(&self, title: &str) -> bool {
        self.lines.iter().any(|it| it.contains(title)) || self.patterns.may_be(title, |_| true)
    }

    fn add(&mut self, text: &str) {
        /// The length in bytes beyond which a line isn't a title.
        const LONGEST: usize = 400;
        self.words.extend(words(text).map(|it| word(&it)));
        let lines = text.lines().filter(|it| it.len() <= LONGEST).map(loose).filter(|it| !it.is_empty());
        self.lines.extend(lines);
    }

    fn extend(&mut self, other: &Mentions) {
        self.words.extend(&other.words);
        self.lines.extend(other.lines.iter().cloned());
        self.patterns.extend(other.patterns.iter().cloned());
    }
}

/// The words of a text, in lower case: letters and digits, at least one letter among them. Shorter words occur by chance.
pub(crate) fn words(text: &str) -> impl Iterator<Item = String> {
    const SHORTEST: usize = 4;
    let parts = text.split(|it: char| !it.is_alphanumeric());
    let is_word = |it: &&str| it.len() >= SHORTEST && it.contains(char::is_alphabetic);
    parts.filter(is_word).map(str::to_lowercase)
}

/// Returns the words and titles in the strings of a manifest, without references to resources.
#[salsa::tracked(returns(ref))]
pub(crate) fn mentions_in_code(db: &dyn Db, file: File) -> Mentions {
    let mut found = Mentions::default();
    for item in items(db, file) {
        found.add(item.name(db));
        let body = item.body(db);
        let references = in_references(body);
        for (id, expr) in body.exprs().filter(|(id, _)| !references.contains(id)) {
            match expr {
                Expr::String(text) => found.add(text),
                Expr::Interpolated(segments) => {
                    for segment in segments {
                        if let Segment::Text(text) = segment {
                            found.words.extend(words(text).map(|it| word(&it)));
                        }
                    }
                    let pattern = TitlePattern::of(body, id).map(loose);
                    match pattern.text() {
                        Some(text) => found.add(text),
                        None if pattern.is_telling() => found.patterns.insert(pattern),
                        None => {}
                    }
                }
                _ => {}
            }
        }
    }
    found
}

/// The strings by which references name resources.
fn in_references(body: &Body) -> HashSet<ExprId> {
    let mut open: Vec<ExprId> = Vec::new();
    for (_, expr) in body.exprs() {
        match expr {
            Expr::Access { target, keys } if matches!(body.expr(*target), Expr::Reference(_)) => {
                open.extend(keys);
            }
            _ => {}
        }
    }
    let mut found = HashSet::default();
    while let Some(id) = open.pop() {
        if let Expr::Array(elements) = body.expr(id) {
            open.extend(elements);
        }
        found.insert(id);
    }
    found
}

/// Returns the words and titles in a file that isn't a manifest.
#[salsa::tracked(returns(ref))]
pub(crate) fn mentions_in_text(db: &dyn Db, file: File) -> Mentions {
    let mut found = Mentions::default();
    found.add(source_text(db, file).text());
    found
}

/// The words and titles of a template in ERB; none if it cannot declare resources.
#[salsa::tracked(returns(ref))]
fn mentions_in_template(db: &dyn Db, template: File) -> Mentions {
    match template_may_declare(db, template) {
        true => mentions_in_text(db, template).clone(),
        false => Mentions::default(),
    }
}

/// The words and titles that occur in the manifests and the data of an environment, and in the Ruby code of its modules.
#[salsa::tracked(returns(ref))]
fn all_mentions(db: &dyn Db, environment: Environment) -> Mentions {
    let mut all = Mentions::default();
    let file = |path: &Utf8PathBuf| db.files().file(db, path);
    let mut layers = vec![Layer::Environment];
    for (module, folder) in environment.modules(db).iter() {
        for part in ["manifests", "functions"] {
            let paths = files_below(db, &folder.join(part), "pp");
            paths.iter().for_each(|it| all.extend(mentions_in_code(db, file(it))));
        }
        files_below(db, &folder.join("lib"), "rb")
            .iter()
            .for_each(|it| all.extend(mentions_in_text(db, file(it))));
        for path in files_below(db, &folder.join("templates"), "erb") {
            all.extend(mentions_in_template(db, file(&path)));
        }
        layers.push(Layer::Module(module.clone()));
    }
    for manifest in manifests(db, environment) {
        all.extend(mentions_in_code(db, manifest));
    }
    for layer in layers {
        for (file, _) in &data_files(db, environment, layer).files {
            all.extend(mentions_in_text(db, *file));
        }
    }
    all
}

/// Whether code or data say a title outside of references, where another one, which it comes close to, may be said, too.
pub(crate) fn is_mentioned(
    db: &dyn Db,
    environment: Environment,
    from: File,
    title: &str,
    near: &str,
) -> bool {
    let (name, near) = (loose(title), loose(near));
    let says = |line: &Str| {
        let is_longer = || name.len() > near.len() || !line.starts_with(near.as_str());
        line.ends_with(name.as_str()) || line.starts_with(name.as_str()) && is_longer()
    };
    [all_mentions(db, environment), mentions_in_code(db, from)].iter().any(|it| it.lines.iter().any(says))
}

/// Whether nothing can compute a title, because the environment doesn't contain it or its parts. If titles of the type may be
/// composed of arbitrary parts, at least one word of the title must not occur anywhere.
#[salsa::tracked(returns(copy))]
pub(crate) fn is_unmentioned(
    db: &dyn Db,
    environment: Environment,
    from: File,
    title: Str,
    may_be_composed: bool,
) -> bool {
    const SHORTEST: usize = 4;
    // A program outside of the modules says words of its own.
    let all = [all_mentions(db, environment), mentions_in_code(db, from)];
    let name = loose(&title);
    let is_unmentioned_word = |word: u64| !all.iter().any(|it| it.has_word(word));
    words(&title).any(|it| is_unmentioned_word(word(&it)))
        || !may_be_composed && name.len() >= SHORTEST && !all.iter().any(|it| it.may_have(&name))
}
