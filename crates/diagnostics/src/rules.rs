//! The registry: all of marotte's rules, each declared once.

use foldhash::HashMap;
use rapidfuzz::distance::osa;
use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::LazyLock;

use crate::Level;

/// A rule: its name, its default level, and its documentation. Two rules are equal if their names are.
///
/// Code names a rule by its constant, such as [`UNUSED_VARIABLE`]: a rule that is not declared does not compile.
#[derive(Debug)]
pub struct Rule {
    /// The kebab-case name; if the reference has an issue code for the same thing, that code in kebab case.
    pub name: &'static str,
    /// The level unless the user configures another.
    pub level: Level,
    /// A summary of one line.
    pub summary: &'static str,
    /// The reference's issue code, if it reports the same problem.
    pub issue: Option<&'static str>,
    /// The first version of marotte that had the rule.
    pub since: &'static str,
    /// The rule's page, in Markdown: the code that it reports, the reason, a bad and a good example.
    pub page: &'static str,
    /// The thing that the rule examines.
    pub subject: Subject,
    /// The group that the rule belongs to.
    pub group: Group,
}

impl PartialEq for Rule {
    fn eq(&self, other: &Rule) -> bool {
        self.name == other.name
    }
}

impl Eq for Rule {}

impl PartialOrd for Rule {
    fn partial_cmp(&self, other: &Rule) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Rule {
    fn cmp(&self, other: &Rule) -> Ordering {
        self.name.cmp(other.name)
    }
}

impl Hash for Rule {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.name.hash(state);
    }
}

impl PartialEq<str> for Rule {
    fn eq(&self, name: &str) -> bool {
        self.name == name
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name)
    }
}

/// A group of rules, by the subject of their findings. Its name selects all of its rules wherever rules are selected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Group {
    /// The text of code that the language does not allow.
    Syntax,
    /// The names of definitions, variables and files.
    Names,
    /// The types and values of expressions.
    Types,
    /// Resources, their attributes and the relationships between them.
    Resources,
    /// Hiera data and its configuration.
    Data,
    /// Code that Puppet 8 or OpenVox 8 breaks or reads differently.
    Migration,
    /// Code that is right and written differently from what the style guide recommends.
    Style,
    /// The unused and the missing parts of a code tree.
    Tree,
    /// Files that cannot be read.
    Files,
    /// The evaluation of a program.
    Evaluation,
}

impl fmt::Display for Group {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl Group {
    /// All groups that rules belong to, in the order of the registry. Issues of evaluation cannot be chosen.
    pub const ALL: [Group; 9] = [
        Group::Syntax,
        Group::Names,
        Group::Types,
        Group::Resources,
        Group::Data,
        Group::Migration,
        Group::Style,
        Group::Tree,
        Group::Files,
    ];

    /// Returns the name of the group.
    pub const fn name(self) -> &'static str {
        match self {
            Group::Syntax => "syntax",
            Group::Names => "names",
            Group::Types => "types",
            Group::Resources => "resources",
            Group::Data => "data",
            Group::Migration => "migration",
            Group::Style => "style",
            Group::Tree => "tree",
            Group::Files => "files",
            Group::Evaluation => "evaluation",
        }
    }

    /// A sentence about the rules of the group.
    pub fn summary(self) -> &'static str {
        match self {
            Group::Syntax => "Code that the language does not allow, and comments that silence rules.",
            Group::Names => {
                "Names of definitions, variables, templates and files: those that do not exist, and those that nothing uses."
            }
            Group::Types => {
                "The types and values of expressions: arguments, operators, conditions and strings."
            }
            Group::Resources => {
                "Resources and classes, their attributes and parameters, and the relationships between them."
            }
            Group::Data => "Hiera data and its configuration.",
            Group::Migration => {
                "Code of earlier versions that Puppet 8 or OpenVox 8 breaks or reads differently."
            }
            Group::Style => {
                "Code that is right and written differently from what the style guide recommends."
            }
            Group::Tree => {
                "Code, files and data that nothing uses, and differences between the `Puppetfile` and the modules that the code needs."
            }
            Group::Files => "Files that cannot be read, or that lie outside of the tree.",
            Group::Evaluation => "Errors of evaluation.",
        }
    }
}

/// The thing that a rule examines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Subject {
    /// The text of a single file.
    Text,
    /// The meaning of code and data, including other files.
    Meaning,
    /// The style of correct code. These rules are disabled by default.
    Style,
    /// The unused and the missing parts of a code tree. Only reported on request.
    Tree,
    /// Whether a file can be read at all.
    File,
    /// The evaluation of a program.
    Evaluation,
}

