//! `regsubst`: replaces the matches of a regular expression (E26).

use marotte_diagnostics::issues;

use marotte_pcore::regexp::{Options, Regexp};
use marotte_pcore::value::{Sensitive, Value};

use super::{Body, Builtin, Call, Overload, ResultType};
use crate::interpreter::Evaluated;

/// `regsubst`.
pub(super) static FUNCTION: Builtin = Builtin {
    name: "regsubst",
    doc: "Replaces the matches of a regular expression: `regsubst('a.b.c', '\\.', '/', 'G')` is `'a/b/c'`.\n\n\
          The first match is replaced, or, with the flag `G`, all matches. The other flags are for patterns that are strings: \
          `I` ignores case, `E` ignores blanks and comments in the pattern, `M` lets a dot match line ends. In the \
          replacement, `\\0` is the match, `\\1` to `\\9` and `\\k<name>` are groups; or it is a hash from matches to their \
          replacements, and matches that it does not have are removed.\n\n\
          Strings in an array are replaced one by one. The result of a `Sensitive` string is `Sensitive`; that of a `Sensitive` \
          array is an array that is not.",
    result: ResultType::ForString("String", "Variant[String, Sensitive[String], Array]"),
    overloads: &[
        Overload {
            parameters: "Variant[Array[Variant[String,Sensitive[String]]],Sensitive[Array[Variant[String,Sensitive[String]]]],Variant[String,\
                         Sensitive[String]]] $target, String $pattern, Variant[String,Hash[String,String]] $replacement, \
                         Optional[Pattern[/^[GEIM]*$/]] $flags = undef, Enum['N','E','S','U'] $encoding = undef",
            block: None,
            returns: None,
            body: Body::Run(by_source),
        },
        Overload {
            parameters: "Variant[Array[Variant[String,Sensitive[String]]],Sensitive[Array[Variant[String,Sensitive[String]]]],Variant[String,\
                         Sensitive[String]]] $target, Variant[Regexp,Type[Regexp]] $pattern, Variant[String,Hash[String,String]] \
                         $replacement, Pattern[/^G?$/] $flags = undef",
            block: None,
            returns: None,
            body: Body::Run(by_regexp),
        },
    ],
    ..Builtin::base()
};

/// The replacement that is applied to each string.
struct Substitution {
    regexp: Regexp,
    replacement: Value,
    all: bool,
}

fn by_source(call: &mut Call<'_, '_, '_>) -> Evaluated {
    if call.arguments.len() > 4 {
        call.deprecated(
            issues::REGSUBST_FUNCTION_ENCODING,
            "The regsubst() function's encoding argument has been ignored since Ruby 1.9 and will be removed in a future release",
        );
    }
    let flags = call.text(3).to_owned();
    let options = Options {
        ignore_case: flags.contains('I'),
        extended: flags.contains('E'),
        multi_line: flags.contains('M'),
    };
    let regexp = if options == Options::default() {
        call.pattern()
    } else {
        Regexp::with_options(call.text(1), options)
    };
    match regexp {
        Ok(regexp) => call.substituted(regexp, flags.contains('G')),
        Err(error) => call.fail(error.to_string()),
    }
}

fn by_regexp(call: &mut Call<'_, '_, '_>) -> Evaluated {
    let all = call.text(3) == "G";
    match call.pattern() {
        Ok(regexp) => call.substituted(regexp, all),
        Err(error) => call.fail(error.to_string()),
    }
}

impl Call<'_, '_, '_> {
    fn substituted(&mut self, regexp: Regexp, all: bool) -> Evaluated {
        /// The cost in walks over the text: one that consists of matches only is searched, and rewritten, match by match.
        const REPLACING: u64 = 16;
        let target = self.take(0);
        self.interpreter.spend_walk(&target, REPLACING)?;
        let substitution = Substitution { regexp, replacement: self.take(2), all };
        self.substitute(&target, &substitution)
    }

    /// Replaces in a string or an array; arrays are not nested, as the overloads ensure.
    fn substitute(&self, target: &Value, substitution: &Substitution) -> Evaluated {
        match target {
            Value::String(text) => self.substitute_in(text, substitution),
            Value::Array(texts) => {
                let results = texts.iter().map(|it| self.substitute(it, substitution));
                Ok(Value::Array(results.collect::<Evaluated<_>>()?))
            }
            Value::Sensitive(sensitive) => match sensitive.unwrap() {
                Value::Array(texts) => {
                    let results = texts.iter().map(|it| self.substitute(it, substitution));
                    Ok(Value::Array(results.collect::<Evaluated<_>>()?))
                }
                text => Ok(Value::Sensitive(Sensitive::new(self.substitute(text, substitution)?))),
            },
            other => Ok(other.clone()),
        }
    }

    fn substitute_in(&self, text: &str, substitution: &Substitution) -> Evaluated {
        let Substitution { regexp, replacement, all } = substitution;
        let limit = self.interpreter.settings.limits.string_size;
        let replaced = match replacement {
            Value::Hash(table) => regexp.replace_with(text, *all, limit, |it| {
                table.get_str(it.get(0).unwrap_or_default()).and_then(Value::as_str).unwrap_or_default()
            }),
            replacement => regexp.replace(text, replacement.as_str().unwrap_or_default(), *all, limit),
        };
        match replaced {
            Ok(text) => Ok(Value::String(text.into())),
            Err(error) => self.fail(error.to_string()),
        }
    }
}
