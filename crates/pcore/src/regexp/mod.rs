//! Regular expressions in Ruby's syntax.
//!
//! A pattern is parsed like in Ruby's engine (Onigmo), and translated for the `regex` crate or, if it needs
//! backtracking, for `fancy-regex`. A construct that can't be translated is reported as an error; no pattern is
//! silently matched in a different way.

mod anchors;
mod ast;
mod class;
mod emit;
mod error;
mod escape;
mod fold;
mod kept;
mod parse;
mod replace;
mod split;
#[cfg(test)]
mod tests;

pub use error::{MatchError, RegexpError};
pub use replace::ReplaceError;

use std::fmt;
use std::hash::{Hash, Hasher};
use std::ops::Range;
use std::sync::{Arc, OnceLock};

use smallvec::{SmallVec, smallvec};

use crate::dialect::{Dialect, TextAnchors};
use crate::effort;
use ast::Node;
use emit::{Texts, translate};

/// A regular expression. Cheap to clone; two are equal if their sources are.
#[derive(Clone)]
pub struct Regexp(Arc<Compiled>);

struct Compiled {
    source: Arc<str>,
    groups: usize,
    /// Whether the engines find what the groups match; otherwise only whether the pattern matches is known.
    finds_groups: bool,
    names: Vec<(String, usize)>,
    node: Node,
    /// The number in Ruby of each group of the engines, if their order differs.
    order: Option<Box<[usize]>>,
    /// The engine for texts of one line, which are the most common; only compiled eagerly if the pattern may be too
    /// large, since many are never matched.
    line: OnceLock<Option<Engine>>,
    /// Whether `line` is incorrect for texts with newlines, for those that end in one, and for those with joiners.
    lines_matter: bool,
    newline_matters: bool,
    joiner_matters: bool,
    /// The engines for other texts, compiled on demand.
    lines: OnceLock<Option<Engine>>,
    exact: OnceLock<Option<Engine>>,
}

enum Engine {
    Linear(regex::Regex),
    Backtracking(Box<Backtracking>),
}

/// The same pattern with two limits; that for long texts is compiled on demand.
struct Backtracking {
    pattern: String,
    for_short: fancy_regex::Regex,
    for_long: OnceLock<Option<fancy_regex::Regex>>,
}

/// Characters that Onigmo and the engines classify differently as parts of words.
const UNLIKE_WORDS: [char; 8] =
    ['\u{200C}', '\u{200D}', '\u{B2}', '\u{B3}', '\u{B9}', '\u{BC}', '\u{BD}', '\u{BE}'];
/// The maximum number of backtracking steps of one match, in texts of less than so many bytes and in others: a search takes
/// some at each character.
const SHORT_TEXT: usize = 2_000;
const SHORT_BACKTRACK_LIMIT: usize = 50_000;
const BACKTRACK_LIMIT: usize = 1_000_000;
/// The maximum size of a compiled pattern in bytes.
const SIZE_LIMIT: usize = 10 << 20;

/// The maximum size bound of a pattern for the backtracking engine, whose parts are compiled one by one.
const BACKTRACKING_SIZE_LIMIT: usize = 32 * SIZE_LIMIT;

/// The size up to which compilation takes about a millisecond, and the bytes beyond it that count as one
/// [step](effort).
const CHEAP: usize = 512 << 10;
const BYTES_FOR_EACH_STEP: usize = 4;

/// Returns the maximum number of backtracking steps of one match in a text of so many bytes.
pub fn backtrack_limit(length: usize) -> usize {
    if length < SHORT_TEXT { SHORT_BACKTRACK_LIMIT } else { BACKTRACK_LIMIT }
}

/// Options given next to a pattern, rather than in it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Options {
    /// `i`: matching ignores case.
    pub ignore_case: bool,
    /// `x`: white space and comments in the pattern are ignored.
    pub extended: bool,
    /// `m`: a dot also matches newlines.
    pub multi_line: bool,
}

