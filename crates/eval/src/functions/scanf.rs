//! `scanf`: values parsed from a string (E26).

use marotte_pcore::scan;
use marotte_pcore::value::Value;

use super::{Body, Builtin, Call, Overload};
use crate::interpreter::Evaluated;

/// `scanf`.
pub(super) static FUNCTION: Builtin = Builtin {
    name: "scanf",
    doc: "Parses values from a text with a format: `scanf('42 apples', '%d %s')` is `[42, 'apples']`.\n\n\
          `%d` and `%u` read an integer, `%x` a hexadecimal and `%o` an octal one, `%i` one whose base is given by its prefix, \
          `%f` a float, `%s` a word, `%c` characters, `%[a-z]` characters of a set. A number before the letter is the maximum \
          width, and `%*d` discards the value. Blanks in the format match any number of blanks; all other characters must appear \
          in the text. The scan ends at the first mismatch, and the result is the values read so far. If there is a lambda, it \
          takes the array, and its value is the result.",
    overloads: &[Overload {
        parameters: "String $data, String $format",
        block: Some("Optional[Callable]"),
        returns: None,
        body: Body::Run(run),
    }],
    ..Builtin::base()
};

fn run(call: &mut Call<'_, '_, '_>) -> Evaluated {
    let values = match scan::scanf(call.text(0), call.text(1)) {
        Ok(values) => Value::Array(values.into()),
        Err(error) => return call.fail(error.to_string()),
    };
    if call.block.is_some() { call.call_block(&[values]) } else { Ok(values) }
}
