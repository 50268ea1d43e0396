//! The ways in which a function may add to the catalog, found by the words in its text. Functions that it calls by name are
//! listed, not followed.

use marotte_text::Str;

/// Words in the text of code that adds to a catalog: functions that do so, and ways to reach the compiler, its catalog
/// and scope, or functions that the text does not name.
const WORDS: &[&str] = &[
    "add_class",
    "add_resource",
    "catalog",
    "compiler",
    "contain",
    "create_resources",
    "define_type",
    "ensure_packages",
    "ensure_resource",
    "ensure_resources",
    "environment",
    "eval",
    "evaluate_classes",
    "include",
    "instance_eval",
    "public_send",
    "realize",
    "send",
    "tag",
];

/// The word that calls the function named by its first argument.
const CALL: &str = "call_function";

/// The prefix of words that call a function: `function_include`.
const FUNCTION: &str = "function_";

/// The ways in which a function may add to the catalog.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Declares {
    /// The function adds nothing to the catalog.
    #[default]
    Nothing,
    /// The function only adds through the functions with these names, in lower case, which it may call.
    Through(Vec<Str>),
    /// The function may add anything.
    Anything,
}

/// Finds the ways in which the function with this source file may add to the catalog.
pub fn declares(text: &str) -> Declares {
    let is_word = |it: char| it.is_ascii_alphanumeric() || it == '_';
    let mut called: Vec<Str> = Vec::new();
    for line in text.lines().filter(|it| !it.trim_start().starts_with('#')) {
        let mut rest = line;
        while let Some(at) = rest.find(is_word) {
            let is_text = rest[..at].trim_end_matches(':').ends_with(['\'', '"']);
            let word = &rest[at..];
            let (word, behind) = word.split_at(word.find(|it| !is_word(it)).unwrap_or(word.len()));
            rest = behind;
            let name = match word {
                // A query method, whose name ends with a question mark.
                _ if behind.starts_with('?') => continue,
                CALL => match named(behind) {
                    Some(name) => name,
                    None => return Declares::Anything,
                },
                // Neither the environment's name nor its files give access to the catalog.
                "compiler" if only_names_environment(line, behind) => {
                    rest = &behind[".environment".len()..];
                    continue;
                }
                // The name of a variable.
                "environment" if is_text => continue,
                _ if WORDS.contains(&word) || word.starts_with("call_") => return Declares::Anything,
                _ => match word.strip_prefix(FUNCTION) {
                    Some(name) if !name.is_empty() => name.into(),
                    _ => continue,
                },
            };
            if !called.contains(&name) {
                called.push(name);
            }
        }
    }
    if called.is_empty() { Declares::Nothing } else { Declares::Through(called) }
}

/// Whether code uses the environment of a compiler, which follows in `behind`, for its name, or to find a file of a module.
fn only_names_environment(line: &str, behind: &str) -> bool {
    let Some(rest) = behind.strip_prefix(".environment") else { return false };
    let finds_file =
        line.contains("Parser::Files.find_file(") || line.contains("Parser::Files.find_template(");
    rest.starts_with(".to_s") || rest.starts_with(".name") || finds_file && rest.starts_with(')')
}

/// Reads the name of a function at the start of a text, written as a literal first argument, in lower case: `('a::b', …)`,
/// ` :name`.
fn named(text: &str) -> Option<Str> {
    let text = text.trim_start_matches(['(', ' ']);
    let is_name = |it: char| it.is_ascii_alphanumeric() || it == '_' || it == ':';
    let (name, rest) = match text.chars().next()? {
        quote @ ('\'' | '"') => text[1..].split_once(quote)?,
        ':' => {
            let name = text[1..].trim_start_matches(['\'', '"']);
            name.split_at(name.find(|it| !is_name(it)).unwrap_or(name.len()))
        }
        _ => return None,
    };
    let rest = rest.trim_start_matches(['\'', '"', ' ']);
    let ends = rest.is_empty() || rest.starts_with([',', ')', '}', ']']);
    let name = name.trim_start_matches(':');
    (ends && !name.is_empty() && name.chars().all(is_name)).then(|| name.to_ascii_lowercase().into())
}

/// The variables that a function may set in the scope of its caller.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Sets {
    /// The function sets no variables.
    #[default]
    Nothing,
    /// The variables of these names.
    Named(Vec<Str>),
    /// The function may set any variables.
    Anything,
}