/// Declares rules, each as a constant, and a table of all of them. Their pages are in a folder of the documentation.
macro_rules! rules {
    ($(#[$doc:meta])* $table:ident in $folder:literal: $($subject:ident $group:ident {
        $($id:ident = $name:literal, $level:ident, $issue:expr, $summary:literal;)*
    })*) => {
        $($(
            #[doc = concat!("`", $name, "`: ", $summary, ".")]
            pub const $id: &$crate::rules::Rule = &$crate::rules::Rule {
                name: $name,
                level: $crate::Level::$level,
                summary: $summary,
                issue: $issue,
                since: "0.1.0",
                page: include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/", $folder, "/", $name, ".md")),
                subject: $crate::rules::Subject::$subject,
                group: $crate::rules::Group::$group,
            };
        )*)*

        $(#[$doc])*
        pub static $table: &[&$crate::rules::Rule] = &[$($($id,)*)*];
    };
}
pub(crate) use rules;

rules! {
    /// All rules, by name within their family.
    RULES in "rules":
    Text Syntax {
        // lexical structure
        ILLEGAL_BOM = "illegal-bom", Error, Some("ILLEGAL_BOM"), "A byte order mark appears at the start of the file";
        ILLEGAL_CLASS_REFERENCE = "illegal-class-reference", Error, Some("ILLEGAL_CLASS_REFERENCE"), "A type reference has a segment that is not capitalised";
        ILLEGAL_FULLY_QUALIFIED_CLASS_REFERENCE = "illegal-fully-qualified-class-reference", Error, Some("ILLEGAL_FULLY_QUALIFIED_CLASS_REFERENCE"), "A type reference that starts with `::` has a segment that is not capitalised";
        ILLEGAL_FULLY_QUALIFIED_NAME = "illegal-fully-qualified-name", Error, Some("ILLEGAL_FULLY_QUALIFIED_NAME"), "`::` is followed by nothing that can be a name";
        ILLEGAL_NAME_OR_BARE_WORD = "illegal-name-or-bare-word", Error, Some("ILLEGAL_NAME_OR_BARE_WORD"), "A bare word is malformed";
        ILLEGAL_NUMBER = "illegal-number", Error, Some("ILLEGAL_NUMBER"), "A number has letters or underscores in it";
        INVALID_HEX_NUMBER = "invalid-hex-number", Error, Some("INVALID_HEX_NUMBER"), "A hexadecimal number has no digit, or a wrong one";
        INVALID_OCTAL_NUMBER = "invalid-octal-number", Error, Some("INVALID_OCTAL_NUMBER"), "A number that starts with 0 has a digit that is not octal";
        INVALID_DECIMAL_NUMBER = "invalid-decimal-number", Error, Some("INVALID_DECIMAL_NUMBER"), "A decimal number has a broken fraction or exponent";
        ILLEGAL_UNICODE_ESCAPE = "illegal-unicode-escape", Error, Some("ILLEGAL_UNICODE_ESCAPE"), "A `\\u` escape is malformed or names no character";
        UNRECOGNIZED_ESCAPE = "unrecognized-escape", Warning, Some("UNRECOGNIZED_ESCAPE"), "A backslash in double quotes escapes nothing";
        UNCLOSED_QUOTE = "unclosed-quote", Error, Some("UNCLOSED_QUOTE"), "A string is not closed";
        UNCLOSED_COMMENT = "unclosed-comment", Error, Some("UNCLOSED_MLCOMMENT"), "A `/*` comment is not closed";
        HEREDOC_UNCLOSED_PARENTHESIS = "heredoc-unclosed-parenthesis", Error, Some("HEREDOC_UNCLOSED_PARENTHESIS"), "A heredoc's `@(` is not closed";
        HEREDOC_INVALID_SYNTAX = "heredoc-invalid-syntax", Error, Some("HEREDOC_INVALID_SYNTAX"), "A heredoc's header is malformed";
        HEREDOC_INVALID_ESCAPE = "heredoc-invalid-escape", Error, Some("HEREDOC_INVALID_ESCAPE"), "A heredoc enables an escape that does not exist";
        HEREDOC_MULTIPLE_ESCAPES = "heredoc-multiple-escapes", Error, Some("HEREDOC_MULTIPLE_AT_ESCAPES"), "A heredoc enables the same escape twice";
        HEREDOC_EMPTY_ENDTAG = "heredoc-empty-endtag", Error, Some("HEREDOC_EMPTY_ENDTAG"), "A heredoc has an empty end tag";
        HEREDOC_WITHOUT_TEXT = "heredoc-without-text", Error, Some("HEREDOC_WITHOUT_TEXT"), "No line follows a heredoc's header";
        HEREDOC_WITHOUT_END_TAGGED_LINE = "heredoc-without-end-tagged-line", Error, Some("HEREDOC_WITHOUT_END_TAGGED_LINE"), "No line ends a heredoc";
        HEREDOC_TEXT = "heredoc-text", Error, None, "A heredoc's text does not comply with the syntax that its header declares";
        INVALID_REGEX = "invalid-regex", Error, None, "A regular expression is invalid";
        EPP_UNBALANCED_TAG = "epp-unbalanced-tag", Error, Some("EPP_UNBALANCED_TAG"), "A template ends inside a tag";
        EPP_UNBALANCED_COMMENT = "epp-unbalanced-comment", Error, Some("EPP_UNBALANCED_COMMENT"), "A template ends inside a comment";
        EPP_UNBALANCED_EXPRESSION = "epp-unbalanced-expression", Error, Some("EPP_UNBALANCED_EXPRESSION"), "A template ends right after an opening tag";
        // grammar
        SYNTAX_ERROR = "syntax-error", Error, Some("SYNTAX_ERROR"), "A token cannot appear where it does";
        MERGE_CONFLICT = "merge-conflict", Error, Some("SYNTAX_ERROR"), "A merge left a conflict in a file";
        UNCLOSED_DELIMITER = "unclosed-delimiter", Error, Some("SYNTAX_ERROR"), "A bracket has no partner";
        UNUSED_SUPPRESSION = "unused-suppression", Warning, None, "A comment silences a rule that finds nothing, or has no matching start or end";
        UNKNOWN_SUPPRESSION = "unknown-suppression", Warning, None, "A comment silences a rule that does not exist";
        NESTING_LIMIT = "nesting-limit", Error, None, "An expression or block is nested too deeply, or too long";
        // definitions
        NOT_TOP_LEVEL = "not-top-level", Error, Some("NOT_TOP_LEVEL"), "A class, define or node appears inside something else than a class";
        NOT_ABSOLUTE_TOP_LEVEL = "not-absolute-top-level", Error, Some("NOT_ABSOLUTE_TOP_LEVEL"), "A function or type appears inside a class";
        ILLEGAL_DEFINITION_NAME = "illegal-definition-name", Error, Some("ILLEGAL_DEFINITION_NAME"), "A definition's name is not acceptable";
        ILLEGAL_DEFINITION_LOCATION = "illegal-definition-location", Error, Some("ILLEGAL_DEFINITION_LOCATION"), "A definition's name does not fit its file";
        ILLEGAL_TOP_CONSTRUCT_LOCATION = "illegal-top-construct-location", Error, Some("ILLEGAL_TOP_CONSTRUCT_LOCATION"), "A module's file holds something else than definitions";
        RESERVED_TYPE_NAME = "reserved-type-name", Error, Some("RESERVED_TYPE_NAME"), "A definition is named like a built-in type";
        RESERVED_WORD = "reserved-word", Error, Some("RESERVED_WORD"), "A reserved word appears as an expression";
        FUTURE_RESERVED_WORD = "future-reserved-word", Warning, Some("FUTURE_RESERVED_WORD"), "A name will be reserved";
        ILLEGAL_NODE_INHERITANCE = "illegal-node-inheritance", Error, Some("ILLEGAL_NODE_INHERITANCE"), "A node inherits from another";
        ILLEGAL_HOSTNAME_CHARS = "illegal-hostname-chars", Error, Some("ILLEGAL_HOSTNAME_CHARS"), "A node's name has characters that no host name has";
        ILLEGAL_HOSTNAME_INTERPOLATION = "illegal-hostname-interpolation", Error, Some("ILLEGAL_HOSTNAME_INTERPOLATION"), "A node's name is interpolated";
        ILLEGAL_TYPE_MAPPING = "illegal-type-mapping", Error, Some("ILLEGAL_TYPE_MAPPING"), "The sides of a type mapping do not fit";
        UNSUPPORTED_EXPRESSION = "unsupported-expression", Error, Some("UNSUPPORTED_EXPRESSION"), "The grammar accepts this, but nothing implements it";
        // parameters
        RESERVED_PARAMETER = "reserved-parameter", Error, Some("RESERVED_PARAMETER"), "A parameter is named `$name` or `$title`";
        DUPLICATE_PARAMETER = "duplicate-parameter", Error, Some("DUPLICATE_PARAMETER"), "Two parameters have the same name";
        ILLEGAL_NUMERIC_PARAMETER = "illegal-numeric-parameter", Error, Some("ILLEGAL_NUMERIC_PARAMETER"), "A parameter has a numeric name";
        ILLEGAL_PARAM_NAME = "illegal-param-name", Error, Some("ILLEGAL_PARAM_NAME"), "A parameter's name is not acceptable";
        CAPTURES_REST_NOT_LAST = "captures-rest-not-last", Error, Some("CAPTURES_REST_NOT_LAST"), "A `*` parameter is not the last one";
        CAPTURES_REST_NOT_SUPPORTED = "captures-rest-not-supported", Error, Some("CAPTURES_REST_NOT_SUPPORTED"), "A class, define or template has a `*` parameter";
        ILLEGAL_ASSIGNMENT_CONTEXT = "illegal-assignment-context", Error, Some("ILLEGAL_ASSIGNMENT_CONTEXT"), "A default value assigns a variable";
        ILLEGAL_NONLITERAL_PARAMETER_TYPE = "illegal-nonliteral-parameter-type", Warning, Some("ILLEGAL_NONLITERAL_PARAMETER_TYPE"), "A class parameter's type is computed";
        // variables and assignment
        ILLEGAL_VAR_NAME = "illegal-var-name", Error, Some("ILLEGAL_VAR_NAME"), "A variable's name is not acceptable";
        ILLEGAL_NUMERIC_VAR_NAME = "illegal-numeric-var-name", Error, Some("ILLEGAL_NUMERIC_VAR_NAME"), "A variable's name starts with a digit and is not a decimal number";
        CROSS_SCOPE_ASSIGNMENT = "cross-scope-assignment", Error, Some("CROSS_SCOPE_ASSIGNMENT"), "A variable of another namespace is assigned";
        ILLEGAL_NUMERIC_ASSIGNMENT = "illegal-numeric-assignment", Error, Some("ILLEGAL_NUMERIC_ASSIGNMENT"), "A match variable is assigned";
        ILLEGAL_INDEXED_ASSIGNMENT = "illegal-indexed-assignment", Error, Some("ILLEGAL_INDEXED_ASSIGNMENT"), "An element of a collection is assigned";
        ILLEGAL_ASSIGNMENT = "illegal-assignment", Error, Some("ILLEGAL_ASSIGNMENT"), "Something that is not a variable is assigned";
        APPENDS_DELETES_NO_LONGER_SUPPORTED = "appends-deletes-no-longer-supported", Error, Some("APPENDS_DELETES_NO_LONGER_SUPPORTED"), "`+=` or `-=` is used";
        // expressions
        NOT_RVALUE = "not-rvalue", Error, Some("NOT_RVALUE"), "A definition or collector appears where a value is needed";
        IDEM_EXPRESSION_NOT_LAST = "idem-expression-not-last", Error, Some("IDEM_EXPRESSION_NOT_LAST"), "A value is computed and thrown away";
        IDEM_NOT_ALLOWED_LAST = "idem-not-allowed-last", Error, Some("IDEM_NOT_ALLOWED_LAST"), "A class, define or node ends with a value that is never used";
        RESOURCE_WITHOUT_TITLE = "resource-without-title", Error, Some("RESOURCE_WITHOUT_TITLE"), "A resource has no title";
        DUPLICATE_DEFAULT = "duplicate-default", Error, Some("DUPLICATE_DEFAULT"), "A case or selector has two defaults";
        DUPLICATE_KEY = "duplicate-key", Error, Some("DUPLICATE_KEY"), "A hash has the same key twice";
        ILLEGAL_EXPRESSION = "illegal-expression", Error, Some("ILLEGAL_EXPRESSION"), "An expression is used where a name is expected";
        NUMERIC_OVERFLOW = "numeric-overflow", Error, Some("NUMERIC_OVERFLOW"), "An integer does not fit into 64 bits";
        ILLEGAL_CLASSREF = "illegal-classref", Error, Some("ILLEGAL_CLASSREF"), "A type reference is not a valid name";
        // The reference rejects an `import` only when evaluating it; at top level, this happens before any node is considered.
        DISCONTINUED_IMPORT = "discontinued-import", Error, Some("DISCONTINUED_IMPORT"), "`import` is used";
        // catalog syntax
        ILLEGAL_ATTRIBUTE_APPEND = "illegal-attribute-append", Error, Some("ILLEGAL_ATTRIBUTE_APPEND"), "`+>` appears outside of overrides and collectors";
        MULTIPLE_ATTRIBUTES_UNFOLD = "multiple-attributes-unfold", Error, Some("MULTIPLE_ATTRIBUTES_UNFOLD"), "`* =>` appears twice in one resource body";
        UNSUPPORTED_OPERATOR_IN_CONTEXT = "unsupported-operator-in-context", Error, Some("UNSUPPORTED_OPERATOR_IN_CONTEXT"), "`* =>` appears where it is not allowed";
        NOT_VIRTUALIZABLE = "not-virtualizable", Error, Some("NOT_VIRTUALIZEABLE"), "Resource defaults or overrides are made virtual";
        CLASS_NOT_VIRTUALIZABLE = "class-not-virtualizable", Error, Some("CLASS_NOT_VIRTUALIZABLE"), "A class is made virtual";
        ILLEGAL_QUERY_EXPRESSION = "illegal-query-expression", Error, Some("ILLEGAL_QUERY_EXPRESSION"), "A collector's query has an expression that is not allowed there";
        ILLEGAL_EPP_PARAMETERS = "illegal-epp-parameters", Error, Some("ILLEGAL_EPP_PARAMETERS"), "Text appears before a template's parameters";
        EXPRESSION_NOT_SUPPORTED_WHEN_SCRIPTING = "expression-not-supported-when-scripting", Error, Some("EXPRESSION_NOT_SUPPORTED_WHEN_SCRIPTING"), "A plan holds catalog code";
        EXPRESSION_NOT_SUPPORTED_WHEN_COMPILING = "expression-not-supported-when-compiling", Error, Some("EXPRESSION_NOT_SUPPORTED_WHEN_COMPILING"), "An `apply` block holds plan code";
    }
    Meaning Names {
        UNRESOLVED_CLASS = "unresolved-class", Error, None, "A class exists nowhere";
        UNRESOLVED_FUNCTION = "unresolved-function", Error, Some("UNKNOWN_FUNCTION"), "A function exists nowhere";
        UNRESOLVED_RESOURCE_TYPE = "unresolved-resource-type", Error, None, "A resource type exists nowhere";
        UNRESOLVED_TYPE = "unresolved-type", Error, Some("UNKNOWN_RESOURCE_TYPE"), "A type exists nowhere";
        UNRESOLVED_TASK = "unresolved-task", Error, None, "A plan runs a task or a plan that exists nowhere";
        UNRESOLVED_TEMPLATE = "unresolved-template", Error, None, "A template exists nowhere";
        UNRESOLVED_FILE = "unresolved-file", Error, None, "A file of a module exists nowhere";
        UNRESOLVED_VARIABLE = "unresolved-variable", Error, Some("UNKNOWN_VARIABLE"), "A variable is read that nothing sets";
        POSSIBLY_UNSET_VARIABLE = "possibly-unset-variable", Warning, None, "A variable is read that is not set on every path";
        REASSIGNED_VARIABLE = "reassigned-variable", Error, Some("ILLEGAL_REASSIGNMENT"), "A variable gets a value twice";
        UNUSED_VARIABLE = "unused-variable", Warning, None, "Nothing reads a variable";
        UNUSED_PARAMETER = "unused-parameter", Warning, None, "A function or defined type does not use a parameter";
        DUPLICATE_DEFINITION = "duplicate-definition", Error, None, "A class, a function, a type or a node is defined twice";
        WRONG_AUTOLOAD_PATH = "wrong-autoload-path", Warning, None, "A definition is in a file where the autoloader does not look for it";
        INHERITS_CYCLE = "inherits-cycle", Error, None, "A class inherits from itself";
        PRIVATE_USE = "private-use", Warning, None, "A private part of another module is used";
        UNDECLARED_MODULE_DEPENDENCY = "undeclared-module-dependency", Warning, None, "A module uses another one that its metadata does not list";
        TOP_SCOPE_FACT_SHADOW = "top-scope-fact-shadow", Warning, None, "A variable hides the fact of the same name";
    }
    Meaning Types {
        ARGUMENT_COUNT = "argument-count", Error, None, "A function is given too few or too many arguments";
        ARGUMENT_TYPE = "argument-type", Error, None, "A function is given an argument of a wrong type";
        DEFAULT_VALUE_TYPE = "default-value-type", Error, None, "A default value is not of the type that is declared";
        RETURN_TYPE = "return-type", Error, None, "A function returns a value of a wrong type";
        OPERATOR_TYPE = "operator-type", Error, None, "An operator is given values that it does not take";
        OPERATOR_PRECEDENCE = "operator-precedence", Warning, None, "Operators in a condition bind differently from how it reads";
        ALWAYS_FALSE_CONDITION = "always-false-condition", Warning, None, "A condition never holds";
        ALWAYS_TRUE_CONDITION = "always-true-condition", Warning, None, "A condition always holds";
        IMPOSSIBLE_MATCH = "impossible-match", Warning, None, "A value can never match a type or equal an option";
        MISSING_OPTION = "missing-option", Warning, None, "A selector or a `case` has no option for a possible value";
        DUPLICATE_CASE_OPTION = "duplicate-case-option", Warning, None, "An option equals an earlier one";
        UNREACHABLE_CODE = "unreachable-code", Warning, None, "Nothing evaluates a statement";
        INVALID_FORMAT_STRING = "invalid-format-string", Error, None, "A format string is invalid";
        MISREAD_INTERPOLATION = "misread-interpolation", Warning, None, "A string looks as if it interpolated something else";
        SENSITIVE_LEAK = "sensitive-leak", Warning, None, "A secret is exposed as plain text";
    }
    Meaning Resources {
        UNKNOWN_PARAMETER = "unknown-parameter", Error, None, "A class, defined type, template, plan or task has no such parameter";
        MISSING_PARAMETER = "missing-parameter", Error, None, "A parameter without a default value is not given";
        PARAMETER_TYPE = "parameter-type", Error, None, "A class, a defined type, a template, a plan or a task is given a value of a wrong type";
        UNKNOWN_ATTRIBUTE = "unknown-attribute", Error, None, "A resource type has no such attribute";
        ATTRIBUTE_VALUE = "attribute-value", Warning, None, "A resource type does not accept the value of an attribute";
        DUPLICATE_ATTRIBUTE = "duplicate-attribute", Error, Some("DUPLICATE_ATTRIBUE"), "An attribute is set twice";
        DUPLICATE_DECLARATION = "duplicate-declaration", Error, None, "A resource or class is declared twice";
        DANGLING_REFERENCE = "dangling-reference", Error, None, "A relationship refers to a resource that nothing declares";
        DEPENDENCY_CYCLE = "dependency-cycle", Error, None, "Resources depend on each other";
        INVALID_RELATIONSHIP = "invalid-relationship", Error, Some("ILLEGAL_RELATIONSHIP_OPERAND_TYPE"), "An operand of a relationship is not a resource";
        LOOSE_NODE_PATTERN = "loose-node-pattern", Warning, None, "The name or pattern of a node matches other hosts than it seems to";
    }
    Meaning Data {
        UNRESOLVED_KEY = "unresolved-key", Warning, None, "A lookup asks for a key that no data has";
        BAD_INTERPOLATION = "bad-interpolation", Error, None, "An interpolation in data fails or refers to nothing";
        FOREIGN_KEY = "foreign-key", Warning, None, "The data of a module has a key outside of the module's namespace";
        INVALID_DATA_FILE = "invalid-data-file", Error, None, "A data file is malformed, or does not contain a hash";
        INVALID_HIERA_CONFIG = "invalid-hiera-config", Error, None, "A `hiera.yaml` is invalid";
        INVALID_LOOKUP_OPTIONS = "invalid-lookup-options", Error, None, "An entry of `lookup_options` is invalid or has no effect";
        UNKNOWN_CLASS_KEY = "unknown-class-key", Warning, None, "Data has a value for a class that does not exist";
        UNKNOWN_PARAMETER_KEY = "unknown-parameter-key", Warning, None, "Data has a value for a parameter that does not exist";
        UNREACHABLE_LEVEL = "unreachable-level", Warning, None, "A level of a `hiera.yaml` can read no file, or repeats one";
        UNUSED_KEY = "unused-key", Ignore, None, "Nothing looks up a key of data";
        VALUE_TYPE = "value-type", Error, None, "A value in data has the wrong type for a parameter or a lookup";
    }
    Meaning Migration {
        DEPRECATED_FUNCTION = "deprecated-function", Warning, None, "A deprecated function is called";
        DIALECT_CHANGE = "dialect-change", Warning, None, "Code of an older dialect means something else in Puppet 8";
        LEGACY_FACT = "legacy-fact", Warning, None, "A legacy fact is read, which agents of Puppet 8 do not send";
        REMOVED_RUBY_METHOD = "removed-ruby-method", Warning, None, "A template or a plugin calls a Ruby method that Ruby 3.2 removed";
    }
    Style Style {
        ABSOLUTE_CLASS_NAME = "absolute-class-name", Ignore, None, "The name of a class starts with `::`";
        ABSOLUTE_VARIABLE_NAME = "absolute-variable-name", Ignore, None, "The name of a class's variable starts with `::`";
        ANCHOR_RESOURCE = "anchor-resource", Ignore, None, "An `anchor` of stdlib is declared";
        CAPITALIZED_REFERENCE_TITLE = "capitalized-reference-title", Ignore, None, "A reference has a type where the title belongs";
        CASE_WITHOUT_DEFAULT = "case-without-default", Ignore, None, "A `case` has no default";
        COLLECTOR_WITHOUT_QUERY = "collector-without-query", Ignore, None, "A collector collects all resources of its type";
        EMPTY_STRING_ASSIGNMENT = "empty-string-assignment", Ignore, None, "A variable is set to the empty string";
        EMPTY_STRING_DEFAULT = "empty-string-default", Ignore, None, "The default value of a parameter is the empty string";
        ENSURE_NOT_FIRST = "ensure-not-first", Ignore, None, "`ensure` is not the first attribute of a resource";
        EXEC_WITHOUT_CONDITION = "exec-without-condition", Ignore, None, "An `exec` runs its command on every run of the agent";
        FILE_ENSURE_PRESENT = "file-ensure-present", Ignore, None, "A file has `ensure => present`, which does not say what it is";
        FILE_MODE = "file-mode", Ignore, None, "A mode is neither four octal digits nor symbolic";
        IMPLICIT_TOP_SCOPE = "implicit-top-scope", Ignore, None, "A definition reads a top-scope variable without `::`";
        INHERITS_ACROSS_MODULES = "inherits-across-modules", Ignore, None, "A class inherits from a class of another module";
        INHERITS_PARAMS_CLASS = "inherits-params-class", Ignore, None, "A class inherits its defaults from a `params` class";
        LEADING_ZERO = "leading-zero", Ignore, None, "A number has a leading zero";
        LONG_LINE = "long-line", Ignore, None, "A line has more than 140 characters";
        LOOKUP_IN_PARAMETER = "lookup-in-parameter", Ignore, None, "A default value of a parameter is looked up";
        MISSING_DOCUMENTATION = "missing-documentation", Ignore, None, "A definition has no documentation comment";
        NEEDLESS_DOUBLE_QUOTES = "needless-double-quotes", Ignore, None, "A string in double quotes has no interpolation";
        NESTED_DEFINITION = "nested-definition", Ignore, None, "A class or a defined type is defined inside a class";
        ONLY_VARIABLE_STRING = "only-variable-string", Ignore, None, "A string contains only a variable";
        OPTIONAL_WITH_DEFAULT = "optional-with-default", Ignore, None, "An `Optional` parameter has a default value other than `undef`";
        PACKAGE_ENSURE_LATEST = "package-ensure-latest", Ignore, None, "A package has `ensure => latest`";
        PARAMETER_DOCUMENTATION = "parameter-documentation", Ignore, None, "A parameter has no documentation, or there is documentation of a parameter that does not exist";
        PARAMETER_ORDER = "parameter-order", Ignore, None, "A required parameter comes after an optional one";
        PUPPET_URL_WITHOUT_MODULES = "puppet-url-without-modules", Ignore, None, "A `puppet:` URL has no `modules/` in it";
        QUOTED_BOOLEAN = "quoted-boolean", Ignore, None, "`'true'` or `'false'` is written as a string";
        RIGHT_TO_LEFT_ARROW = "right-to-left-arrow", Ignore, None, "The arrow of a relationship points to the left";
        SELECTOR_IN_RESOURCE = "selector-in-resource", Ignore, None, "A selector is inside of a resource";
        SINGLE_QUOTED_VARIABLE = "single-quoted-variable", Ignore, None, "A string in single quotes has `${…}` in it";
        STAR_COMMENT = "star-comment", Ignore, None, "A comment is written as `/* */`";
        SYMLINK_TARGET_IN_ENSURE = "symlink-target-in-ensure", Ignore, None, "`ensure` contains the target of a symbolic link";
        TOP_SCOPE_CODE = "top-scope-code", Ignore, None, "Code is outside of all definitions";
        TOP_SCOPE_FACT = "top-scope-fact", Ignore, None, "A fact is read as a variable of the top scope";
        UNENCLOSED_VARIABLE = "unenclosed-variable", Ignore, None, "A variable in a string has no braces";
        UNQUOTED_FILE_MODE = "unquoted-file-mode", Ignore, None, "A file mode is a number instead of a string";
        UNQUOTED_NODE_NAME = "unquoted-node-name", Ignore, None, "The name of a node has no quotes";
        UNQUOTED_OPTION = "unquoted-option", Ignore, None, "An option of a `case` or a selector has no quotes";
        UNQUOTED_REFERENCE_TITLE = "unquoted-reference-title", Ignore, None, "The title in a reference has no quotes";
        UNQUOTED_RESOURCE_TITLE = "unquoted-resource-title", Ignore, None, "The title of a resource has no quotes";
        UNTYPED_PARAMETER = "untyped-parameter", Ignore, None, "A parameter has no type";
        UPPERCASE_VARIABLE = "uppercase-variable", Ignore, None, "The name of a variable has a capital letter";
        VERSION_AS_NUMBER = "version-as-number", Ignore, None, "A version is compared as a number";
    }
    Tree Tree {
        UNINSTALLED_MODULE = "uninstalled-module", Ignore, None, "A module of the `Puppetfile` is not in the module path";
        UNLISTED_MODULE = "unlisted-module", Ignore, None, "The code uses a module that the `Puppetfile` does not list";
        UNUSED_CLASS = "unused-class", Ignore, None, "Nothing in the tree uses a class";
        UNUSED_DATA_FILE = "unused-data-file", Ignore, None, "No level of a `hiera.yaml` reads a file of data";
        UNUSED_DEFINED_TYPE = "unused-defined-type", Ignore, None, "Nothing in the tree uses a defined type";
        UNUSED_FILE = "unused-file", Ignore, None, "Nothing in the tree reads a file of a module";
        UNUSED_FUNCTION = "unused-function", Ignore, None, "Nothing in the tree uses a function";
        UNUSED_MODULE = "unused-module", Ignore, None, "Nothing in the tree uses a module of the `Puppetfile`";
        UNUSED_TEMPLATE = "unused-template", Ignore, None, "Nothing in the tree reads a template";
        UNUSED_TYPE = "unused-type", Ignore, None, "Nothing in the tree uses a type alias";
    }
    File Files {
        UNREADABLE_FILE = "unreadable-file", Error, None, "A file or folder cannot be read";
        INVALID_UTF8 = "invalid-utf8", Error, None, "A file is not UTF-8";
        METADATA_FIELD = "metadata-field", Warning, None, "A field of a module's `metadata.json` is missing, or has a form that the Forge refuses";
        INVALID_METADATA = "invalid-metadata", Error, None, "A module's `metadata.json` is malformed";
        INVALID_ENVIRONMENT_CONF = "invalid-environment-conf", Error, None, "An `environment.conf` has lines, settings or paths that Puppet refuses or ignores";
        INVALID_PLAN = "invalid-plan", Error, None, "A plan in YAML has keys, values or code that Bolt refuses";
        INVALID_PUPPETFILE = "invalid-puppetfile", Error, None, "A `Puppetfile` lists a module twice, or declares one in a form that r10k refuses";
        INVALID_TASK_METADATA = "invalid-task-metadata", Error, None, "The metadata of a task is malformed, or refers to files that do not exist";
        INVALID_RUBY = "invalid-ruby", Error, None, "Ruby code of a module, a template or a `Puppetfile` has a syntax error";
        FILE_TOO_LARGE = "file-too-large", Error, None, "A file is larger than the limit";
        LINK_LEAVES_TREE = "link-leaves-tree", Warning, None, "A symbolic link leads out of the tree";
        SYMLINK_LOOP = "symlink-loop", Warning, None, "A symbolic link leads back to a folder above it";
        INTERNAL_ERROR = "internal-error", Error, None, "marotte itself failed on a file";
    }
}