impl Regexp {
    /// Compiles a pattern.
    ///
    /// # Errors
    /// If it isn't a regular expression of Ruby's, if it isn't supported, or if it is too large.
    pub fn new(source: &str) -> Result<Regexp, RegexpError> {
        if let Some(known) = kept::find(source) {
            return Ok(known);
        }
        let source: Arc<str> = source.into();
        let compile = || {
            let Readable { pattern, line, finds_groups } = Readable::new(&source)?;
            let engine = OnceLock::new();
            let size = pattern.node.size_bound();
            if line.backtracks || size > SIZE_LIMIT {
                let too_large = || error::Fault::unsupported(0, "a pattern that is too large");
                if line.backtracks && size > BACKTRACKING_SIZE_LIMIT {
                    return Err(too_large());
                }
                if !effort::spend(compilation(size, line.backtracks)) {
                    return Err(error::Fault::unsupported(0, "another pattern that is so large"));
                }
                let made = Engine::new(&line).ok_or_else(too_large)?;
                engine.get_or_init(|| Some(made));
            }
            Ok(Compiled {
                source: source.clone(),
                groups: pattern.groups,
                finds_groups,
                names: pattern.names,
                node: pattern.node,
                line: engine,
                order: (!line.groups.is_sorted()).then(|| line.groups.into()),
                lines_matter: line.lines_matter,
                newline_matters: line.newline_matters,
                joiner_matters: line.joiner_matters,
                lines: OnceLock::new(),
                exact: OnceLock::new(),
            })
        };
        let compiled = compile().map_err(|fault: error::Fault| fault.in_source(&source))?;
        let regexp = Regexp(Arc::new(compiled));
        kept::keep(&regexp);
        Ok(regexp)
    }

    /// Checks a pattern without compiling it, which takes a fraction of the time.
    ///
    /// # Errors
    /// Those of [`Regexp::new`], except for patterns that are too large.
    pub fn validate(source: &str) -> Result<(), RegexpError> {
        Readable::new(source).map(|_| ()).map_err(|fault| fault.in_source(&source.into()))
    }

    /// Compiles a pattern in the syntax of a dialect (X30).
    ///
    /// # Errors
    /// Those of [`Regexp::new`].
    pub fn in_dialect(dialect: &Dialect, source: &str) -> Result<Regexp, RegexpError> {
        match dialect.text_anchors {
            TextAnchors::Kept => Regexp::new(source),
            TextAnchors::Removed => Regexp::new(&anchors::removed(source)),
        }
    }

    /// Compiles a pattern with options; they become part of the source, as a group `(?i-mx:…)`.
    ///
    /// # Errors
    /// Those of [`Regexp::new`].
    pub fn with_options(source: &str, options: Options) -> Result<Regexp, RegexpError> {
        let Options { ignore_case, extended, multi_line } = options;
        let flags = [(ignore_case, 'i'), (multi_line, 'm'), (extended, 'x')];
        let on: String = flags.iter().filter(|(set, _)| *set).map(|(_, flag)| flag).collect();
        let off: String = flags.iter().filter(|(set, _)| !*set).map(|(_, flag)| flag).collect();
        let end = if extended && source.contains('#') { "\n" } else { "" };
        match (&*on, &*off) {
            ("", _) => Regexp::new(source),
            // A comment at the end of the pattern ends with the line, and must not include the parenthesis.
            (_, "") => Regexp::new(&format!("(?{on}:{source}{end})")),
            _ => Regexp::new(&format!("(?{on}-{off}:{source}{end})")),
        }
    }

    /// Returns the pattern as written, without slashes.
    pub fn source(&self) -> &str {
        &self.0.source
    }

    /// Returns the number of capture groups.
    pub fn group_count(&self) -> usize {
        self.0.groups
    }

    /// Returns the names of groups with their numbers; a name may have several.
    pub fn group_names(&self) -> impl Iterator<Item = (&str, usize)> {
        self.0.names.iter().map(|(name, number)| (&**name, *number))
    }

    /// Whether matching may backtrack, which takes longer: known only after the first match.
    pub fn backtracks(&self) -> bool {
        matches!(self.0.line.get(), Some(Some(Engine::Backtracking(_))))
    }

    /// Whether it matches anywhere in a text.
    ///
    /// # Errors
    /// If that takes too many steps.
    pub fn is_match(&self, text: &str) -> Result<bool, MatchError> {
        match self.engine(text)? {
            Engine::Linear(regex) => Ok(regex.is_match(text)),
            Engine::Backtracking(regex) => self.backtracked(regex, text, |it| it.is_match(text).ok()),
        }
    }

