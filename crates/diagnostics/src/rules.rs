//! The registry: all of marotte's rules, each declared once.

use std::collections::HashMap;
use std::sync::LazyLock;

use crate::Level;

/// A rule: its name, its default level, and its documentation.
#[derive(Debug, PartialEq, Eq)]
pub struct Rule {
    /// The kebab-case name; if the reference has an issue code for the same thing, that code in kebab case.
    pub name: &'static str,
    /// The default level.
    pub level: Level,
    /// A summary of one line.
    pub summary: &'static str,
    /// The reference's issue code, if it reports the same problem.
    pub issue: Option<&'static str>,
    /// The first version of marotte that had the rule.
    pub since: &'static str,
    /// The rule's page, in Markdown: what it finds, why it matters, a bad and a good example.
    pub page: &'static str,
    /// The subject of the rule.
    pub subject: Subject,
}

/// The thing that a rule examines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Subject {
    /// The text of a single file.
    Text,
    /// The meaning of code and data, including other files.
    Meaning,
    /// How something is written that is right: only who asks for it is told.
    Style,
    /// The unused and the missing parts of a code tree. Only reported on request.
    Tree,
    /// Whether a file can be read at all.
    File,
    /// The evaluation of a program.
    Evaluation,
}

/// Declares a table of rules whose pages are in a folder of the documentation.
macro_rules! rules {
    ($(#[$doc:meta])* $table:ident in $folder:literal: $($subject:ident {
        $($name:literal, $level:ident, $issue:expr, $summary:literal;)*
    })*) => {
        $(#[$doc])*
        pub static $table: &[Rule] = &[$($(Rule {
            name: $name,
            level: Level::$level,
            summary: $summary,
            issue: $issue,
            since: "0.1.0",
            page: include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/", $folder, "/", $name, ".md")),
            subject: $crate::rules::Subject::$subject,
        },)*)*];
    };
}
pub(crate) use rules;

