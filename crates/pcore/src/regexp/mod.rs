//! Regular expressions in Ruby's syntax.
//!
//! A pattern is parsed as Ruby's engine (Onigmo) parses it, and written again for the `regex` crate, or for
//! `fancy-regex` where it needs to backtrack. What cannot be translated is an error that names the construct; no pattern
//! is taken and then silently matched in another way.

mod anchors;
mod ast;
mod class;
mod emit;
mod error;
mod escape;
mod fold;
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
use ast::Node;
use emit::{Texts, translate};

/// A regular expression. Cheap to clone; two are equal if their sources are.
#[derive(Clone)]
pub struct Regexp(Arc<Compiled>);

struct Compiled {
    source: Arc<str>,
    groups: usize,
    names: Vec<(String, usize)>,
    node: Node,
    /// The engine for texts of one line, which most are; made at once only if the pattern may be too large, since many are
    /// never matched.
    line: OnceLock<Option<Engine>>,
    /// For texts with newlines, for those that end in one, for those with joiners: whether `line` does not match them rightly.
    lines_matter: bool,
    newline_matters: bool,
    joiner_matters: bool,
    /// The engines for other texts, once there are such.
    lines: OnceLock<Option<Engine>>,
    exact: OnceLock<Option<Engine>>,
}

enum Engine {
    Linear(regex::Regex),
    Backtracking(fancy_regex::Regex),
}

/// Characters that only one of Onigmo and the engines takes for a part of words.
const UNLIKE_WORDS: [char; 8] =
    ['\u{200C}', '\u{200D}', '\u{B2}', '\u{B3}', '\u{B9}', '\u{BC}', '\u{BD}', '\u{BE}'];
/// Steps back that one match may take.
const BACKTRACK_LIMIT: usize = 1_000_000;
/// Bytes that a compiled pattern may take.
const SIZE_LIMIT: usize = 10 << 20;

/// Options that stand beside a pattern rather than in it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Options {
    /// `i`: letters match in either case.
    pub ignore_case: bool,
    /// `x`: white space and comments in the pattern mean nothing.
    pub extended: bool,
    /// `m`: a dot matches newlines, too.
    pub multi_line: bool,
}

impl Regexp {
    /// Compiles a pattern.
    ///
    /// # Errors
    /// If it is not a regular expression of Ruby's, or can't be matched here, or is too large.
    pub fn new(source: &str) -> Result<Regexp, RegexpError> {
        let source: Arc<str> = source.into();
        let compile = || {
            let pattern = parse::parse(&source)?;
            let line = translate(&pattern.node, Texts::Line)?;
            // Whether the others can be written is to be known now, not when some text needs them.
            translate(&pattern.node, Texts::All)?;
            let engine = OnceLock::new();
            if line.backtracks || pattern.node.size_bound() > SIZE_LIMIT {
                let made = Engine::new(&line);
                if made.is_none() {
                    return Err(error::Fault::unsupported(0, "a pattern that is too large"));
                }
                engine.get_or_init(|| made);
            }
            Ok(Compiled {
                source: source.clone(),
                groups: pattern.groups,
                names: pattern.names,
                node: pattern.node,
                line: engine,
                lines_matter: line.lines_matter,
                newline_matters: line.newline_matters,
                joiner_matters: line.joiner_matters,
                lines: OnceLock::new(),
                exact: OnceLock::new(),
            })
        };
        compile().map(|it| Regexp(Arc::new(it))).map_err(|fault: error::Fault| fault.in_source(&source))
    }

    /// Compiles a pattern as a dialect writes it (X30).
    ///
    /// # Errors
    /// As [`Regexp::new`].
    pub fn in_dialect(dialect: &Dialect, source: &str) -> Result<Regexp, RegexpError> {
        match dialect.text_anchors {
            TextAnchors::Kept => Regexp::new(source),
            TextAnchors::Removed => Regexp::new(&anchors::removed(source)),
        }
    }

    /// Compiles a pattern with options; they become part of the source, as a group `(?i-mx:…)`.
    ///
    /// # Errors
    /// As [`Regexp::new`].
    pub fn with_options(source: &str, options: Options) -> Result<Regexp, RegexpError> {
        let Options { ignore_case, extended, multi_line } = options;
        let flags = [(ignore_case, 'i'), (multi_line, 'm'), (extended, 'x')];
        let on: String = flags.iter().filter(|(set, _)| *set).map(|(_, flag)| flag).collect();
        let off: String = flags.iter().filter(|(set, _)| !*set).map(|(_, flag)| flag).collect();
        let end = if extended && source.contains('#') { "\n" } else { "" };
        match (&*on, &*off) {
            ("", _) => Regexp::new(source),
            // A comment at the end of the pattern ends with the line, and must not take the parenthesis with it.
            (_, "") => Regexp::new(&format!("(?{on}:{source}{end})")),
            _ => Regexp::new(&format!("(?{on}-{off}:{source}{end})")),
        }
    }

    /// The pattern as it was written, without slashes.
    pub fn source(&self) -> &str {
        &self.0.source
    }

    /// How many groups capture.
    pub fn group_count(&self) -> usize {
        self.0.groups
    }

