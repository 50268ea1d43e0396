//! `scanf`: values parsed from a string (E26).

use std::sync::OnceLock;

use marotte_pcore::scan;
use marotte_pcore::value::Value;

use super::{Body, Builtin, Call, Overload, Reach};
use crate::interpreter::Evaluated;

/// `scanf`.
pub(super) static FUNCTION: Builtin = Builtin {
    name: "scanf",
    doc: "Reads values from a text under a format: `scanf('42 apples', '%d %s')` is `[42, 'apples']`.\n\n\
          `%d` and `%u` read an integer, `%x` a hexadecimal and `%o` an octal one, `%i` one whose prefix says its base, `%f` a float, `%s` a word, \
          `%c` characters, `%[a-z]` characters of a set. A number before the letter is the greatest width, and `%*d` reads without \
          keeping. Blanks in the format stand for any number of blanks; all else has to stand in the text. What does not match ends \
          the scan, and what was read until then is the result. A lambda gets the array, and its value is then the result.",
    reach: Reach::Pure,
    types: "",
    overloads: &[Overload {
        parameters: "String $data, String $format",
        block: Some("Optional[Callable]"),
        returns: None,
        body: Body::Run(run),
    }],
    compiled: OnceLock::new(),
};

fn run(call: &mut Call<'_, '_, '_>) -> Evaluated {
    let values = match scan::scanf(call.text(0), call.text(1)) {
        Ok(values) => Value::Array(values.into()),
        Err(error) => return call.fail(error.to_string()),
    };
    if call.block.is_some() { call.call_block(&[values]) } else { Ok(values) }
}
