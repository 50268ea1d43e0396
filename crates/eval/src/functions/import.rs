use marotte_diagnostics::rules;

use super::{Body, Builtin, Overload};
use crate::EvaluationError;

/// `import`.
pub(super) static FUNCTION: Builtin = Builtin {
    name: "import",
    doc: "No longer supported: use a folder of manifests instead. A call is an error.",
    overloads: &[Overload {
        parameters: "Any *$args",
        block: None,
        returns: None,
        body: Body::Run(|_| {
            let message = "Use of 'import' has been discontinued in favor of a manifest directory. See \
                           http://links.puppet.com/puppet-import-deprecation";
            Err(EvaluationError::new(rules::DISCONTINUED_IMPORT, message).into())
        }),
    }],
    ..Builtin::base()
};
