//! The messages of syntax errors: the one place that chooses rule, message, label, other places, notes and fix for every
//! [`SyntaxErrorKind`].
//!
//! `words` is the dispatch table; one module per family writes the messages.

mod catalog;
mod definitions;
mod expressions;
mod grammar;
mod heredocs;
mod labels;
mod lexical;
mod parameters;
mod slips;
mod variables;
mod words;

use marotte_syntax::{SyntaxError, SyntaxErrorKind};
use marotte_text::{ByteOrderMark, TextRange};

use crate::{Diagnostic, FileId, Level, Related, rules};
use words::{Site, Words};

/// The finding for an error in `source`, which is the text of `file`.
pub fn diagnostic(file: FileId, error: &SyntaxError, source: &str) -> Diagnostic {
    let words = words(Site { source, range: error.range }, &error.kind);
    let own_level = words.rule.level;
    let related = words.related.into_iter().map(|(range, message)| Related { file, range, message });
    Diagnostic {
        rule: words.rule,
        level: if error.kind.is_warning() { Level::Warning } else { own_level },
        file,
        range: words.at.unwrap_or(error.range),
        message: words.message,
        label: words.label,
        related: related.collect(),
        notes: words.notes,
        fix: words.fix,
        conceals: false,
        in_all_versions: false,
    }
}

/// The finding for a file that starts with the byte order mark of an encoding other than UTF-8: nothing else in it can be
/// checked.
pub fn byte_order_mark(file: FileId, mark: ByteOrderMark) -> Diagnostic {
    let kind = SyntaxErrorKind::ByteOrderMark { encoding: mark.encoding, bytes: mark.to_string().into() };
    diagnostic(file, &SyntaxError { range: TextRange::default(), kind }, "")
}

