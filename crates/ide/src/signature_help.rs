//! Signature help: the signatures of the function, or the constructors of the type, whose call is being written.

use marotte_db::{mode, source_text};
use marotte_eval::functions::builtin;
use marotte_text::{TextRange, TextSize};

use crate::completion::call_at;
use crate::docs::documentation;
use crate::symbol::Symbol;
use crate::token::{Named, Token, is_code};
use crate::{Access, Db, FilePosition, bolt, signature};

/// The signatures of a function, and the current position in them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SignatureHelp {
    /// The signatures, in the order in which the function tries them.
    pub signatures: Vec<CallSignature>,
    /// The index of the first signature that accepts the current number of arguments.
    pub active: usize,
    /// The index of the argument at the place.
    pub argument: usize,
}

/// A signature of a function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallSignature {
    /// `ntp::f(Integer $a, String $b = 'x') >> String`.
    pub label: String,
    /// The parameters, as ranges of the label, each with its documentation from the comment above the function.
    pub parameters: Vec<(TextRange, Option<String>)>,
    /// The documentation of the function, in Markdown.
    pub documentation: Option<String>,
    /// The index of the parameter that receives the argument at the place.
    pub active_parameter: Option<usize>,
}

/// The signatures of the function whose call has a place in its parentheses. None outside of calls, and if the function is
/// unknown.
///
/// For `split('a b', $0)`, these are the signatures of `split`, at the second parameter.
pub fn signature_help(db: &dyn Db, at: FilePosition) -> Option<SignatureHelp> {
    if !is_code(db, at.file) {
        return None;
    }
    let text = source_text(db, at.file).text();
    let call = call_at(text, at.offset, mode(db, at.file))?;
    let is_type = call.name.starts_with(|it: char| it.is_ascii_uppercase());
    let name = call.name.as_str();
    let named = if is_type { Named::Type(name.into()) } else { Named::Function(name.into()) };
    let token = Token { range: TextRange::default(), access: Access::Read, named, within: None };
    let symbol = Symbol::of(db, at.file, &token)?;
    let all = match is_type {
        true => signature::of_constructors(db, &call.name, &symbol),
        false => signature::of_function(db, at.file, &call.name, &symbol),
    };
    let docs = match &symbol {
        Symbol::Item(item) => documentation(db, *item),
        _ => None,
    };
    let text = match &symbol {
        Symbol::BuiltinFunction(name) => builtin(name).map(|it| it.doc.to_owned()),
        Symbol::BoltFunction(name) => bolt::function(name).map(|it| it.doc.to_owned()),
        _ => docs.as_ref().map(|it| it.short().to_owned()),
    };
    let takes = |it: &signature::Signature| {
        it.parameters.len() > call.argument || it.parameters.last().is_some_and(|it| it.is_rest)
    };
    let active = all.iter().position(takes).unwrap_or_default();
    let signatures: Vec<CallSignature> = all
        .iter()
        .map(|it| {
            let mut label = format!("{}(", it.head);
            let mut parameters = Vec::new();
            for (index, parameter) in it.parameters.iter().enumerate() {
                if index > 0 {
                    label += ", ";
                }
                let start = TextSize::of(label.as_str());
                label += &parameter.text;
                let doc =
                    docs.as_ref().and_then(|it| it.parameter(&parameter.name)).map(|it| it.text.clone());
                parameters.push((TextRange::new(start, TextSize::of(label.as_str())), doc));
            }
            label.push(')');
            label += &it.block.as_ref().map(|it| format!(" |{it}|")).unwrap_or_default();
            label += &it.returns.as_ref().map(|it| format!(" >> {it}")).unwrap_or_default();
            let last = it.parameters.len().checked_sub(1);
            let is_rest = it.parameters.last().is_some_and(|it| it.is_rest);
            let active_parameter = match last {
                Some(last) if call.argument <= last => Some(call.argument),
                Some(last) if is_rest => Some(last),
                _ => None,
            };
            CallSignature { label, parameters, documentation: text.clone(), active_parameter }
        })
        .collect();
    (!signatures.is_empty()).then_some(SignatureHelp { signatures, active, argument: call.argument })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::Fixture;

    #[track_caller]
    fn check(tree: &str, expected: &str) {
        let fixture = Fixture::new(tree);
        let found = signature_help(fixture.db(), fixture.cursor()).expect("a call");
        let it = &found.signatures[found.active];
        let active = it.active_parameter.map(|index| &it.label[it.parameters[index].0]);
        assert_eq!(format!("{} / {}", it.label, active.unwrap_or("-")), expected);
    }

    #[test]
    fn the_argument_that_is_written() {
        let f = "\n//- /modules/m/functions/f.pp\nfunction m::f(Integer $a, String *$b) >> Any { }\n";
        check(&format!("$x = m::f($0{f}"), "m::f(Integer $a, String *$b) >> Any / Integer $a");
        check(
            &format!("$x = m::f([1, 2], 'a', 'b$0'){f}"),
            "m::f(Integer $a, String *$b) >> Any / String *$b",
        );
        check(&format!("$x = 1.m::f($0){f}"), "m::f(Integer $a, String *$b) >> Any / String *$b");
    }

    #[test]
    fn constructors_of_types() {
        let port = "\n//- /modules/m/types/port.pp\ntype M::Port = Integer[1, 65535]\n";
        // The name of the parameter at the place.
        let help = |tree: &str| {
            let fixture = Fixture::new(tree);
            let found = signature_help(fixture.db(), fixture.cursor())?;
            let it = &found.signatures[found.active];
            let head = it.label.split('(').next().unwrap_or_default().to_owned();
            let active = it.active_parameter.map(|index| &it.label[it.parameters[index].0]);
            Some((head, active.and_then(|it| it.rsplit_once(' ')).map(|(_, name)| name.to_owned())))
        };
        let is = |head: &str, name: &str| Some((head.to_owned(), Some(name.to_owned())));
        assert_eq!(help("$x = Boolean($0"), is("Boolean", "$from"));
        assert_eq!(help("$x = Integer('1', $0)"), is("Integer", "$radix?"));
        assert_eq!(help("$x = Array.new([1], $0)"), is("Array", "$wrap?"));
        assert_eq!(help("$x = Sensitive($0)"), is("Sensitive", "$value"));
        assert_eq!(help(&format!("$x = M::Port($0){port}")), is("M::Port", "$from"));
        assert_eq!(help("$x = f(Integer('1'), $0)"), None);
        assert_eq!(help("File($0)"), None);
    }

    #[test]
    fn calls_in_strings() {
        let f = "\n//- /modules/m/functions/f.pp\nfunction m::f(Integer $a, String *$b) >> Any { }\n";
        let expected = "m::f(Integer $a, String *$b) >> Any / String *$b";
        check(&format!("$x = \"a ${{m::f(1, $0\"{f}"), expected);
        check(&format!("$x = \"a ${{m::f(1, 'b$0')}} b\"{f}"), expected);
        check(&format!("$y = m::f(1, \"${{$x['a$0']}}\"){f}"), expected);
    }

    #[test]
    fn functions_of_bolt() {
        let plan =
            |code: &str| format!("//- /modules/m/plans/init.pp\nplan m(TargetSpec $targets) {{ {code} }}\n");
        check(
            &plan("run_task('m::t', $0)"),
            "run_task(String[1] $task_name, TargetSpec $targets, Hash[String[1], Any] $args?) >> ResultSet / TargetSpec $targets",
        );
        check(
            &plan("run_task('m::t', $targets, 'x', $0)"),
            "run_task(String[1] $task_name, TargetSpec $targets, Optional[String] $description, Hash[String[1], Any] $args?) >> ResultSet / Hash[String[1], Any] $args?",
        );
        check(
            &plan("catch_errors($0)"),
            "catch_errors(Array[String[1]] $error_types?) |Callable[0, 0]| >> Any / Array[String[1]] $error_types?",
        );
        let fixture = Fixture::new("//- /manifests/site.pp\nrun_task('m::t', $0)\n");
        assert_eq!(signature_help(fixture.db(), fixture.cursor()), None);
    }

    /// The functions that may be called without parentheses.
    #[test]
    fn statements_without_parentheses() {
        let help = |tree: &str| {
            let fixture = Fixture::new(tree);
            let found = signature_help(fixture.db(), fixture.cursor())?;
            Some((found.signatures[found.active].label.clone(), found.argument))
        };
        let include = help("include('a', $0)\n").expect("a call").0;
        assert_eq!(help("class a {\n  include $0\n}\n"), Some((include.clone(), 0)));
        assert_eq!(help("include a, b[$0\n"), None);
        assert_eq!(help("include a, b$0\n"), Some((include, 1)));
        for nothing in
            ["includ$0e\n", "$x = include\n$0", "file { '/a':\n  tag => $0\n}\n", "include a\n$0\n"]
        {
            assert_eq!(help(nothing), None, "{nothing}");
        }
    }

    #[test]
    fn nothing_outside_of_calls() {
        let fixture = Fixture::new("notice('a')$0\n");
        assert_eq!(signature_help(fixture.db(), fixture.cursor()), None);
    }
}
