//! Whether a function may add to the catalog. Calls are not followed, so a function is only known not to do so if it
//! has no means to.

use marotte_text::Str;

/// Words in the text of code that adds to a catalog: functions that do so, and ways to reach the compiler, its catalog
/// and scope, or functions that the text does not name.
const WORDS: &[&str] = &[
    "add_class",
    "add_resource",
    "call_function",
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

/// Prefixes of words that call other functions: `function_include`.
const PREFIXES: &[&str] = &["function_", "call_"];

/// Whether a function with this source file may add to the catalog.
pub fn may_declare(text: &str) -> bool {
    let code = text.lines().filter(|it| !it.trim_start().starts_with('#'));
    let is_word = |it: char| it.is_ascii_alphanumeric() || it == '_';
    code.flat_map(|line| line.split(|it| !is_word(it)).zip(followers(line, is_word))).any(|(word, next)| {
        // `include?` is a query; a lambda that is called is the caller's.
        let asks = next == Some('?');
        !asks && (WORDS.contains(&word) || PREFIXES.iter().any(|it| word.starts_with(it)))
    })
}

/// The variables that a function may set in the scope of its caller.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Sets {
    /// None.
    #[default]
    Nothing,
    /// The variables of these names.
    Named(Vec<Str>),
    /// Any variables.
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

/// The character after each word of a line.
fn followers(line: &str, is_word: impl Fn(char) -> bool + Copy) -> impl Iterator<Item = Option<char>> {
    line.match_indices(move |it| !is_word(it)).map(|(_, it)| it.chars().next()).chain([None])
}

#[cfg(test)]
mod tests {
    use super::{Sets, may_declare, sets_variables};

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
    fn what_names_a_way_to_the_catalog_may_declare() {
        assert!(may_declare("call_function('create_resources', type, hash)"));
        assert!(may_declare("function_include([name])"));
        assert!(may_declare("closure_scope.compiler.add_resource(scope, it)"));
        assert!(may_declare("  scope.catalog.resources"));
    }

    #[test]
    fn what_asks_or_is_a_comment_does_not() {
        assert!(!may_declare("# calls create_resources\nvalues.include?(value) ? 1 : 2"));
        assert!(!may_declare(
            "Puppet::Functions.create_function(:pick) do\n  def pick(*args)\n    args.first\n  end\nend"
        ));
    }
}