rules! {
    /// All rules, by name within their family.
    RULES in "rules":
    Text {
        // lexical structure
        "illegal-bom", Error, Some("ILLEGAL_BOM"), "A byte order mark appears at the start of the file";
        "illegal-class-reference", Error, Some("ILLEGAL_CLASS_REFERENCE"), "A type reference has a segment that is not capitalised";
        "illegal-fully-qualified-class-reference", Error, Some("ILLEGAL_FULLY_QUALIFIED_CLASS_REFERENCE"), "A type reference that starts with `::` has a segment that is not capitalised";
        "illegal-fully-qualified-name", Error, Some("ILLEGAL_FULLY_QUALIFIED_NAME"), "`::` is followed by nothing that can be a name";
        "illegal-name-or-bare-word", Error, Some("ILLEGAL_NAME_OR_BARE_WORD"), "A bare word is malformed";
        "illegal-number", Error, Some("ILLEGAL_NUMBER"), "A number has letters or underscores in it";
        "invalid-hex-number", Error, Some("INVALID_HEX_NUMBER"), "A hexadecimal number has no digit, or a wrong one";
        "invalid-octal-number", Error, Some("INVALID_OCTAL_NUMBER"), "A number that starts with 0 has a digit that is not octal";
        "invalid-decimal-number", Error, Some("INVALID_DECIMAL_NUMBER"), "A decimal number has a broken fraction or exponent";
        "illegal-unicode-escape", Error, Some("ILLEGAL_UNICODE_ESCAPE"), "A `\\u` escape is malformed or names no character";
        "unrecognized-escape", Warning, Some("UNRECOGNIZED_ESCAPE"), "A backslash in double quotes escapes nothing";
        "unclosed-quote", Error, Some("UNCLOSED_QUOTE"), "A string is not closed";
        "unclosed-comment", Error, Some("UNCLOSED_MLCOMMENT"), "A `/*` comment is not closed";
        "heredoc-unclosed-parenthesis", Error, Some("HEREDOC_UNCLOSED_PARENTHESIS"), "A heredoc's `@(` is not closed";
        "heredoc-invalid-syntax", Error, Some("HEREDOC_INVALID_SYNTAX"), "A heredoc's header is malformed";
        "heredoc-invalid-escape", Error, Some("HEREDOC_INVALID_ESCAPE"), "A heredoc enables an escape that does not exist";
        "heredoc-multiple-escapes", Error, Some("HEREDOC_MULTIPLE_AT_ESCAPES"), "A heredoc enables the same escape twice";
        "heredoc-empty-endtag", Error, Some("HEREDOC_EMPTY_ENDTAG"), "A heredoc has an empty end tag";
        "heredoc-without-text", Error, Some("HEREDOC_WITHOUT_TEXT"), "No line follows a heredoc's header";
        "heredoc-without-end-tagged-line", Error, Some("HEREDOC_WITHOUT_END_TAGGED_LINE"), "No line ends a heredoc";
        "heredoc-text", Error, None, "A heredoc's text does not comply with the syntax that its header declares";
        "invalid-regex", Error, None, "A regular expression is invalid";
        "epp-unbalanced-tag", Error, Some("EPP_UNBALANCED_TAG"), "A template ends inside a tag";
        "epp-unbalanced-comment", Error, Some("EPP_UNBALANCED_COMMENT"), "A template ends inside a comment";
        "epp-unbalanced-expression", Error, Some("EPP_UNBALANCED_EXPRESSION"), "A template ends right after an opening tag";
        // grammar
        "syntax-error", Error, Some("SYNTAX_ERROR"), "A token cannot appear where it does";
        "merge-conflict", Error, Some("SYNTAX_ERROR"), "A merge left a conflict in a file";
        "unclosed-delimiter", Error, Some("SYNTAX_ERROR"), "A bracket has no partner";
        "unused-suppression", Warning, None, "A comment silences a rule that finds nothing, or has no matching start or end";
        "unknown-suppression", Warning, None, "A comment silences a rule that does not exist";
        "nesting-limit", Error, None, "An expression or block is nested too deeply, or too long";
        // definitions
        "not-top-level", Error, Some("NOT_TOP_LEVEL"), "A class, define or node appears inside something else than a class";
        "not-absolute-top-level", Error, Some("NOT_ABSOLUTE_TOP_LEVEL"), "A function or type appears inside a class";
        "illegal-definition-name", Error, Some("ILLEGAL_DEFINITION_NAME"), "A definition's name is not acceptable";
        "illegal-definition-location", Error, Some("ILLEGAL_DEFINITION_LOCATION"), "A definition's name does not fit its file";
        "illegal-top-construct-location", Error, Some("ILLEGAL_TOP_CONSTRUCT_LOCATION"), "A module's file holds something else than definitions";
        "reserved-type-name", Error, Some("RESERVED_TYPE_NAME"), "A definition is named like a built-in type";
        "reserved-word", Error, Some("RESERVED_WORD"), "A reserved word appears as an expression";
        "future-reserved-word", Warning, Some("FUTURE_RESERVED_WORD"), "A name will be reserved";
        "illegal-node-inheritance", Error, Some("ILLEGAL_NODE_INHERITANCE"), "A node inherits from another";
        "illegal-hostname-chars", Error, Some("ILLEGAL_HOSTNAME_CHARS"), "A node's name has characters that no host name has";
        "illegal-hostname-interpolation", Error, Some("ILLEGAL_HOSTNAME_INTERPOLATION"), "A node's name is interpolated";
        "illegal-type-mapping", Error, Some("ILLEGAL_TYPE_MAPPING"), "The sides of a type mapping do not fit";
        "unsupported-expression", Error, Some("UNSUPPORTED_EXPRESSION"), "The grammar knows this, but nothing implements it";
        // parameters
        "reserved-parameter", Error, Some("RESERVED_PARAMETER"), "A parameter is named `$name` or `$title`";
        "duplicate-parameter", Error, Some("DUPLICATE_PARAMETER"), "Two parameters have the same name";
        "illegal-numeric-parameter", Error, Some("ILLEGAL_NUMERIC_PARAMETER"), "A parameter has a numeric name";
        "illegal-param-name", Error, Some("ILLEGAL_PARAM_NAME"), "A parameter's name is not acceptable";
        "captures-rest-not-last", Error, Some("CAPTURES_REST_NOT_LAST"), "A `*` parameter is not the last one";
        "captures-rest-not-supported", Error, Some("CAPTURES_REST_NOT_SUPPORTED"), "A class, define or template has a `*` parameter";
        "illegal-assignment-context", Error, Some("ILLEGAL_ASSIGNMENT_CONTEXT"), "A default value assigns a variable";
        "illegal-nonliteral-parameter-type", Warning, Some("ILLEGAL_NONLITERAL_PARAMETER_TYPE"), "A class parameter's type is computed";
        // variables and assignment
        "illegal-var-name", Error, Some("ILLEGAL_VAR_NAME"), "A variable's name is not acceptable";
        "illegal-numeric-var-name", Error, Some("ILLEGAL_NUMERIC_VAR_NAME"), "A variable's name starts with a digit and is not a decimal number";
        "cross-scope-assignment", Error, Some("CROSS_SCOPE_ASSIGNMENT"), "A variable of another namespace is assigned";
        "illegal-numeric-assignment", Error, Some("ILLEGAL_NUMERIC_ASSIGNMENT"), "A match variable is assigned";
        "illegal-indexed-assignment", Error, Some("ILLEGAL_INDEXED_ASSIGNMENT"), "An element of a collection is assigned";
        "illegal-assignment", Error, Some("ILLEGAL_ASSIGNMENT"), "Something that is not a variable is assigned";
        "appends-deletes-no-longer-supported", Error, Some("APPENDS_DELETES_NO_LONGER_SUPPORTED"), "`+=` or `-=` is used";
        // expressions
        "not-rvalue", Error, Some("NOT_RVALUE"), "A definition or collector appears where a value is needed";
        "idem-expression-not-last", Error, Some("IDEM_EXPRESSION_NOT_LAST"), "A value is computed and thrown away";
        "idem-not-allowed-last", Error, Some("IDEM_NOT_ALLOWED_LAST"), "A class, define or node ends with a value that nobody uses";
        "resource-without-title", Error, Some("RESOURCE_WITHOUT_TITLE"), "A resource has no title";
        "duplicate-default", Error, Some("DUPLICATE_DEFAULT"), "A case or selector has two defaults";
        "duplicate-key", Error, Some("DUPLICATE_KEY"), "A hash has the same key twice";
        "illegal-expression", Error, Some("ILLEGAL_EXPRESSION"), "An expression is used where a name is expected";
        "numeric-overflow", Error, Some("NUMERIC_OVERFLOW"), "An integer does not fit into 64 bits";
        "illegal-classref", Error, Some("ILLEGAL_CLASSREF"), "A type reference is not a valid name";
        // The reference rejects an `import` only when evaluating it; at top level, this happens before any node is considered.
        "discontinued-import", Error, Some("DISCONTINUED_IMPORT"), "`import` is used";
        // catalog syntax
        "illegal-attribute-append", Error, Some("ILLEGAL_ATTRIBUTE_APPEND"), "`+>` appears outside of overrides and collectors";
        "multiple-attributes-unfold", Error, Some("MULTIPLE_ATTRIBUTES_UNFOLD"), "`* =>` appears twice in one resource body";
        "unsupported-operator-in-context", Error, Some("UNSUPPORTED_OPERATOR_IN_CONTEXT"), "`* =>` appears where it is not allowed";
        "not-virtualizable", Error, Some("NOT_VIRTUALIZEABLE"), "Resource defaults or overrides are made virtual";
        "class-not-virtualizable", Error, Some("CLASS_NOT_VIRTUALIZABLE"), "A class is made virtual";
        "illegal-query-expression", Error, Some("ILLEGAL_QUERY_EXPRESSION"), "A collector's query has an expression that is not allowed there";
        "illegal-epp-parameters", Error, Some("ILLEGAL_EPP_PARAMETERS"), "Text appears before a template's parameters";
        "expression-not-supported-when-scripting", Error, Some("EXPRESSION_NOT_SUPPORTED_WHEN_SCRIPTING"), "A plan holds catalog code";
        "expression-not-supported-when-compiling", Error, Some("EXPRESSION_NOT_SUPPORTED_WHEN_COMPILING"), "An `apply` block holds plan code";
    }
    Meaning {
        // names
        "unresolved-class", Error, None, "A class exists nowhere";
        "unresolved-function", Error, Some("UNKNOWN_FUNCTION"), "A function exists nowhere";
        "unresolved-resource-type", Error, None, "A resource type exists nowhere";
        "unresolved-type", Error, Some("UNKNOWN_RESOURCE_TYPE"), "A type exists nowhere";
        "unresolved-task", Error, None, "A plan runs a task or a plan that exists nowhere";
        "unresolved-template", Error, None, "A template exists nowhere";
        "unresolved-file", Error, None, "A file of a module exists nowhere";
        "unresolved-key", Warning, None, "A lookup asks for a key that no data has";
        "wrong-autoload-path", Warning, None, "A definition is in a file where the autoloader does not look for it";
        "inherits-cycle", Error, None, "A class inherits from itself";
        "private-use", Warning, None, "A private part of another module is used";
        "undeclared-module-dependency", Warning, None, "A module uses another one that its metadata does not list";
        "unresolved-variable", Error, Some("UNKNOWN_VARIABLE"), "A variable is read that nothing sets";
        "possibly-unset-variable", Warning, None, "A variable is read that is not set on every path";
        // parameters and arguments
        "unknown-parameter", Error, None, "A class, defined type, template, plan or task has no such parameter";
        "missing-parameter", Error, None, "A parameter without a default value is not given";
        "unknown-attribute", Error, None, "A resource type has no such attribute";
        "attribute-value", Warning, None, "A resource type does not accept the value of an attribute";
        "argument-count", Error, None, "A function is given too few or too many arguments";
        // types
        "always-false-condition", Warning, None, "A condition never holds";
        "always-true-condition", Warning, None, "A condition always holds";
        "argument-type", Error, None, "A function is given an argument of a wrong type";
        "default-value-type", Error, None, "A default value is not of the type that is declared";
        "impossible-match", Warning, None, "A value can never match a type or equal an option";
        "missing-option", Warning, None, "A selector or a `case` has no option for a possible value";
        "operator-type", Error, None, "An operator is given values that it does not take";
        "operator-precedence", Warning, None, "Operators in a condition bind differently from how it reads";
        "parameter-type", Error, None, "A class, a defined type, a template, a plan or a task is given a value of a wrong type";
        "return-type", Error, None, "A function returns a value of a wrong type";
        // bodies
        "duplicate-declaration", Error, None, "A resource or class is declared twice";
        "duplicate-definition", Error, None, "A class, a function, a type or a node is defined twice";
        "reassigned-variable", Error, Some("ILLEGAL_REASSIGNMENT"), "A variable gets a value twice";
        "unused-variable", Warning, None, "Nothing reads a variable";
        "unused-parameter", Warning, None, "A function or defined type does not use a parameter";
        "duplicate-case-option", Warning, None, "An option equals an earlier one";
        "misread-interpolation", Warning, None, "A string looks as if it interpolated something else";
        "duplicate-attribute", Error, Some("DUPLICATE_ATTRIBUE"), "An attribute is set twice";
        "dependency-cycle", Error, None, "Resources depend on each other";
        "dangling-reference", Error, None, "A relationship refers to a resource that nothing declares";
        "invalid-relationship", Error, Some("ILLEGAL_RELATIONSHIP_OPERAND_TYPE"), "An operand of a relationship is not a resource";
        "invalid-format-string", Error, None, "A format string is invalid";
        "deprecated-function", Warning, None, "A deprecated function is called";
        "sensitive-leak", Warning, None, "A secret is exposed as plain text";
        "top-scope-fact-shadow", Warning, None, "A variable hides the fact of the same name";
        "dialect-change", Warning, None, "Code of an older dialect means something else in Puppet 8";
        "legacy-fact", Warning, None, "A legacy fact is read, which agents of Puppet 8 do not send";
        "unreachable-code", Warning, None, "Nothing evaluates a statement";
        "loose-node-pattern", Warning, None, "The regular expression of a node has unescaped dots";
        // data
        "bad-interpolation", Error, None, "An interpolation in data fails or refers to nothing";
        "foreign-key", Warning, None, "The data of a module has a key outside of the module's namespace";
        "invalid-data-file", Error, None, "A data file is malformed, or does not contain a hash";
        "invalid-hiera-config", Error, None, "A `hiera.yaml` is invalid";
        "invalid-lookup-options", Error, None, "An entry of `lookup_options` is invalid or has no effect";
        "unknown-class-key", Warning, None, "Data has a value for a class that does not exist";
        "unknown-parameter-key", Warning, None, "Data has a value for a parameter that does not exist";
        "unreachable-level", Warning, None, "A level of a `hiera.yaml` can read no file, or repeats one";
        "unused-key", Ignore, None, "Nothing looks up a key of data";
        "value-type", Error, None, "A value in data has the wrong type for a parameter or a lookup";
    }
    Style {
        "absolute-class-name", Ignore, None, "The name of a class starts with `::`";
        "absolute-variable-name", Ignore, None, "The name of a class's variable starts with `::`";
        "anchor-resource", Ignore, None, "An `anchor` of stdlib is declared";
        "capitalized-reference-title", Ignore, None, "A reference has a type where the title belongs";
        "case-without-default", Ignore, None, "A `case` has no default";
        "collector-without-query", Ignore, None, "A collector collects all resources of its type";
        "empty-string-assignment", Ignore, None, "A variable is set to the empty string";
        "empty-string-default", Ignore, None, "The default value of a parameter is the empty string";
        "ensure-not-first", Ignore, None, "`ensure` is not the first attribute of a resource";
        "exec-without-condition", Ignore, None, "An `exec` runs its command on every run of the agent";
        "file-ensure-present", Ignore, None, "A file has `ensure => present`, which does not say what it is";
        "file-mode", Ignore, None, "A mode is neither four octal digits nor symbolic";
        "implicit-top-scope", Ignore, None, "A definition reads a top-scope variable without `::`";
        "inherits-across-modules", Ignore, None, "A class inherits from a class of another module";
        "inherits-params-class", Ignore, None, "A class inherits its defaults from a `params` class";
        "leading-zero", Ignore, None, "A number has a leading zero";
        "long-line", Ignore, None, "A line has more than 140 characters";
        "lookup-in-parameter", Ignore, None, "A default value of a parameter is looked up";
        "missing-documentation", Ignore, None, "A definition has no documentation comment";
        "needless-double-quotes", Ignore, None, "A string in double quotes has no interpolation";
        "nested-definition", Ignore, None, "A class or a defined type is defined inside a class";
        "only-variable-string", Ignore, None, "A string contains only a variable";
        "optional-with-default", Ignore, None, "An `Optional` parameter has a default value other than `undef`";
        "package-ensure-latest", Ignore, None, "A package has `ensure => latest`";
        "parameter-documentation", Ignore, None, "A parameter has no documentation, or there is documentation of a parameter that does not exist";
        "parameter-order", Ignore, None, "A required parameter comes after an optional one";
        "puppet-url-without-modules", Ignore, None, "A `puppet:` URL has no `modules/` in it";
        "quoted-boolean", Ignore, None, "`'true'` or `'false'` is written as a string";
        "right-to-left-arrow", Ignore, None, "The arrow of a relationship points to the left";
        "selector-in-resource", Ignore, None, "A selector is inside of a resource";
        "single-quoted-variable", Ignore, None, "A string in single quotes has `${…}` in it";
        "star-comment", Ignore, None, "A comment is written as `/* */`";
        "symlink-target-in-ensure", Ignore, None, "`ensure` contains the target of a symbolic link";
        "top-scope-code", Ignore, None, "Code is outside of all definitions";
        "top-scope-fact", Ignore, None, "A fact is read as a variable of the top scope";
        "unenclosed-variable", Ignore, None, "A variable in a string has no braces";
        "unquoted-file-mode", Ignore, None, "A file mode is a number instead of a string";
        "unquoted-node-name", Ignore, None, "The name of a node has no quotes";
        "unquoted-option", Ignore, None, "An option of a `case` or a selector has no quotes";
        "unquoted-reference-title", Ignore, None, "The title in a reference has no quotes";
        "unquoted-resource-title", Ignore, None, "The title of a resource has no quotes";
        "untyped-parameter", Ignore, None, "A parameter has no type";
        "uppercase-variable", Ignore, None, "The name of a variable has a capital letter";
        "version-as-number", Ignore, None, "A version is compared as a number";
    }
    Tree {
        "removed-ruby-method", Ignore, None, "A template or a plugin calls a Ruby method that Ruby 3.2 removed";
        "uninstalled-module", Ignore, None, "A module of the `Puppetfile` is not in the module path";
        "unlisted-module", Ignore, None, "The code uses a module that the `Puppetfile` does not list";
        "unused-class", Ignore, None, "Nothing in the tree uses a class";
        "unused-data-file", Ignore, None, "No level of a `hiera.yaml` reads a file of data";
        "unused-defined-type", Ignore, None, "Nothing in the tree uses a defined type";
        "unused-file", Ignore, None, "Nothing in the tree reads a file of a module";
        "unused-function", Ignore, None, "Nothing in the tree uses a function";
        "unused-module", Ignore, None, "Nothing in the tree uses a module of the `Puppetfile`";
        "unused-template", Ignore, None, "Nothing in the tree reads a template";
        "unused-type", Ignore, None, "Nothing in the tree uses a type alias";
    }
    File {
        "unreadable-file", Error, None, "A file or folder cannot be read";
        "invalid-utf8", Error, None, "A file is not UTF-8";
        "invalid-metadata", Error, None, "A module's `metadata.json` is malformed";
        "invalid-task-metadata", Error, None, "The metadata of a task is malformed, or refers to files that do not exist";
        "invalid-ruby", Error, None, "Ruby code of a module, a template or a `Puppetfile` has a syntax error";
        "file-too-large", Error, None, "A file is larger than the limit";
        "link-leaves-tree", Warning, None, "A symbolic link leads out of the tree";
        "symlink-loop", Warning, None, "A symbolic link leads back to a folder above it";
        "internal-error", Error, None, "marotte itself failed on a file";
    }
}