    /// Returns the first match in a text, with its groups.
    ///
    /// # Errors
    /// If that takes too many steps.
    pub fn captures<'t>(&self, text: &'t str) -> Result<Option<Captures<'t>>, MatchError> {
        self.captures_from(text, 0)
    }

    /// Returns the first match that starts at or after a byte position; look-behind still sees the text before it.
    ///
    /// # Errors
    /// If that takes too many steps.
    pub fn captures_from<'t>(&self, text: &'t str, start: usize) -> Result<Option<Captures<'t>>, MatchError> {
        self.searcher(text)?.captures_from(start)
    }

    /// Starts a search for matches in one text.
    ///
    /// # Errors
    /// If the pattern is too large for this kind of text, or has groups whose matches the engines don't find.
    pub fn searcher<'r, 't>(&'r self, text: &'t str) -> Result<Searcher<'r, 't>, MatchError> {
        if !self.0.finds_groups {
            return Err(MatchError { source: self.0.source.clone(), lacks_groups: true });
        }
        Ok(Searcher { regexp: self, engine: self.engine(text)?, text })
    }

    /// Returns all matches from left to right, like Ruby's `scan`: after an empty match, the search continues one
    /// character later, and an empty match may directly follow another match.
    pub fn find_iter<'r, 't>(&'r self, text: &'t str) -> Matches<'r, 't> {
        Matches { searcher: self.searcher(text), next: Some(0) }
    }

    fn engine(&self, text: &str) -> Result<&Engine, MatchError> {
        let compiled = &*self.0;
        let exact = compiled.newline_matters && text.ends_with('\n')
            || compiled.joiner_matters && text.contains(UNLIKE_WORDS);
        let (engine, texts) = match exact {
            true => (&compiled.exact, Texts::All),
            false if compiled.lines_matter && text.contains('\n') => (&compiled.lines, Texts::Lines),
            false => (&compiled.line, Texts::Line),
        };
        if engine.get().is_none() {
            let made = translate(&compiled.node, texts).ok();
            let steps = made.as_ref().map(|it| compilation(compiled.node.size_bound(), it.backtracks));
            // Without steps, it isn't kept that there is no engine: another caller has others.
            if steps.is_some_and(|it| !effort::spend(it)) {
                return Err(self.too_slow());
            }
            engine.get_or_init(|| made.and_then(|it| Engine::new(&it)));
        }
        engine.get().and_then(Option::as_ref).ok_or_else(|| self.too_slow())
    }

    /// Sorts the groups of a match as Ruby numbers them.
    fn in_order(&self, groups: Groups) -> Groups {
        let Some(order) = &self.0.order else { return groups };
        let mut numbered: Vec<_> = order.iter().zip(groups).collect();
        numbered.sort_by_key(|(number, _)| **number);
        numbered.into_iter().map(|(_, range)| range).collect()
    }

    /// Runs a match that may backtrack, unless too many others have backtracked up to their limit.
    fn backtracked<T>(
        &self,
        engines: &Backtracking,
        text: &str,
        run: impl FnOnce(&fancy_regex::Regex) -> Option<T>,
    ) -> Result<T, MatchError> {
        if effort::is_exhausted() {
            return Err(self.too_slow());
        }
        let engine = if text.len() < SHORT_TEXT { Some(&engines.for_short) } else { engines.for_long() };
        engine.and_then(run).ok_or_else(|| {
            effort::spend(backtrack_limit(text.len()) as u64);
            self.too_slow()
        })
    }

    fn too_slow(&self) -> MatchError {
        MatchError { source: self.0.source.clone(), lacks_groups: false }
    }
}

impl Engine {
    fn new(translation: &emit::Translation) -> Option<Engine> {
        if translation.backtracks {
            let pattern = translation.pattern.clone();
            let for_short = backtracking(&pattern, SHORT_BACKTRACK_LIMIT)?;
            let engines = Backtracking { pattern, for_short, for_long: OnceLock::new() };
            Some(Engine::Backtracking(Box::new(engines)))
        } else {
            regex::RegexBuilder::new(&translation.pattern)
                .size_limit(SIZE_LIMIT)
                .build()
                .ok()
                .map(Engine::Linear)
        }
    }
}

impl Backtracking {
    fn for_long(&self) -> Option<&fancy_regex::Regex> {
        self.for_long.get_or_init(|| backtracking(&self.pattern, BACKTRACK_LIMIT)).as_ref()
    }
}

fn backtracking(pattern: &str, limit: usize) -> Option<fancy_regex::Regex> {
    fancy_regex::RegexBuilder::new(pattern)
        .backtrack_limit(limit)
        .delegate_size_limit(SIZE_LIMIT)
        .build()
        .ok()
}

/// The steps for compiling a pattern of this size bound.
fn compilation(size: usize, backtracks: bool) -> u64 {
    // The linear engine gives up at its limit.
    let made = if backtracks { size } else { size.min(SIZE_LIMIT) };
    (made.saturating_sub(CHEAP) / BYTES_FOR_EACH_STEP) as u64
}

/// A pattern that can be translated.
struct Readable {
    pattern: parse::Pattern,
    line: emit::Translation,
    finds_groups: bool,
}

