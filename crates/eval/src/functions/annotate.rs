use std::sync::OnceLock;

use super::{Body, Builtin, Overload, Reach};

/// `annotate`.
pub(super) static FUNCTION: Builtin = Builtin {
    name: "annotate",
    doc: "Ties data about a value to it, without changing the value. marotte keeps no such data: to call it is an error.",
    reach: Reach::Pure,
    types: "",
    overloads: &[Overload {
        parameters: "Type $type, Any $value, Any $annotations = undef",
        block: Some("Optional[Callable[0, 0]]"),
        returns: None,
        body: Body::Run(|call| call.fail("annotations are not supported")),
    }],
    compiled: OnceLock::new(),
};