/// The variables that a function with this source file may set.
pub fn sets_variables(text: &str) -> Sets {
    let code: Vec<&str> = text.lines().filter(|it| !it.trim_start().starts_with('#')).collect();
    let mut names = Vec::new();
    for line in code {
        for (at, _) in line.match_indices("setvar") {
            match literal(&line[at + "setvar".len()..]) {
                Some(name) => names.push(name),
                None => return Sets::Anything,
            }
        }
        // `scope['name'] = value`, but not `==`, `=~` and `=>`.
        for (at, _) in line.match_indices("scope[") {
            let Some((_, behind)) = line[at..].split_once(']') else { continue };
            let behind = behind.trim_start();
            if behind.starts_with('=') && !behind[1..].starts_with(['=', '~', '>']) {
                match literal(&line[at + "scope".len()..]) {
                    Some(name) => names.push(name),
                    None => return Sets::Anything,
                }
            }
        }
    }
    if names.is_empty() { Sets::Nothing } else { Sets::Named(names) }
}

/// The literal name at the start of a text as a first argument: `('name'`, `["name"`, ` :name`.
fn literal(text: &str) -> Option<Str> {
    let text = text.trim_start_matches(['(', '[', ' ']);
    let is_name = |it: char| it.is_ascii_alphanumeric() || it == '_';
    let (name, rest) = match text.chars().next()? {
        quote @ ('\'' | '"') => text[1..].split_once(quote)?,
        ':' => text[1..].split_at(text[1..].find(|it| !is_name(it)).unwrap_or(text.len() - 1)),
        _ => return None,
    };
    let ends = rest.trim_start().starts_with([',', ']']);
    (ends && !name.is_empty() && name.chars().all(is_name)).then(|| name.into())
}

#[cfg(test)]
mod tests {
    use super::{Declares, Sets, declares, sets_variables};

    #[test]
    fn variables_are_set_by_name() {
        assert_eq!(
            sets_variables("scope.setvar('role', x)\nscope['b'] == 1"),
            Sets::Named(vec!["role".into()])
        );
        assert_eq!(sets_variables("closure_scope[:b] = 1"), Sets::Named(vec!["b".into()]));
        assert_eq!(sets_variables("setvar \"a#{x}\", 1"), Sets::Anything);
        assert_eq!(sets_variables("# setvar(x, 1)\nlookupvar('x')"), Sets::Nothing);
    }

    #[test]
    fn functions_called_by_name_are_listed() {
        let through = |names: &[&str]| Declares::Through(names.iter().map(|it| (*it).into()).collect());
        assert_eq!(declares("call_function('create_resources', type, hash)"), Declares::Anything);
        assert_eq!(declares("x = call_function('Stdlib::Merge', a)"), through(&["stdlib::merge"]));
        assert_eq!(
            declares("call_function :lookup, key\ncall_function(:'a::b')"),
            through(&["lookup", "a::b"])
        );
        assert_eq!(declares("function_lookup([name])\nfunction_lookup([n])"), through(&["lookup"]));
        assert_eq!(declares("call_function(name, 1)"), Declares::Anything);
        assert_eq!(declares("call_function(\"a#{name}\", 1)"), Declares::Anything);
    }

    #[test]
    fn what_names_a_way_to_the_catalog_may_declare() {
        assert_eq!(declares("closure_scope.compiler.add_resource(scope, it)"), Declares::Anything);
        assert_eq!(declares("  scope.catalog.resources"), Declares::Anything);
        assert_eq!(declares("Puppet::Module.find(name, compiler.environment)"), Declares::Anything);
        assert_eq!(declares("Puppet::Module.find(name, compiler.environment.to_s)"), Declares::Nothing);
        let finds = "Puppet::Parser::Files.find_template(file, self.compiler.environment)";
        assert_eq!(declares(finds), Declares::Nothing);
        assert_eq!(
            declares("scope.lookupvar('::environment') + lookupvar(\"environment\")"),
            Declares::Nothing
        );
        assert_eq!(declares("scope.environment.known_resource_types"), Declares::Anything);
    }

    #[test]
    fn what_asks_or_is_a_comment_does_not() {
        assert_eq!(declares("# calls create_resources\nvalues.include?(value) ? 1 : 2"), Declares::Nothing);
        let pick =
            "Puppet::Functions.create_function(:pick) do\n  def pick(*args)\n    args.first\n  end\nend";
        assert_eq!(declares(pick), Declares::Nothing);
    }
}