    /// The names of groups with their numbers; a name may have several.
    pub fn group_names(&self) -> impl Iterator<Item = (&str, usize)> {
        self.0.names.iter().map(|(name, number)| (&**name, *number))
    }

    /// Whether a match may go back to try something else, which takes longer: known once there has been one.
    pub fn backtracks(&self) -> bool {
        matches!(self.0.line.get(), Some(Some(Engine::Backtracking(_))))
    }

    /// Whether it matches anywhere in a text.
    ///
    /// # Errors
    /// If that takes too many steps to find out.
    pub fn is_match(&self, text: &str) -> Result<bool, MatchError> {
        match self.engine(text)? {
            Engine::Linear(regex) => Ok(regex.is_match(text)),
            Engine::Backtracking(regex) => regex.is_match(text).map_err(|_| self.too_slow()),
        }
    }

    /// The first match in a text, with what the groups captured.
    ///
    /// # Errors
    /// If it takes too many steps to find.
    pub fn captures<'t>(&self, text: &'t str) -> Result<Option<Captures<'t>>, MatchError> {
        self.captures_from(text, 0)
    }

    /// The first match that starts at a byte position or later; what stands before it is still looked at.
    ///
    /// # Errors
    /// If it takes too many steps to find.
    pub fn captures_from<'t>(&self, text: &'t str, start: usize) -> Result<Option<Captures<'t>>, MatchError> {
        self.searcher(text)?.captures_from(start)
    }

    /// A search for matches in one text.
    ///
    /// # Errors
    /// If the pattern is too large for this kind of text.
    pub fn searcher<'r, 't>(&'r self, text: &'t str) -> Result<Searcher<'r, 't>, MatchError> {
        Ok(Searcher { regexp: self, engine: self.engine(text)?, text })
    }

    /// All matches from left to right, as Ruby's `scan` finds them: after an empty one the search goes on a character
    /// later, and an empty one may follow immediately upon another.
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
        let made = || translate(&compiled.node, texts).ok().and_then(|it| Engine::new(&it));
        engine.get_or_init(made).as_ref().ok_or_else(|| self.too_slow())
    }

    fn too_slow(&self) -> MatchError {
        MatchError { source: self.0.source.clone() }
    }
}

impl Engine {
    fn new(translation: &emit::Translation) -> Option<Engine> {
        if translation.backtracks {
            fancy_regex::RegexBuilder::new(&translation.pattern)
                .backtrack_limit(BACKTRACK_LIMIT)
                .delegate_size_limit(SIZE_LIMIT)
                .build()
                .ok()
                .map(Engine::Backtracking)
        } else {
            regex::RegexBuilder::new(&translation.pattern)
                .size_limit(SIZE_LIMIT)
                .build()
                .ok()
                .map(Engine::Linear)
        }
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

/// The pattern between slashes.
impl fmt::Display for Regexp {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "/{}/", self.0.source)
    }
}

/// One match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Captures<'t> {
    text: &'t str,
    groups: Groups,
}

/// Where groups are in a text, in bytes; the first is the whole match, and most patterns have no other.
pub type Groups = SmallVec<[Option<Range<usize>>; 1]>;

impl<'t> Captures<'t> {
    /// What a group captured; group 0 is the whole match.
    pub fn get(&self, group: usize) -> Option<&'t str> {
        self.groups.get(group)?.clone().map(|range| &self.text[range])
    }

    /// Where the whole match stands, in bytes.
    pub fn range(&self) -> Range<usize> {
        self.groups.first().cloned().flatten().unwrap_or(0..0)
    }

    /// What the whole match is, and each group after it.
    pub fn texts(&self) -> Vec<Option<&'t str>> {
        (0..self.groups.len()).map(|group| self.get(group)).collect()
    }

    /// Where the groups are.
    pub fn into_groups(self) -> Groups {
        self.groups
    }
}

/// A search for matches in one text: which engine is right for the text is found out once.
pub struct Searcher<'r, 't> {
    regexp: &'r Regexp,
    engine: &'r Engine,
    text: &'t str,
}

impl<'t> Searcher<'_, 't> {
    /// The text.
    pub fn text(&self) -> &'t str {
        self.text
    }

    /// The first match that starts at a byte position or later; what is before it is still looked at.
    ///
    /// # Errors
    /// If it takes too many steps to find.
    pub fn captures_from(&self, start: usize) -> Result<Option<Captures<'t>>, MatchError> {
        let text = self.text;
        if !text.is_char_boundary(start) {
            return Ok(None);
        }
        let groups: Option<Groups> = match self.engine {
            // Where nothing but the match itself is asked for, other engines are quicker.
            Engine::Linear(regex) if regex.captures_len() == 1 => {
                regex.find_at(text, start).map(|it| smallvec![Some(it.range())])
            }
            Engine::Linear(regex) => regex.captures_at(text, start).map(|it| {
                let mut groups = Groups::with_capacity(it.len());
                groups.extend(it.iter().map(|m| m.map(|m| m.range())));
                groups
            }),
            Engine::Backtracking(regex) => regex
                .captures_from_pos(text, start)
                .map_err(|_| self.regexp.too_slow())?
                .map(|it| it.iter().map(|m| m.map(|m| m.range())).collect()),
        };
        Ok(groups.map(|groups| Captures { text, groups }))
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
