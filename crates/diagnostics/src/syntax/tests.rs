use std::fmt::Write;

use insta::{assert_snapshot, with_settings};
use marotte_syntax::{Slip, SyntaxErrorKind as Kind};
use marotte_text::{TextRange, TextSize};

use super::*;
use crate::rules;

/// The finding for a source in which `«` and `»` enclose the place of the error.
fn told(marked: &str, kind: Kind) -> (String, Diagnostic) {
    let start = marked.find('«').unwrap();
    let end = marked.find('»').unwrap() - '«'.len_utf8();
    let source = marked.replace(['«', '»'], "");
    let range = TextRange::new(TextSize::new(start as u32), TextSize::new(end as u32));
    let told = diagnostic(FileId(0), &SyntaxError { range, kind }, &source);
    (source, told)
}

/// The source with the fix applied.
fn corrected(marked: &str, kind: Kind) -> (String, bool) {
    let (mut source, told) = told(marked, kind);
    let fix = told.fix.unwrap();
    for edit in fix.edits.iter().rev() {
        source.replace_range(usize::from(edit.range.start())..usize::from(edit.range.end()), &edit.text);
    }
    (source, fix.safe)
}

/// A slip error; the text at the place is the token found.
fn slip(marked: &str, slip: Slip) -> Kind {
    let found = marked.split_once('«').unwrap().1.split_once('»').unwrap().0;
    Kind::Unexpected { found: (!found.is_empty()).then(|| found.into()), slip }
}

fn at(text: &str) -> TextRange {
    TextRange::up_to(TextSize::of(text))
}