impl Rule {
    /// Whether other rules don't look at a file with such an error, because its text is not understood. A selection of other
    /// rules doesn't silence it, only naming it does: silence must not stand for something unchecked.
    pub fn stops_others(&self) -> bool {
        let is_of_text = self.subject == Subject::Text && self.level == Level::Error;
        is_of_text && !UNDERSTOOD.contains(&self) || OF_DATA.contains(&self)
    }

    /// Whether the rule reports errors in files that some other rules need and most do not: data and Ruby. Unless a choice names
    /// it, it reports the files that the other requested rules read, and causes no more to be read.
    pub fn follows_others(&self) -> bool {
        OF_DATA.contains(&self) || self == INVALID_RUBY
    }

    /// Whether no setting and no comment can silence the rule: it reports that something wasn't checked, and a silent run must
    /// mean that everything was.
    pub fn always(&self) -> bool {
        [
            INTERNAL_ERROR,
            UNREADABLE_FILE,
            FILE_TOO_LARGE,
            INVALID_UTF8,
            INVALID_METADATA,
            INVALID_RUBY,
            LINK_LEAVES_TREE,
        ]
        .contains(&self)
    }

    /// Whether a comment can silence the rule. Of a file with a syntax error, the comments are as doubtful as the code, which
    /// was not checked.
    pub fn may_be_suppressed(&self) -> bool {
        !self.always() && self != SYNTAX_ERROR
    }
}