impl Rule {
    /// Whether other rules don't look at a file with such an error, because its text is not understood. A selection of other
    /// rules doesn't silence it, only naming it does: silence must not stand for something unchecked.
    pub fn stops_others(&self) -> bool {
        let is_of_text = self.subject == Subject::Text && self.level == Level::Error;
        is_of_text && !UNDERSTOOD.contains(&self.name) || OF_DATA.contains(&self.name)
    }

    /// Whether the rule reports errors in files that some other rules need and most do not: data and Ruby. Unless a choice names
    /// it, it reports the files that the other requested rules read, and causes no more to be read.
    pub fn follows_others(&self) -> bool {
        OF_DATA.contains(&self.name) || self.name == "invalid-ruby"
    }

    /// Whether no setting and no comment can silence the rule: it reports that something wasn't checked, and a silent run must
    /// mean that everything was.
    pub fn always(&self) -> bool {
        matches!(
            self.name,
            "internal-error"
                | "unreadable-file"
                | "file-too-large"
                | "invalid-utf8"
                | "invalid-metadata"
                | "invalid-ruby"
                | "link-leaves-tree"
        )
    }

    /// Whether a comment can silence the rule. Of a file with a syntax error, the comments are as doubtful as the code, which
    /// was not checked.
    pub fn may_be_suppressed(&self) -> bool {
        !self.always() && self.name != "syntax-error"
    }
}