/// Returns one error of every kind.
fn samples() -> Vec<(&'static str, Kind)> {
    let here = at("$a");
    let slips = [
        ("$a «)»", Slip::Unknown),
        ("$a = «»", Slip::Unknown),
        ("case $a «(»", Slip::Expected(Box::new(["{"]))),
        ("function f «{»", Slip::Expected(Box::new(["(", ">>", "a name"]))),
        ("file { 'x': mode «=» 1 }", Slip::EqualsForArrow),
        ("$a = { b«:» 1 }", Slip::ColonForArrow),
        ("[1 «2»]", Slip::MissingComma { after: at("[1") }),
        ("file { 'x' «mode» => 1 }", Slip::MissingColon { after: at("file { 'x'") }),
        ("if $a { } «else if» $b { }", Slip::ElseIf),
        ("if $a { } «elseif» $b { }", Slip::MisspelledElsif),
        ("unless $a { } «elsif» $b { }", Slip::UnlessElsif),
        ("class x(«a») { }", Slip::MissingDollar),
        ("class x(«string» $a) { }", Slip::LowercaseType),
        ("file { 'x': «'mode'» => 1 }", Slip::QuotedAttribute),
        ("«clas» a { }", Slip::MisspelledKeyword("class")),
        ("«fi» ($a == 1) { }", Slip::MisspelledKeyword("if")),
        ("if $a { } «esle» { f() -> g() }", Slip::MisspelledKeyword("else")),
        ("class a($b) «inherit» c { $d = 1 }", Slip::MisspelledKeyword("inherits")),
        ("«while» $a { }", Slip::ForeignStatement { advice: "there are no loops" }),
        ("[1«)»", Slip::WrongCloser { opener: at("["), expected: "]" }),
        ("$x ? «[» 1 => 2 }", Slip::WrongOpener { closer: here, expected: "{" }),
        ("$x = $a «{» 1 => 2 }", Slip::MissingQuestionMark),
        ("$a = «“»x\"", Slip::TypographicQuote { replacement: '"', closing: None }),
        ("$a =«\u{a0}»1", Slip::StrayCharacter('\u{a0}')),
        ("$a =«\u{200b}»1", Slip::StrayCharacter('\u{200b}')),
        ("$a = «§»", Slip::StrayCharacter('§')),
        ("$a «&&» $b", Slip::ForeignOperator { written: "&&", instead: "and" }),
        ("$a «?» 1 : 2", Slip::ForeignOperator { written: "x ? y : z", instead: "if x { y } else { z }" }),
        ("$a = { «class» => 1 }", Slip::KeywordAsWord),
        ("$a = join «[1]»", Slip::CallWithoutParentheses("join".into())),
        ("$x = $a «[»0]", Slip::BlankBeforeIndex),
        ("$x = f\n  «(»1)", Slip::ParenthesisOnNewLine),
        ("$a[«]»", Slip::Empty("an index")),
        ("$a.f(1«,»)", Slip::TrailingComma),
        ("$a.f(1, «)»", Slip::TrailingComma),
        ("$a = 1«;»", Slip::StraySemicolon),
        ("[1,«,» 2]", Slip::Doubled),
    ];
    let mut samples: Vec<_> = slips.into_iter().map(|(source, it)| (source, slip(source, it))).collect();
    samples.extend([
        ("«\u{feff}»$a", Kind::ByteOrderMark { encoding: "UTF-8", bytes: "EF BB BF".into() }),
        ("@(END)\n«\u{feff}»\n| END", Kind::ByteOrderMark { encoding: "UTF-8", bytes: "EF BB BF".into() }),
        ("«Foo::bar»", Kind::IllegalClassReference),
        ("«Foo::»", Kind::IllegalClassReference),
        ("«::Foo::bar»", Kind::IllegalFullyQualifiedClassReference),
        ("«::»", Kind::IllegalFullyQualifiedName),
        ("$a = «b-»", Kind::IllegalNameOrBareWord),
        ("$a = «1_000»", Kind::IllegalNumber("1_000".into())),
        ("$a = «9x»", Kind::IllegalNumber("9x".into())),
        ("$a = «0xZ»", Kind::InvalidHexNumber("0xZ".into())),
        ("$a = «08»", Kind::InvalidOctalNumber("08".into())),
        ("$a = «1e+5»", Kind::InvalidDecimalNumber { text: "1e+5".into(), plus_exponent: true }),
        ("$a = «1.2.3»", Kind::InvalidDecimalNumber { text: "1.2.3".into(), plus_exponent: false }),
        ("$a = \"«\\u»x\"", Kind::MalformedUnicodeEscape),
        ("$a = \"«\\u{d800}»\"", Kind::NoSuchCharacter),
        ("$a = \"«\\z»\"", Kind::UnrecognizedEscape('z')),
        ("$a = «\"»b", Kind::UnclosedQuote { quote: '"', culprit: Some(here) }),
        ("$a = «\"b»\n\"c", Kind::StringEndsLate { quote: '"', end: here }),
        ("«/*» a", Kind::UnclosedComment),
        ("«@(»END", Kind::HeredocUnclosedParenthesis),
        ("«@(A B:)»", Kind::HeredocInvalidSyntax),
        ("@(END/«x»)", Kind::HeredocInvalidEscape('x')),
        ("@(END/n«n»)", Kind::HeredocMultipleEscapes('n')),
        ("«@()»", Kind::HeredocEmptyEndTag),
        ("«@(END)»", Kind::HeredocWithoutText),
        ("«@(END)»\nx", Kind::HeredocWithoutEnd { tag: "END".into() }),
        ("«@(END)»\nx", Kind::HeredocSwallows { tag: "END".into(), other: here }),
        ("«@(END:json)»", Kind::HeredocText { syntax: "json".into(), reason: "unexpected token".into() }),
        ("«/(/»", Kind::InvalidRegex("end pattern with unmatched parenthesis".into())),
        ("«<%=» $a", Kind::EppUnbalancedTag),
        ("«<%#» a", Kind::EppUnbalancedComment),
        ("«<%»", Kind::EppUnbalancedExpression),
        ("if $a «{»", Kind::Unclosed { open: "{", close: "}", expected_at: Some(here) }),
        ("f«(»", Kind::Unclosed { open: "(", close: ")", expected_at: None }),
        ("$a «}»", Kind::Unopened { close: "}" }),
        ("«$a» { 'x': }", Kind::NotAResource),
        ("«@»$a", Kind::NotVirtual { exported: false }),
        ("«@@»$a", Kind::NotVirtual { exported: true }),
        ("a { b «+>» 1 }", Kind::AppendWithoutTitle),
        ("class «class» { }", Kind::ClassKeywordAsName),
        ("class «'a'» { }", Kind::QuotedName),
        ("a«,» b", Kind::CommaList { function: Some("a".into()) }),
        ("1«,» 2", Kind::CommaList { function: None }),
        ("«[»", Kind::NestingLimit(256)),
        ("1 «+» 1", Kind::ChainLimit(10_000)),
        ("«]»", Kind::GivenUp),
        ("if $a { «class a» { } }", Kind::NotTopLevel("Host Class Definition")),
        ("class a { «type A» = B }", Kind::NotAbsoluteTopLevel("Type Alias")),
        (
            "class «a-b» { }",
            Kind::IllegalDefinitionName { name: "a-b".into(), definition: "Host Class Definition" },
        ),
        (
            "define «string»() { }",
            Kind::ReservedTypeName { name: "string".into(), definition: "'define' expression" },
        ),
        ("$a = «attr»", Kind::ReservedWord("attr".into())),
        ("class «plan» { }", Kind::FutureReservedWord("plan".into())),
        ("node a inherits «b» { }", Kind::NodeInheritance),
        ("node «'a b'» { }", Kind::IllegalHostnameCharacters("a b".into())),
        ("node «\"a$b\"» { }", Kind::HostnameInterpolation),
        ("«type Runtime[ruby, 'A'] = 1»", Kind::IllegalTypeMapping { pattern: false }),
        ("«type Runtime[ruby, [/a/, 'b']] = A»", Kind::IllegalTypeMapping { pattern: true }),
        ("«type A { }»", Kind::UnsupportedExpression("Type Definition")),
        ("class a(«$title») { }", Kind::ReservedParameter("title".into())),
        ("class a($a, «$a») { }", Kind::DuplicateParameter { name: "a".into(), first: here }),
        ("class a(«$1») { }", Kind::NumericParameter("1".into())),
        ("class a(«$a::b») { }", Kind::IllegalParameterName("a::b".into())),
        ("function f(«*$a», $b) { }", Kind::CapturesRestNotLast("a".into())),
        (
            "class a(«*$a») { }",
            Kind::CapturesRestNotSupported { name: "a".into(), container: "Host Class Definition" },
        ),
        ("class a($a = «$b = 1») { }", Kind::AssignmentInDefault),
        ("class a(«$b» $a) { }", Kind::NonLiteralParameterType("a".into())),
        ("«$A»", Kind::IllegalVariableName("A".into())),
        ("«$1a»", Kind::IllegalNumericVariableName("1a".into())),
        ("«$a::b» = 1", Kind::CrossScopeAssignment("a::b".into())),
        ("«$1» = 1", Kind::NumericAssignment("1".into())),
        ("«$a[1]» = 1", Kind::IndexedAssignment),
        ("«'a'» = 1", Kind::IllegalAssignment("String")),
        ("$a «+=» 1", Kind::AppendsDeletes("+=")),
        ("$a = «class b { }»", Kind::NotAValue("Host Class Definition")),
        ("«1»\n$a = 1", Kind::NoEffect("Literal Integer")),
        (
            "class a { «$b» }",
            Kind::NoEffectLast { expression: "Variable", container: "Host Class Definition" },
        ),
        ("«file» { mode => 1 }", Kind::ResourceWithoutTitle("file".into())),
        (
            "case 1 { default: { } «default»: { } }",
            Kind::DuplicateDefault { container: "'case' statement", first: here },
        ),
        ("{ a => 1, «a» => 2 }", Kind::DuplicateKey { key: "a".into(), first: here }),
        (
            "«1»()",
            Kind::IllegalExpression {
                expression: "Literal Integer",
                feature: "function name",
                container: "Function Call",
            },
        ),
        ("$a = «9999999999999999999»", Kind::NumericOverflow("9999999999999999999".into())),
        ("«Foo_::A»", Kind::IllegalTypeReference("Foo_::A".into())),
        ("«import 'a.pp'»", Kind::DiscontinuedImport),
        (
            "file { 'x': «mode +> 1» }",
            Kind::AttributeAppend { name: "mode".into(), container: "Resource Statement" },
        ),
        ("file { 'x': * => $a, «* => $b» }", Kind::MultipleUnfold { first: here }),
        ("A <| |> { «* => $b» }", Kind::UnfoldInContext("Collect Query")),
        ("«@»File { a => 1 }", Kind::NotVirtualizable),
        ("«@»class { 'a': }", Kind::ClassNotVirtualizable),
        ("A <| «a > 1» |>", Kind::IllegalQuery("'>' expression")),
        ("a<%| «$a» |%>", Kind::EppParameters),
        ("plan p() { «file { 'x': }» }", Kind::NotInPlan("Resource Statement")),
        ("apply('a') { «apply('b') { }» }", Kind::NotInApply("'apply' expression")),
    ]);
    samples
}