/// Rules about data files that no other rule can examine.
const OF_DATA: [&Rule; 2] = [INVALID_DATA_FILE, INVALID_HIERA_CONFIG];

/// Rules about texts that are invalid, but understood: other rules examine such files nevertheless.
const UNDERSTOOD: [&Rule; 36] = [
    APPENDS_DELETES_NO_LONGER_SUPPORTED,
    CAPTURES_REST_NOT_LAST,
    CAPTURES_REST_NOT_SUPPORTED,
    CLASS_NOT_VIRTUALIZABLE,
    CROSS_SCOPE_ASSIGNMENT,
    DUPLICATE_DEFAULT,
    DUPLICATE_KEY,
    DUPLICATE_PARAMETER,
    HEREDOC_TEXT,
    IDEM_EXPRESSION_NOT_LAST,
    IDEM_NOT_ALLOWED_LAST,
    ILLEGAL_ASSIGNMENT,
    ILLEGAL_ASSIGNMENT_CONTEXT,
    ILLEGAL_ATTRIBUTE_APPEND,
    ILLEGAL_CLASSREF,
    ILLEGAL_DEFINITION_LOCATION,
    ILLEGAL_EXPRESSION,
    ILLEGAL_HOSTNAME_CHARS,
    ILLEGAL_HOSTNAME_INTERPOLATION,
    ILLEGAL_INDEXED_ASSIGNMENT,
    ILLEGAL_NODE_INHERITANCE,
    ILLEGAL_NUMERIC_ASSIGNMENT,
    ILLEGAL_NUMERIC_PARAMETER,
    ILLEGAL_NUMERIC_VAR_NAME,
    ILLEGAL_PARAM_NAME,
    ILLEGAL_QUERY_EXPRESSION,
    ILLEGAL_TOP_CONSTRUCT_LOCATION,
    ILLEGAL_VAR_NAME,
    INVALID_REGEX,
    MULTIPLE_ATTRIBUTES_UNFOLD,
    NOT_VIRTUALIZABLE,
    NUMERIC_OVERFLOW,
    RESERVED_PARAMETER,
    RESERVED_WORD,
    RESOURCE_WITHOUT_TITLE,
    UNSUPPORTED_OPERATOR_IN_CONTEXT,
];

/// The rule with this name.
pub fn rule(name: &str) -> Option<&'static Rule> {
    index(name).map(|index| RULES[index])
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
    let scored = RULES.iter().map(|rule| (osa::distance(name.chars(), rule.name.chars()), rule.name));
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
    fn every_group_has_rules_and_no_rule_has_the_name_of_a_group() {
        for group in Group::ALL {
            assert!(RULES.iter().any(|it| it.group == group), "{group:?}");
            assert!(rule(group.name()).is_none(), "{group:?}");
        }
        assert!(RULES.iter().all(|it| Group::ALL.contains(&it.group)));
    }

    #[test]
    fn the_nearest_name_is_near() {
        assert_eq!(nearest("Duplicate_Key"), Some("duplicate-key"));
        assert_eq!(nearest("ilegal-var-nam"), Some("illegal-var-name"));
        assert_eq!(nearest("140chars"), None);
    }
}
