//! The rule for files in `functions` and `types`: exactly one definition, whose name corresponds to the path, and nothing else
//! (C25, C26, C30).

use camino::Utf8Path;
use marotte_eval::ReadError;
use marotte_hir::body::Expr;
use marotte_hir::{Definition, DefinitionKind, Lowered, NameKind};

/// The kind of definition that is loaded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wanted {
    Function,
    Type,
}

impl Wanted {
    /// The kind of name that the definition has.
    pub(crate) fn kind(self) -> NameKind {
        match self {
            Wanted::Function => NameKind::Function,
            Wanted::Type => NameKind::TypeAlias,
        }
    }

    fn noun(self) -> &'static str {
        match self {
            Wanted::Function => "function",
            Wanted::Type => "type",
        }
    }

    fn fits(self, definition: &Definition, name: &str) -> bool {
        match self {
            Wanted::Function => definition.name == name,
            Wanted::Type => definition.name.to_lowercase() == name,
        }
    }
}

/// The only definition of a file; an error if there is another one, or several.
pub(crate) fn only<'a>(
    lowered: &'a Lowered,
    path: &Utf8Path,
    wanted: Wanted,
    name: &str,
) -> Result<&'a Definition, ReadError> {
    let noun = wanted.noun();
    let fail = |rest: String| Err(ReadError(format!("The code loaded from {path} {rest}")));
    let definition = match &*lowered.definitions {
        [] => return fail(format!("does not define the {noun} '{name}' - it is empty.")),
        [definition] => definition,
        _ => return fail(format!("must contain only the {noun} '{name}' - it has additional definitions.")),
    };
    match (wanted, &definition.kind) {
        (Wanted::Function, DefinitionKind::Function) | (Wanted::Type, DefinitionKind::TypeAlias) => {}
        (Wanted::Function, _) => {
            return fail(format!("does not define the function '{name}' - no function found."));
        }
        (Wanted::Type, _) => {
            return fail(format!(
                "does not define the type '{name}' - no type alias or type definition found."
            ));
        }
    }
    if !wanted.fits(definition, name) {
        let actual = &definition.name;
        return match wanted {
            Wanted::Function => {
                fail(format!("produced function with the wrong name, expected {name}, actual {actual}"))
            }
            Wanted::Type => {
                fail(format!("produced type with the wrong name, expected '{name}', actual '{actual}'"))
            }
        };
    }
    match &*lowered.main.statements {
        [only] if matches!(lowered.main.expr(*only), Expr::Definition) => Ok(definition),
        _ => match wanted {
            Wanted::Function => {
                fail(format!("contains additional logic - can only contain the function {name}"))
            }
            Wanted::Type => fail(format!("contains additional logic - can only contain the type '{name}'")),
        },
    }
}
