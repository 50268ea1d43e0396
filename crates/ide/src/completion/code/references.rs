//! References to resources, and their titles.

use marotte_hir::titles;
use marotte_text::unrooted;

use super::{Completer, Found};
use crate::files::code_files;
use crate::symbol::capitalized;
use crate::token::{Named, tokens};
use crate::{Access, File, SymbolKind};

/// The number of resources of other files that come before the types; more of them would hide the types.
const MOST_BEFORE_TYPES: usize = 50;

impl Completer<'_, '_> {
    /// Adds references to declared resources, those of the file first, and the types of resources.
    pub(super) fn references(&self, found: &mut Found<'_>) {
        if self.spot.is_quoted {
            return;
        }
        self.references_of_file(found);
        self.references_of_others(found);
        self.reference_types(found);
    }

    /// Adds references to the resources and classes that the file declares.
    fn references_of_file(&self, found: &mut Found<'_>) {
        for token in tokens(self.db, self.at.file).into_iter().filter(|it| it.access == Access::Declaration) {
            match &token.named {
                Named::Resource { type_name, title } => self.reference(type_name, title, 1, found),
                Named::Class(name) => self.reference("class", name, 1, found),
                _ => {}
            }
        }
    }

    /// Adds references to the resources that other files of the environment declare.
    fn references_of_others(&self, found: &mut Found<'_>) {
        let before = found.items.len();
        for file in code_files(self.db, self.environment).iter().filter(|it| **it != self.at.file) {
            for (type_name, title) in titles(self.db, *file).all() {
                self.reference(type_name, title, 2, found);
            }
        }
        if found.items.len() - before > MOST_BEFORE_TYPES {
            found.items[before..].iter_mut().for_each(|it| it.rank = 4);
        }
    }

    /// Adds a reference, unless it is to the resource at the place.
    fn reference(&self, type_name: &str, title: &str, rank: u8, found: &mut Found<'_>) {
        // Titles that are computed in part aren't written in quotes.
        if title.contains(['\\', '\'', '$']) || self.is_own(type_name, title) {
            return;
        }
        let label = format!("{}['{}']", capitalized(type_name), unrooted(title));
        if let Some(it) = found.add(self.spot.written, SymbolKind::Resource, label) {
            it.rank = rank;
        }
    }

    /// Adds the types of resources, and `Class`, with brackets for the title.
    pub(super) fn reference_types(&self, found: &mut Found<'_>) {
        let types = self.resource_types().into_iter().map(|it| (SymbolKind::ResourceType, capitalized(&it)));
        for (kind, label) in types.chain([(SymbolKind::Class, "Class".to_owned())]) {
            if let Some(it) = found.add(self.spot.written, kind, label) {
                it.rank = 3;
                it.insert = format!("{}['$1']", it.label);
                it.is_snippet = true;
            }
        }
    }

    /// Adds the titles of the resources of a type.
    pub(super) fn titles(&self, type_name: &str, found: &mut Found<'_>) {
        let mut files: Vec<File> = code_files(self.db, self.environment).to_vec();
        files.push(self.at.file);
        for file in files {
            for title in titles(self.db, file).of_type(type_name).filter(|it| !self.is_own(type_name, it)) {
                let label = if self.spot.is_quoted { title.to_string() } else { format!("'{title}'") };
                if let Some(it) = found.add(self.spot.written, SymbolKind::Resource, label) {
                    it.rank = if file == self.at.file { 1 } else { 2 };
                }
            }
        }
    }

    /// Whether a resource is the one whose attributes are written at the place.
    pub(super) fn is_own(&self, type_name: &str, title: &str) -> bool {
        self.spot.own.as_ref().is_some_and(|it| it.is(type_name, title))
    }
}
