//! The names that nothing here defines, and that a module elsewhere may define: no finding is about them, so a run says what it did not
//! check.

use std::collections::BTreeSet;

use marotte_db::{Db, File, environment_of, module_file, module_folder};
use marotte_hir::NameKind;
use marotte_resolve::functions::{Function, function};
use marotte_resolve::names::{Lookup, look_up, module_of};
use marotte_resolve::types::{TypeName, type_name};
use marotte_text::{Str, is_qualified};

use crate::analysis::names::foreign_names::{Used, used_in};

/// The names that were not resolved.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Unresolved {
    /// The modules of qualified names, and of classes.
    pub modules: BTreeSet<Str>,
    /// The functions without a namespace: any module may define them.
    pub functions: BTreeSet<Str>,
    /// The resource types and data types without a namespace, in lower case.
    pub types: BTreeSet<Str>,
}

impl Unresolved {
    /// Adds the names of other files.
    pub fn extend(&mut self, other: Unresolved) {
        self.modules.extend(other.modules);
        self.functions.extend(other.functions);
        self.types.extend(other.types);
    }
}

/// Returns the names in a file that were not resolved, because their modules are not here. A module that is here has a finding instead:
/// that the name is missing, or that a file of the module has errors.
pub fn unresolved(db: &dyn Db, file: File) -> Unresolved {
    let environment = environment_of(db, file);
    let mut found = Unresolved::default();
    // Bolt, which runs plans, has functions of its own.
    let is_plan = module_file(db, file).is_some_and(|it| it.folder() == Some("plans"));
    for (kind, name) in used_in(db, file).definitions() {
        if is_plan && *kind == Used::Function {
            continue;
        }
        let has_module = *kind == Used::Class || is_qualified(name);
        let module = module_of(name);
        // Another rule reports a name that no module can have.
        if !module.bytes().all(|it| it.is_ascii_alphanumeric() || it == b'_') {
            continue;
        }
        if has_module
            && (found.modules.contains(module) || module_folder(db, environment, module.into()).is_some())
        {
            continue;
        }
        let is_unknown = match kind {
            Used::Class => look_up(db, file, NameKind::Class, name) == Lookup::Unknown,
            Used::Function => matches!(function(db, file, environment, name), Function::Unknown),
            Used::Type => matches!(type_name(db, file, environment, name), TypeName::Unknown),
        };
        match kind {
            _ if !is_unknown => {}
            _ if has_module => _ = found.modules.insert(module.into()),
            Used::Function => _ = found.functions.insert(name.clone()),
            Used::Class | Used::Type => _ = found.types.insert(name.clone()),
        }
    }
    found
}