fn words(site: Site, kind: &SyntaxErrorKind) -> Words {
    use SyntaxErrorKind::*;
    match kind {
        ByteOrderMark { encoding, bytes } => lexical::byte_order_mark(site, encoding, bytes),
        IllegalClassReference => lexical::class_reference(site, rules::ILLEGAL_CLASS_REFERENCE),
        IllegalFullyQualifiedClassReference => {
            lexical::class_reference(site, rules::ILLEGAL_FULLY_QUALIFIED_CLASS_REFERENCE)
        }
        IllegalFullyQualifiedName => lexical::fully_qualified_name(site),
        IllegalNameOrBareWord => lexical::bare_word(site),
        IllegalNumber(text) => lexical::number(site, text),
        InvalidHexNumber(text) => lexical::hex_number(text),
        InvalidOctalNumber(text) => lexical::octal_number(site, text),
        InvalidDecimalNumber { text, plus_exponent } => lexical::decimal_number(site, text, *plus_exponent),
        MalformedUnicodeEscape => lexical::malformed_unicode_escape(site),
        NoSuchCharacter => lexical::no_such_character(site),
        UnrecognizedEscape(character) => lexical::unrecognized_escape(site, *character),
        StringEndsLate { quote, end } => lexical::string_ends_late(*quote, *end),
        UnclosedQuote { quote, culprit } => lexical::unclosed_quote(site, *quote, *culprit),
        UnclosedComment => lexical::unclosed_comment(),
        RegexOptions(options) => lexical::regex_options(options),
        InvalidRegex(reason) => lexical::regex(site, reason),
        EppUnbalancedTag => lexical::epp_tag(site),
        EppUnbalancedComment => lexical::epp_comment(),
        EppUnbalancedExpression => lexical::epp_expression(site),

        HeredocUnclosedParenthesis => heredocs::unclosed_parenthesis(),
        HeredocInvalidSyntax => heredocs::header(site),
        HeredocInvalidEscape(escape) => heredocs::escape(*escape),
        HeredocMultipleEscapes(escape) => heredocs::repeated_escape(*escape),
        HeredocEmptyEndTag => heredocs::empty_end_tag(),
        HeredocWithoutText => heredocs::no_text(),
        HeredocWithoutEnd { tag } => heredocs::no_end(tag),
        HeredocSwallows { tag, other } => heredocs::swallows(tag, *other),
        HeredocText { syntax, reason } => heredocs::text(syntax, reason),

        MergeConflict => grammar::merge_conflict(),
        Unexpected { found, slip } => slips::unexpected(site, found.as_deref(), slip),
        Unclosed { open, close, expected_at } => grammar::unclosed(open, close, *expected_at),
        Unopened { close } => grammar::unopened(close),
        NotAResource => grammar::not_a_resource(site),
        NotVirtual { exported } => grammar::not_virtual(*exported),
        AppendWithoutTitle => grammar::append_without_title(),
        ClassKeywordAsName => grammar::class_keyword_as_name(),
        QuotedName => grammar::quoted_name(site),
        CommaList { function } => grammar::comma_list(function.as_deref()),
        NestingLimit(limit) => grammar::nesting_limit(*limit),
        ChainLimit(limit) => grammar::chain_limit(*limit),
        GivenUp => grammar::given_up(),

        NotTopLevel(definition) => definitions::not_top_level(definition),
        NotAbsoluteTopLevel(definition) => definitions::not_absolute_top_level(definition),
        IllegalDefinitionName { name, definition } => definitions::name(name, definition),
        ReservedTypeName { name, definition } => definitions::reserved_type_name(name, definition),
        ReservedWord(word) => definitions::reserved_word(site, word),
        FutureReservedWord(word) => definitions::future_reserved_word(word),
        NodeInheritance => definitions::node_inheritance(),
        IllegalHostnameCharacters(name) => definitions::hostname_characters(name),
        HostnameInterpolation => definitions::hostname_interpolation(),
        IllegalTypeMapping { pattern } => definitions::type_mapping(*pattern),
        UnsupportedExpression(expression) => definitions::unsupported(expression),

        ReservedParameter(name) => parameters::reserved(name),
        DuplicateParameter { name, first } => parameters::duplicate(name, *first),
        NumericParameter(name) => parameters::numeric(name),
        IllegalParameterName(name) => parameters::name(name),
        CapturesRestNotLast(name) => parameters::captures_rest_not_last(name),
        CapturesRestNotSupported { name, container } => parameters::captures_rest(name, container),
        AssignmentInDefault => parameters::assignment_in_default(),
        NonLiteralParameterType(name) => parameters::computed_type(name),

        IllegalVariableName(name) => variables::name(site, name),
        IllegalNumericVariableName(name) => variables::numeric_name(name),
        CrossScopeAssignment(name) => variables::cross_scope(name),
        NumericAssignment(name) => variables::numeric(name),
        IndexedAssignment => variables::indexed(),
        IllegalAssignment(target) => variables::target(target),
        AppendsDeletes(operator) => variables::appends_deletes(operator),

        NotAValue(expression) => expressions::not_a_value(expression),
        NoEffect(expression) => expressions::no_effect(site, expression),
        NoEffectLast { expression, container } => expressions::no_effect_last(expression, container),
        ResourceWithoutTitle(name) => expressions::resource_without_title(name),
        DuplicateDefault { container, first } => expressions::duplicate_default(container, *first),
        DuplicateKey { key, first } => expressions::duplicate_key(key, *first),
        IllegalExpression { expression, feature, container } => {
            expressions::wrong_kind(expression, feature, container)
        }
        NumericOverflow(number) => expressions::overflow(number),
        IllegalTypeReference(name) => expressions::type_reference(name),
        DiscontinuedImport => expressions::import(),
        NotInPlan(expression) => expressions::not_in_plan(expression),
        NotInApply(expression) => expressions::not_in_apply(expression),

        AttributeAppend { name, container } => catalog::append(site, name, container),
        MultipleUnfold { first } => catalog::second_unfold(*first),
        UnfoldInContext(context) => catalog::unfold(context),
        NotVirtualizable => catalog::not_virtualizable(),
        ClassNotVirtualizable => catalog::virtual_class(),
        IllegalQuery(expression) => catalog::query(expression),
        EppParameters => catalog::epp_parameters(),
    }
}

#[cfg(test)]
mod tests;
