//! Whether a function may add to the catalog: what it calls is not followed, so that only what could do it by no way it has is
//! known to do nothing.

/// Words that what adds to a catalog has in its text: functions that do it, and ways to the compiler, its catalog and scope, or
/// to functions that are not named in the text.
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

/// Beginnings of words that call other functions: `function_include`.
const PREFIXES: &[&str] = &["function_", "call_"];

/// Whether a function whose file is this may add to the catalog.
pub fn may_declare(text: &str) -> bool {
    let code = text.lines().filter(|it| !it.trim_start().starts_with('#'));
    let is_word = |it: char| it.is_ascii_alphanumeric() || it == '_';
    code.flat_map(|line| line.split(|it| !is_word(it)).zip(followers(line, is_word))).any(|(word, next)| {
        // `include?` asks; a lambda that is called is the caller's.
        let asks = next == Some('?');
        !asks && (WORDS.contains(&word) || PREFIXES.iter().any(|it| word.starts_with(it)))
    })
}

/// The character behind each word of a line.
fn followers(line: &str, is_word: impl Fn(char) -> bool + Copy) -> impl Iterator<Item = Option<char>> {
    line.match_indices(move |it| !is_word(it)).map(|(_, it)| it.chars().next()).chain([None])
}

#[cfg(test)]
mod tests {
    use super::may_declare;

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