#[test]
fn every_kind_has_a_declared_rule_and_clean_words() {
    for (marked, kind) in samples() {
        let warning = kind.is_warning();
        let (source, told) = told(marked, kind);
        assert!(rules::RULES.contains(&told.rule), "{}", told.rule);
        assert_eq!(told.level == Level::Warning, warning, "{}", told.message);
        for words in [&told.message].into_iter().chain(&told.label).chain(&told.notes) {
            assert!(!words.is_empty() && !words.ends_with('.') && !words.contains(['\n', '\t']), "{words:?}");
            assert_eq!(words.matches('`').count() % 2, 0, "{words}");
        }
        if let Some(fix) = told.fix {
            assert!(
                fix.edits.iter().all(|edit| usize::from(edit.range.end()) <= source.len()),
                "{}",
                fix.title
            );
            assert!(!fix.edits.is_empty(), "{}", fix.title);
        }
    }
}

#[test]
fn the_words_of_every_kind() {
    let mut text = String::new();
    for (marked, kind) in samples() {
        let (_, told) = told(marked, kind);
        writeln!(text, "{}", marked.escape_debug().to_string().replace("\\\"", "\"").replace("\\'", "'"))
            .unwrap();
        writeln!(text, "  {}[{}]: {}", told.level, told.rule, told.message).unwrap();
        if let Some(label) = &told.label {
            writeln!(text, "  ^ {label}").unwrap();
        }
        for related in &told.related {
            writeln!(text, "  - {}", related.message).unwrap();
        }
        for note in &told.notes {
            writeln!(text, "  = {note}").unwrap();
        }
        if let Some(fix) = &told.fix {
            writeln!(text, "  {}: {}", if fix.safe { "fix" } else { "guess" }, fix.title).unwrap();
        }
    }
    with_settings!({
        snapshot_path => "../../../../snapshots/diagnostics",
        prepend_module_to_snapshot => false,
        omit_expression => true,
    }, { assert_snapshot!("words", text) });
}