impl Readable {
    fn new(source: &str) -> Result<Readable, error::Fault> {
        let mut pattern = parse::parse(source)?;
        let mut finds_groups = true;
        let line = match translate(&pattern.node, Texts::Line) {
            Err(fault) if fault.is_about_groups => {
                finds_groups = false;
                pattern.node = pattern.node.without_captures().ok_or(fault)?;
                translate(&pattern.node, Texts::Line)?
            }
            translated => translated?,
        };
        // Errors of the other translations are reported now, rather than when a text needs them.
        translate(&pattern.node, Texts::All)?;
        Ok(Readable { pattern, line, finds_groups })
    }
}

impl PartialEq for Regexp {
    fn eq(&self, other: &Regexp) -> bool {
        self.0.source == other.0.source
    }
}

impl Eq for Regexp {}

impl Hash for Regexp {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.source.hash(state);
    }
}

impl fmt::Debug for Regexp {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{self}")
    }
}

/// Formats the pattern between slashes.
impl fmt::Display for Regexp {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "/{}/", self.0.source)
    }
}

/// The groups of one match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Captures<'t> {
    text: &'t str,
    groups: Groups,
}

/// The byte ranges of groups in a text; the first is the whole match, and most patterns have no other.
pub type Groups = SmallVec<[Option<Range<usize>>; 1]>;

impl<'t> Captures<'t> {
    /// Returns the text of a group; group 0 is the whole match.
    pub fn get(&self, group: usize) -> Option<&'t str> {
        self.groups.get(group)?.clone().map(|range| &self.text[range])
    }

    /// Returns the byte range of the whole match.
    pub fn range(&self) -> Range<usize> {
        self.groups.first().cloned().flatten().unwrap_or(0..0)
    }

    /// Returns the texts of the whole match and of each group.
    pub fn texts(&self) -> Vec<Option<&'t str>> {
        (0..self.groups.len()).map(|group| self.get(group)).collect()
    }

    /// Returns the ranges of the groups.
    pub fn into_groups(self) -> Groups {
        self.groups
    }
}

/// A search for matches in one text: the suitable engine is selected once.
pub struct Searcher<'r, 't> {
    regexp: &'r Regexp,
    engine: &'r Engine,
    text: &'t str,
}

impl<'t> Searcher<'_, 't> {
    /// Returns the text that is searched.
    pub fn text(&self) -> &'t str {
        self.text
    }

    /// Returns the first match that starts at or after a byte position; look-behind still sees the text before it.
    ///
    /// # Errors
    /// If that takes too many steps.
    pub fn captures_from(&self, start: usize) -> Result<Option<Captures<'t>>, MatchError> {
        let text = self.text;
        if !text.is_char_boundary(start) {
            return Ok(None);
        }
        let groups: Option<Groups> = match self.engine {
            // If only the whole match is needed, other engines are faster.
            Engine::Linear(regex) if regex.captures_len() == 1 => {
                regex.find_at(text, start).map(|it| smallvec![Some(it.range())])
            }
            Engine::Linear(regex) => regex.captures_at(text, start).map(|it| {
                let mut groups = Groups::with_capacity(it.len());
                groups.extend(it.iter().map(|m| m.map(|m| m.range())));
                groups
            }),
            Engine::Backtracking(regex) => self
                .regexp
                .backtracked(regex, text, |it| it.captures_from_pos(text, start).ok())?
                .map(|it| it.iter().map(|m| m.map(|m| m.range())).collect()),
        };
        Ok(groups.map(|groups| Captures { text, groups: self.regexp.in_order(groups) }))
    }
}

/// See [`Regexp::find_iter`].
pub struct Matches<'r, 't> {
    searcher: Result<Searcher<'r, 't>, MatchError>,
    next: Option<usize>,
}

impl<'t> Iterator for Matches<'_, 't> {
    type Item = Result<Captures<'t>, MatchError>;

    fn next(&mut self) -> Option<Self::Item> {
        let start = self.next.take()?;
        let searcher = match &self.searcher {
            Ok(searcher) => searcher,
            Err(error) => return Some(Err(error.clone())),
        };
        match searcher.captures_from(start) {
            Err(error) => Some(Err(error)),
            Ok(None) => None,
            Ok(Some(captures)) => {
                let Range { start, end } = captures.range();
                self.next = if start < end {
                    Some(end)
                } else {
                    searcher.text[end..].chars().next().map(|c| end + c.len_utf8())
                };
                Some(Ok(captures))
            }
        }
    }
}
