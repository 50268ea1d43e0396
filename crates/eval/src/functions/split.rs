//! `split`: splits a string (E26).

use marotte_pcore::regexp::{Regexp, RegexpError};
use marotte_pcore::types::TypeKind;
use marotte_pcore::value::{Sensitive, Value};

use super::{Body, Builtin, Call, Overload, ResultType};
use crate::interpreter::Evaluated;

/// `split`.
pub(super) static FUNCTION: Builtin = Builtin {
    name: "split",
    doc: "The parts of a string between the matches of a regular expression: `split('a.b.c', /\\./)` is `['a', 'b', 'c']`.\n\n\
          A pattern that is a string is a regular expression, too: `.` and `|` are special characters in it. The texts of the \
          pattern's groups are included in the parts; empty parts at the end are removed. A pattern that matches the empty string \
          splits between all characters. If the string is `Sensitive`, the result is one array of parts that is `Sensitive`, too.",
    result: ResultType::ForString("Array[String]", "Variant[Array[String], Sensitive[Array[String]]]"),
    overloads: &[
        plain("String $str, String $pattern"),
        plain("String $str, Regexp $pattern"),
        plain("String $str, Type[Regexp] $pattern"),
        sensitive("Sensitive[String] $sensitive, String $pattern"),
        sensitive("Sensitive[String] $sensitive, Regexp $pattern"),
        sensitive("Sensitive[String] $sensitive, Type[Regexp] $pattern"),
    ],
    ..Builtin::base()
};

const fn plain(parameters: &'static str) -> Overload {
    let body = Body::Run(|call| {
        let text = call.take(0);
        call.split(&text)
    });
    Overload { parameters, block: None, returns: None, body }
}

const fn sensitive(parameters: &'static str) -> Overload {
    let body = Body::Run(|call| match call.take(0) {
        Value::Sensitive(text) => Ok(Value::Sensitive(Sensitive::new(call.split(text.unwrap())?))),
        other => Ok(other),
    });
    Overload { parameters, block: None, returns: None, body }
}

impl Call<'_, '_, '_> {
    /// Splits a string by the pattern, which is the second argument.
    fn split(&mut self, text: &Value) -> Evaluated {
        /// The cost in walks over the text: a string may have as many pieces as characters.
        const SPLITTING: u64 = 16;
        self.interpreter.spend_walk(text, SPLITTING)?;
        let regexp = match self.pattern() {
            Ok(regexp) => regexp,
            Err(error) => return self.fail(error.to_string()),
        };
        match regexp.split(text.as_str().unwrap_or_default(), 0) {
            Ok(pieces) => Ok(Value::Array(pieces.into_iter().map(Value::from).collect())),
            Err(error) => self.fail(error.to_string()),
        }
    }

    /// The pattern in the second argument: a string, a regular expression, or its type. The type of all regular
    /// expressions counts as the empty pattern.
    pub(super) fn pattern(&mut self) -> Result<Regexp, RegexpError> {
        let pattern = self.argument(1).clone();
        let given = match &pattern {
            Value::Regexp(regexp) => Some(regexp),
            Value::Type(it) => match it.resolved().kind() {
                TypeKind::Regexp(regexp) => regexp.as_ref(),
                _ => None,
            },
            _ => None,
        };
        match given {
            Some(regexp) => Ok(regexp.clone()),
            None => self.interpreter.compiled(pattern.as_str().unwrap_or_default()),
        }
    }
}
