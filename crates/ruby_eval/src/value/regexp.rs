use std::cell::OnceCell;
use std::rc::Rc;

use marotte_pcore::regexp::{Options, Regexp};

use super::{StringObject, Value};
use crate::builtins::regexp_cost::SearchCost;

/// A `Regexp`.
#[derive(Debug)]
pub struct RegexpObject {
    regexp: Regexp,
    source: String,
    options: Options,
    has_no_encoding: bool,
    search_cost: OnceCell<SearchCost>,
}

impl RegexpObject {
    /// A regular expression from its source as written between slashes, and its options.
    pub fn new(regexp: Regexp, source: String, options: Options) -> RegexpObject {
        RegexpObject { regexp, source, options, has_no_encoding: false, search_cost: OnceCell::new() }
    }

    /// The same with the option `n`. Its pattern is ASCII, so that it matches the same texts.
    pub fn without_encoding(self) -> RegexpObject {
        RegexpObject { has_no_encoding: true, ..self }
    }

    /// Whether it has the option `n`.
    pub fn has_no_encoding(&self) -> bool {
        self.has_no_encoding
    }

    /// The compiled expression.
    pub fn regexp(&self) -> &Regexp {
        &self.regexp
    }

    /// The source as written, without options.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// The cost of searches for it.
    pub(crate) fn search_cost(&self) -> SearchCost {
        *self.search_cost.get_or_init(|| SearchCost::of(self.regexp.source()))
    }

    /// The options.
    pub fn options(&self) -> Options {
        self.options
    }
}

/// A `MatchData`: the text that was matched, and the ranges of the groups in bytes.
#[derive(Debug)]
pub struct MatchData {
    /// The expression.
    pub regexp: Rc<RegexpObject>,
    /// A frozen copy of the text.
    pub text: Rc<StringObject>,
    /// The range of each group in bytes, group 0 first; None for groups that took no part.
    pub groups: Vec<Option<std::ops::Range<usize>>>,
}

impl MatchData {
    /// The text of a group as a new string, `nil` if it took no part or does not exist.
    pub fn group(&self, index: usize) -> Value {
        let Some(Some(range)) = self.groups.get(index) else { return Value::Nil };
        let bytes = self.text.bytes().get(range.clone()).unwrap_or_default().to_vec();
        Value::String(Rc::new(StringObject::new(bytes, self.text.encoding())))
    }

    /// The index of a named group: of the last one of that name that took part.
    pub fn named(&self, name: &str) -> Option<usize> {
        let all = self.regexp.regexp().group_names().filter(|(it, _)| *it == name);
        let indexes: Vec<usize> = all.map(|(_, index)| index).collect();
        let took_part = |index: &&usize| self.groups.get(**index).is_some_and(Option::is_some);
        indexes.iter().rfind(took_part).or(indexes.last()).copied()
    }
}
