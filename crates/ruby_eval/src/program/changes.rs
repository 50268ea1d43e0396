//! The variables of Puppet code whose values a template may change in place, judging by what its code says.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use regex::Regex;

use super::Program;

/// Operators and methods that change an array or a hash, and methods that may call them.
static CHANGES: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(
        r"(?x)
        << | \w!(?:[^=~]|$) | \]\s*(?:\|\||&&|[-+*/%|&^])?=(?:[^=~>]|$)
        | \b(?:push|append|prepend|concat|insert|unshift|shift|pop|delete|delete_at|delete_if|clear|replace|store|update|fill
          |keep_if|compare_by_identity|send|__send__|public_send|method|eval|instance_eval|instance_exec|binding)\b
        | \.default(?:_proc)?\s*=[^=]",
    )
    .ok()
});

/// Names of variables: `@name`, and texts that may be names: `scope['name']`.
static NAMES: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r#"@(\w+)|['"](?:::)?((?:\w+::)*\w+)['"]|:(\w+)"#).ok());

impl Program {
    /// Returns the names of variables whose arrays and hashes this template may change in place. The reference shares such a value
    /// among all that hold it: a parameter that a template changes is changed in the catalog, too.
    ///
    /// ```
    /// use marotte_ruby_eval::program::Program;
    ///
    /// let names = |text: &str| Program::template("a.erb", text.as_bytes()).unwrap().may_change();
    /// assert_eq!(names("<% @list << 1 %><%= scope['a::b'] %>"), ["a::b", "list"]);
    /// assert!(names("<% @list.each do |it| %><%= it %> << ! <% end %>").is_empty());
    /// ```
    pub fn may_change(&self) -> Vec<String> {
        let (Some(changes), Some(names)) = (&*CHANGES, &*NAMES) else { return Vec::new() };
        if !changes.is_match(&self.tags) {
            return Vec::new();
        }
        let name =
            |it: regex::Captures<'_>| it.iter().skip(1).flatten().next().map(|it| it.as_str().to_owned());
        let found: BTreeSet<String> = names.captures_iter(&self.tags).filter_map(name).collect();
        found.into_iter().collect()
    }
}