/// Rules about files of data that no other rule can look at.
const OF_DATA: [&str; 2] = ["invalid-data-file", "invalid-hiera-config"];

/// Rules about texts that are wrong, but understood: the other rules look at such a file all the same.
const UNDERSTOOD: [&str; 36] = [
    "appends-deletes-no-longer-supported",
    "captures-rest-not-last",
    "captures-rest-not-supported",
    "class-not-virtualizable",
    "cross-scope-assignment",
    "duplicate-default",
    "duplicate-key",
    "duplicate-parameter",
    "heredoc-text",
    "idem-expression-not-last",
    "idem-not-allowed-last",
    "illegal-assignment",
    "illegal-assignment-context",
    "illegal-attribute-append",
    "illegal-classref",
    "illegal-definition-location",
    "illegal-expression",
    "illegal-hostname-chars",
    "illegal-hostname-interpolation",
    "illegal-indexed-assignment",
    "illegal-node-inheritance",
    "illegal-numeric-assignment",
    "illegal-numeric-parameter",
    "illegal-numeric-var-name",
    "illegal-param-name",
    "illegal-query-expression",
    "illegal-top-construct-location",
    "illegal-var-name",
    "invalid-regex",
    "multiple-attributes-unfold",
    "not-virtualizable",
    "numeric-overflow",
    "reserved-parameter",
    "reserved-word",
    "resource-without-title",
    "unsupported-operator-in-context",
];

