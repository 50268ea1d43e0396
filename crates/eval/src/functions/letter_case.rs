//! `upcase`, `downcase`, `capitalize`, `camelcase`: conversion of letter case (E26).
//!
//! Conversions are those of Unicode, without regard to language and context: a sigma at the end of a word becomes `σ`.

use std::borrow::Cow;

use icu_casemap::CaseMapper;
use icu_casemap::options::TitlecaseOptions;
use icu_locale_core::LanguageIdentifier;

use super::text::text_functions;
use super::{Body, Builtin, Overload, ResultType};

const DATA: &str =
    "type StringData = Variant[String, Numeric, Array[StringData], Hash[StringData, StringData]]";

macro_rules! deep {
    ($($static:ident $name:literal $change:ident $doc:literal)*) => {
        $(
            #[doc = concat!("`", $name, "`.")]
            pub(super) static $static: Builtin = Builtin {
                name: $name,
                doc: $doc,
                result: ResultType::ForString("String", "Variant[Numeric, String, Array, Hash]"),
                types: DATA,
                overloads: &[
                    Overload { parameters: "Numeric $arg", block: None, returns: None, body: Body::Run(|call| Ok(call.take(0))) },
                    Overload { parameters: "String $arg", block: None, returns: None, body: Body::Run(|call| call.map_text($change)) },
                    Overload { parameters: "Array[StringData] $arg", block: None, returns: None, body: Body::Run(|call| call.map_texts_within($change)) },
                    Overload { parameters: "Hash[StringData, StringData] $arg", block: None, returns: None, body: Body::Run(|call| call.map_texts_within($change)) },
                ],
                ..Builtin::base()
            };
        )*
    };
}

deep! {
    UPCASE "upcase" upper
        "Converts all letters to upper case: `upcase('straße')` is `'STRASSE'`.\n\n\
         Strings in arrays and hashes are converted, keys too, at any depth; numbers are not changed. If keys become equal, the \
         last value is kept, at the position of the first."
    DOWNCASE "downcase" lower
        "Converts all letters to lower case: `downcase('ÉCOLE')` is `'école'`.\n\n\
         Strings in arrays and hashes are converted, keys too, at any depth; numbers are not changed. If keys become equal, the \
         last value is kept, at the position of the first."
}

text_functions! {
    CAPITALIZE "capitalize" capitalized
        "Converts the first letter to upper case and all others to lower case: `capitalize('hELLO')` is `'Hello'`.\n\n\
         Digraphs, such as `ǆ`, become title case. Strings in an array are converted one by one; numbers are not changed."
    CAMELCASE "camelcase" camel_case
        "Joins words that are separated by underscores, each capitalized: `camelcase('hello_big_world')` is \
         `'HelloBigWorld'`.\n\n\
         Letters other than the first of each word become lower case. Strings in an array are converted one by one; numbers are \
         not changed."
}

fn upper(text: &str) -> Cow<'_, str> {
    if text.is_ascii() { text.to_ascii_uppercase() } else { text.to_uppercase() }.into()
}

fn lower(text: &str) -> Cow<'_, str> {
    let mut out = String::with_capacity(text.len());
    add_lower(text, &mut out);
    out.into()
}

/// Converts character by character: unlike `str::to_lowercase`, it ignores the context.
fn add_lower(text: &str, out: &mut String) {
    if text.is_ascii() {
        out.extend(text.bytes().map(|it| char::from(it.to_ascii_lowercase())));
    } else {
        out.extend(text.chars().flat_map(char::to_lowercase));
    }
}

fn capitalized(text: &str) -> Cow<'_, str> {
    let mut out = String::with_capacity(text.len());
    add_capitalized(text, &mut out);
    out.into()
}

fn add_capitalized(text: &str, out: &mut String) {
    let Some(first) = text.chars().next() else { return };
    let is_georgian = matches!(first, '\u{1C90}'..='\u{1CBF}');
    let (first, rest) = text.split_at(first.len_utf8());
    if is_georgian {
        // Georgian has no title case, for which Ruby takes its lower case.
        add_lower(first, out);
    } else if first.is_ascii() {
        out.extend(first.bytes().map(|it| char::from(it.to_ascii_uppercase())));
    } else {
        let language = LanguageIdentifier::UNKNOWN;
        let options = TitlecaseOptions::default();
        out.push_str(
            &CaseMapper::new().titlecase_segment_with_only_case_data_to_string(first, &language, options),
        );
    }
    add_lower(rest, out);
}

fn camel_case(text: &str) -> Cow<'_, str> {
    let mut out = String::with_capacity(text.len());
    for word in text.split('_') {
        add_capitalized(word, &mut out);
    }
    out.into()
}
