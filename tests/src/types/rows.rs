//! Pages of rows, and the questions in them.

use marotte_pcore::infer::{common, generalize, normalize};
use marotte_pcore::print::{expanded, literal_in, short_in};
use marotte_pcore::relation::{accepts_arguments, assignable, element_type, instance_of, is_iterable};
use marotte_pcore::value::Value;

use super::{Evaluator, Failure, Session, mismatch, operators};

const ARROW: &str = " → ";

/// A Markdown page with blocks of rows.
pub struct Page<'t> {
    text: &'t str,
}

/// A question, with the answer of the reference.
#[derive(Clone, Copy, Debug)]
pub struct Row<'t> {
    /// The line number, from 1.
    pub line: usize,
    /// The text before the arrow.
    pub question: &'t str,
    /// The text after the arrow; `None` if nothing is recorded.
    pub answer: Option<&'t str>,
}

impl<'t> Page<'t> {
    /// Creates a page of this text.
    pub fn new(text: &'t str) -> Page<'t> {
        Page { text }
    }

    /// Returns the lines that define aliases.
    pub fn aliases(&self) -> impl Iterator<Item = &'t str> {
        self.text.lines().filter(|line| line.starts_with("type "))
    }

    /// Returns the rows in order.
    pub fn rows(&self) -> impl Iterator<Item = Row<'t>> {
        let mut in_rows = false;
        self.text.lines().enumerate().filter_map(move |(index, line)| {
            if line.starts_with("```") {
                in_rows = line == "```rows";
                return None;
            }
            let is_row = in_rows && !line.is_empty() && !line.starts_with("type ") && !line.starts_with('#');
            let (question, answer) = match line.rsplit_once(ARROW) {
                Some((question, answer)) => (question, Some(answer)),
                None => (line, None),
            };
            is_row.then_some(Row { line: index + 1, question, answer })
        })
    }
}

impl Row<'_> {
    /// Returns marotte's answer.
    pub fn ask(&self, evaluator: &Evaluator) -> String {
        self.answer(evaluator).unwrap_or_else(|failure| format!("✗ {failure}").replace('\n', "⏎"))
    }

    fn answer(&self, it: &Evaluator) -> Result<String, Failure> {
        match operators::strictness(self.question) {
            Some((strict, source)) => {
                it.clone().with_strictness(strict).session(|it| operators::with_warnings(it, source))
            }
            None => it.session(|it| self.answer_in(it)),
        }
    }

    fn answer_in(&self, it: &Session<'_>) -> Result<String, Failure> {
        let question = self.question;
        if let Some(answer) = mismatch::answer(question, it).or_else(|| operators::answer(question, it)) {
            return answer;
        }
        if let Some((a, b)) = question.split_once(" ∪ ") {
            let shared = common(it.dialect, &it.evaluate_type(a)?, &it.evaluate_type(b)?);
            return Ok(short_in(it.dialect, &shared));
        }
        if let Some((a, b)) = question.split_once(" ⊇ ") {
            return Ok(assignable(it.dialect, &it.evaluate_type(a)?, &it.evaluate_type(b)?).to_string());
        }
        if let Some((value, a)) = question.split_once(" ∈ ") {
            return Ok(instance_of(it.dialect, &it.evaluate_type(a)?, &it.evaluate(value)?).to_string());
        }
        if let Some((callable, arguments)) = question.split_once(" calls ") {
            let (callable, arguments) = (it.evaluate_type(callable)?, it.evaluate_type(arguments)?);
            return Ok(accepts_arguments(it.dialect, &callable, &arguments).to_string());
        }
        if let Some(a) = question.strip_prefix("generalize ") {
            return Ok(generalize(&it.evaluate_type(a)?).to_string());
        }
        if let Some(a) = question.strip_prefix("normalize ") {
            return Ok(normalize(&it.evaluate_type(a)?).to_string());
        }
        if let Some(a) = question.strip_prefix("expand ") {
            return Ok(expanded(&it.evaluate_type(a)?));
        }
        if let Some(a) = question.strip_prefix("iterate ") {
            let a = it.evaluate_type(a)?;
            return Ok(match element_type(it.dialect, &a) {
                Some(element) => element.to_string(),
                None if is_iterable(it.dialect, &a) => "anything".to_owned(),
                None => "no".to_owned(),
            });
        }
        match it.evaluate(question)? {
            Value::Type(value) => Ok(short_in(it.dialect, &value)),
            value => Ok(literal_in(it.dialect, &value)),
        }
    }
}