/// Checks what the fixes turn broken sources into. `puppet parser validate` accepts every result.
#[test]
fn fixes_correct_the_text() {
    let cases: &[(&str, Slip, &str, bool)] = &[
        ("file { 'x': mode «=» '1' }", Slip::EqualsForArrow, "file { 'x': mode => '1' }", true),
        ("$a = { b«:»1 }", Slip::ColonForArrow, "$a = { b => 1 }", true),
        ("$a = { b «:» 1 }", Slip::ColonForArrow, "$a = { b => 1 }", true),
        ("$a = [1 «2»]", Slip::MissingComma { after: at("$a = [1") }, "$a = [1, 2]", true),
        (
            "file { 'x' «mode» => '1' }",
            Slip::MissingColon { after: at("file { 'x'") },
            "file { 'x': mode => '1' }",
            false,
        ),
        ("if $a { } «else if» $b { }", Slip::ElseIf, "if $a { } elsif $b { }", true),
        ("if $a { } «elif» $b { }", Slip::MisspelledElsif, "if $a { } elsif $b { }", true),
        ("class x(String «a») { }", Slip::MissingDollar, "class x(String $a) { }", true),
        ("class x(«string» $a) { }", Slip::LowercaseType, "class x(String $a) { }", true),
        ("«clas» a { }", Slip::MisspelledKeyword("class"), "class a { }", false),
        (
            "if $a { } «esle» { f() -> g() }",
            Slip::MisspelledKeyword("else"),
            "if $a { } else { f() -> g() }",
            false,
        ),
        ("file { 'x': «'mode'» => '1' }", Slip::QuotedAttribute, "file { 'x': mode => '1' }", true),
        ("$a = [1«)»", Slip::WrongCloser { opener: at("["), expected: "]" }, "$a = [1]", false),
        ("$x = $a «{» 1 => 2 }", Slip::MissingQuestionMark, "$x = $a ? { 1 => 2 }", true),
        ("$a = «“»x\"", Slip::TypographicQuote { replacement: '"', closing: None }, "$a = \"x\"", true),
        ("$a =«\u{a0}»1", Slip::StrayCharacter('\u{a0}'), "$a = 1", false),
        ("$a = «\u{200b}»1", Slip::StrayCharacter('\u{200b}'), "$a = 1", false),
        ("$x = $a «&&» $b", Slip::ForeignOperator { written: "&&", instead: "and" }, "$x = $a and $b", false),
        ("$a = { «class» => 1 }", Slip::KeywordAsWord, "$a = { 'class' => 1 }", true),
        ("$x = $a «[»0]", Slip::BlankBeforeIndex, "$x = $a[0]", false),
        ("$x = f\n  «(»1)", Slip::ParenthesisOnNewLine, "$x = f(1)", false),
        ("$x = $a.f(1«,»)", Slip::TrailingComma, "$x = $a.f(1)", true),
        ("$x = $a.f(1, «)»", Slip::TrailingComma, "$x = $a.f(1 )", true),
        ("$a = 1«;»", Slip::StraySemicolon, "$a = 1", true),
        ("$a = [1,«,» 2]", Slip::Doubled, "$a = [1, 2]", false),
    ];
    for (marked, the_slip, expected, safe) in cases {
        assert_eq!(corrected(marked, slip(marked, the_slip.clone())), ((*expected).to_owned(), *safe));
    }
    let cases = [
        (
            "«\u{feff}»$a = 1",
            Kind::ByteOrderMark { encoding: "UTF-8", bytes: "EF BB BF".into() },
            "$a = 1",
            true,
        ),
        ("$a = «Foo::bar»", Kind::IllegalClassReference, "$a = Foo::Bar", false),
        ("$a = «1_000»", Kind::IllegalNumber("1_000".into()), "$a = 1000", false),
        ("$a = «9x»", Kind::IllegalNumber("9x".into()), "$a = '9x'", false),
        ("$a = «0089»", Kind::InvalidOctalNumber("0089".into()), "$a = 89", false),
        (
            "$a = «1e+5»",
            Kind::InvalidDecimalNumber { text: "1e+5".into(), plus_exponent: true },
            "$a = 1e5",
            true,
        ),
        ("$a = \"«\\z»\"", Kind::UnrecognizedEscape('z'), "$a = \"\\\\z\"", false),
        ("$a = \"«\\u»x\"", Kind::MalformedUnicodeEscape, "$a = \"\\\\ux\"", false),
        ("$a = «attr»", Kind::ReservedWord("attr".into()), "$a = 'attr'", true),
        ("class «'a'» { }", Kind::QuotedName, "class a { }", false),
        (
            "file { 'x': «mode +> '1'» }",
            Kind::AttributeAppend { name: "mode".into(), container: "Resource Statement" },
            "file { 'x': mode => '1' }",
            false,
        ),
    ];
    for (marked, kind, expected, safe) in cases {
        assert_eq!(corrected(marked, kind), (expected.to_owned(), safe));
    }
}

#[test]
fn ranges_that_do_not_fit_the_source_do_no_harm() {
    for (_, kind) in samples() {
        let range = TextRange::new(TextSize::new(500), TextSize::new(501));
        let told = diagnostic(FileId(0), &SyntaxError { range, kind }, "é");
        assert!(!told.message.is_empty());
    }
}
