//! Completion of names in the REPL.

use std::collections::BTreeSet;

use marotte_eval::functions::ALL;
use marotte_host::EvaluationContext;
use marotte_pcore::create::TYPE_NAMES;
use marotte_text::Str;

const KEYWORDS: &[&str] = &[
    "and", "case", "default", "else", "elsif", "false", "function", "if", "in", "or", "true", "type",
    "undef", "unless",
];

const COMMANDS: &[&str] = &[":catalog", ":help", ":quit", ":type "];

/// The names that can be completed.
pub(super) struct Names {
    words: BTreeSet<String>,
    types: BTreeSet<String>,
    given: BTreeSet<String>,
    variables: BTreeSet<String>,
}

impl Names {
    pub(super) fn new(context: &EvaluationContext) -> Names {
        let set = |names: &[&str]| names.iter().map(|it| (*it).to_owned()).collect();
        let mut words: BTreeSet<String> = set(KEYWORDS);
        words.extend(ALL.iter().map(|it| it.name.to_owned()));
        Names {
            words,
            types: set(TYPE_NAMES),
            given: context.node().variable_names().map(str::to_owned).collect(),
            variables: BTreeSet::new(),
        }
    }

    pub(super) fn add_function(&mut self, name: &str) {
        self.words.insert(name.to_owned());
    }

    pub(super) fn add_type(&mut self, name: &str) {
        self.types.insert(name.to_owned());
    }

    pub(super) fn set_variables(&mut self, names: Vec<Str>) {
        self.variables = names.iter().map(ToString::to_string).collect();
    }

    /// The start of the word that ends here, and its completions.
    pub(super) fn complete(&self, line: &str) -> (usize, Vec<String>) {
        if line.starts_with(':') && !line.contains(char::is_whitespace) {
            let commands = COMMANDS.iter().filter(|it| it.starts_with(line));
            return (0, commands.map(|it| (*it).to_owned()).collect());
        }
        let is_part = |it: char| it.is_alphanumeric() || it == '_' || it == ':';
        let start = line
            .rfind(|it| !is_part(it))
            .map_or(0, |at| at + line[at..].chars().next().map_or(0, char::len_utf8));
        let word = &line[start..];
        // `$x`, `${x`.
        let before = line[..start].trim_end_matches('{');
        let candidates: Vec<String> = if before.ends_with('$') {
            let names = self.given.union(&self.variables);
            names.filter(|it| it.starts_with(word)).cloned().collect()
        } else if word.is_empty() {
            Vec::new()
        } else {
            let names = if word.starts_with(char::is_uppercase) { &self.types } else { &self.words };
            names.range(word.to_owned()..).take_while(|it| it.starts_with(word)).cloned().collect()
        };
        (start, candidates)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use marotte_db::MemorySystem;
    use marotte_host::{CodeTree, NodeInput};
    use marotte_project::ProjectDatabase;

    use super::*;

    fn names() -> Names {
        let db = ProjectDatabase::frozen(Arc::new(MemorySystem::new()));
        let mut names = Names::new(&EvaluationContext::new(db, CodeTree::default(), NodeInput::default()));
        names.set_variables(vec!["trough".into()]);
        names.add_function("m::f");
        names
    }

    #[test]
    fn words_become_names_of_their_kind() {
        let complete = |line: &str| names().complete(line);
        assert_eq!(complete("$x + $tr"), (6, vec!["trough".to_owned(), "trusted".to_owned()]));
        assert_eq!(complete("\"${trou"), (3, vec!["trough".to_owned()]));
        assert_eq!(complete("1 =~ SemVerR"), (5, vec!["SemVerRange".to_owned()]));
        assert_eq!(complete("notic"), (0, vec!["notice".to_owned()]));
        assert_eq!(complete("[m::"), (1, vec!["m::f".to_owned()]));
        assert_eq!(complete(":ty"), (0, vec![":type ".to_owned()]));
        assert_eq!(complete(""), (0, vec![]));
    }
}