/// The rule with this name.
pub fn rule(name: &str) -> Option<&'static Rule> {
    index(name).map(|index| &RULES[index])
}

/// The place of a rule in the registry.
pub(crate) fn index(name: &str) -> Option<usize> {
    static INDEXES: LazyLock<HashMap<&'static str, usize>> =
        LazyLock::new(|| RULES.iter().enumerate().map(|(index, rule)| (rule.name, index)).collect());
    INDEXES.get(name).copied()
}

/// The rule name closest to an unknown name, if any is close.
pub fn nearest(name: &str) -> Option<&'static str> {
    let name = name.to_lowercase().replace('_', "-");
    let scored = RULES.iter().map(|rule| (strsim::damerau_levenshtein(&name, rule.name), rule.name));
    let (distance, nearest) = scored.min()?;
    (distance <= (name.chars().count() / 3).max(1)).then_some(nearest)
}

/// An error message for an unknown rule name or a pattern that matches nothing, with a suggestion.
pub fn unknown(name: &str) -> String {
    if name.contains('*') {
        return format!("no rule fits `{name}`");
    }
    let mut message = format!("there is no rule `{name}`");
    if let Some(nearest) = nearest(name) {
        message.push_str(&format!("; did you mean `{nearest}`?"));
    }
    message
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_is_kebab_case_and_declared_once() {
        for (at, rule) in RULES.iter().enumerate() {
            assert!(
                rule.name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-'),
                "{}",
                rule.name
            );
            assert!(RULES[..at].iter().all(|earlier| earlier.name != rule.name), "{} twice", rule.name);
        }
    }

    #[test]
    fn every_page_is_headed_by_its_rule() {
        for rule in RULES {
            assert_eq!(rule.page.lines().next(), Some(format!("# {}", rule.name).as_str()));
        }
    }

    #[test]
    fn the_nearest_name_is_near() {
        assert_eq!(nearest("Duplicate_Key"), Some("duplicate-key"));
        assert_eq!(nearest("ilegal-var-nam"), Some("illegal-var-name"));
        assert_eq!(nearest("140chars"), None);
    }
}
