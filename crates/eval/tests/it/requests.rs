//! The requests of an evaluation: only what the program needs, and each definition only once.

use std::cell::RefCell;
use std::sync::Arc;

use marotte_eval::{
    Code, CommandError, DataSource, Effect, Extension, Interpreter, NoAnswer, Origin, ProgramError,
    ReadError, Requests, RubyFile, RubyFunction, RubySignature, Settings, TemplateFile, Unit, UnitSource,
};
use marotte_hir::lower;
use marotte_pcore::time::Timestamp;
use marotte_pcore::value::{Hash, Value};
use marotte_ruby::function::{Declares, Sets};
use marotte_ruby_eval::Host;
use marotte_ruby_eval::program::Program;
use marotte_syntax::{Mode, parse};
use marotte_text::Str;

/// An outside without a disk that records the requests.
#[derive(Default)]
struct Outside {
    asked: RefCell<Vec<String>>,
    /// Programs of one definition each, by the name of the definition.
    definitions: Vec<(&'static str, &'static str)>,
}

impl Outside {
    fn ask(&self, what: &str, name: &str) {
        self.asked.borrow_mut().push(format!("{what} {name}"));
    }

    fn definition(&self, name: &str) -> Option<(Str, Code)> {
        let (_, source) = self.definitions.iter().find(|(known, _)| *known == name)?;
        let lowered = lower(&parse(source, Mode::default()).program);
        let found = lowered.definitions.first()?;
        let origin = Arc::new(Origin::File { path: name.into(), definition: Some(0) });
        Some((found.name.clone(), Code { body: found.body.clone(), origin }))
    }
}

impl DataSource for Outside {
    fn fact(&self, name: &str) -> Option<Value> {
        self.ask("fact", name);
        Some(Value::from(name))
    }

    fn read_file(&self, path: &str) -> Result<Vec<u8>, ReadError> {
        self.ask("file", path);
        Ok(Vec::new())
    }
}

impl Requests for Outside {
    fn now(&self) -> Timestamp {
        self.ask("now", "");
        Timestamp::from_nanoseconds(0)
    }

    fn variable(&self, name: &str) -> Option<Value> {
        self.ask("variable", name);
        (name == "facts").then(|| Value::Hash(Arc::new(Hash::default())))
    }

    fn setting(&self, name: &str) -> Option<Value> {
        self.ask("setting", name);
        None
    }

    fn function(&self, name: &str) -> Result<Option<Code>, ReadError> {
        self.ask("function", name);
        Ok(self.definition(name).map(|(_, code)| code))
    }

    fn type_alias(&self, name: &str) -> Result<Option<(Str, Code)>, ReadError> {
        self.ask("type", name);
        Ok(self.definition(name))
    }

    fn is_resource_type(&self, name: &str) -> bool {
        self.ask("resource type", name);
        false
    }

    fn template(&self, name: &str) -> Result<Option<TemplateFile>, ReadError> {
        self.ask("template", name);
        Ok(None)
    }

    fn find_file(&self, folder: &str, name: &str) -> Result<Option<Str>, ReadError> {
        self.ask(folder, name);
        Ok(None)
    }

    fn module_directory(&self, name: &str) -> Option<Str> {
        self.ask("module", name);
        None
    }

    fn is_ruby_function(&self, name: &str) -> bool {
        matches!(name, "join_names" | "double")
    }

    fn ruby_program(&self, file: RubyFile<'_>) -> Result<Option<Arc<Program>>, ProgramError> {
        let RubyFile::Function("double") = file else { return Ok(None) };
        let text = b"Puppet::Functions.create_function(:double) { def double(x) = x * 2 }";
        Program::parse("double.rb", text)
            .map(|it| Some(Arc::new(it)))
            .map_err(|it| ProgramError::Invalid(it.message))
    }

    fn ruby_function(&self, name: &str) -> Option<RubyFunction> {
        self.ask("properties", name);
        (name == "join_names").then_some(RubyFunction {
            signature: RubySignature::Arity(1),
            declares: Declares::Nothing,
            sets: Sets::Nothing,
        })
    }

    fn extension(&self, asked: Extension<'_>, host: &mut dyn Host) -> Result<Value, NoAnswer> {
        let Extension::Function { name, arguments, .. } = asked else {
            return Err(NoAnswer::Refused("nobody".to_owned()));
        };
        self.ask("Ruby function", name);
        let variable = host.variable("name").map_err(NoAnswer::Host)?;
        Ok(Value::Array(arguments.iter().cloned().chain(variable).collect()))
    }

    fn execute(&self, command: &[&str]) -> Result<String, CommandError> {
        self.ask("command", &command.join(" "));
        Ok(String::new())
    }
}

/// The requests of a program.
fn asked(outside: Outside, source: &str) -> Vec<String> {
    let parsed = parse(source, Mode::default());
    assert!(parsed.errors.is_empty(), "{:?}", parsed.errors);
    let unit = Unit {
        lowered: Arc::new(lower(&parsed.program)),
        source: UnitSource::Text("test".into(), source.into()),
    };
    let mut effects: Vec<Effect> = Vec::new();
    let mut interpreter = Interpreter::new(Settings::default(), &outside, &mut effects);
    interpreter.run_unit(&unit).expect("the program has a value");
    drop(interpreter);
    outside.asked.into_inner()
}

#[test]
fn a_program_that_needs_nothing_asks_nothing() {
    let source =
        "$x = [1, 2]\n$x.each |$y| { notice(\"$y ${x[0]}\") }\nfunction f($a) { $a + 1 }\nf(f(1)) =~ Integer";
    // When a variable is set, it is requested once, to check that the node has none of that name.
    assert_eq!(asked(Outside::default(), source), ["variable x"]);
}

#[test]
fn a_fact_is_asked_for_alone() {
    let asked = asked(Outside::default(), "[$facts['os'], $facts['kernel']]");
    assert_eq!(asked, ["fact os", "fact kernel"]);
}

#[test]
fn definitions_are_asked_for_once() {
    let definitions = vec![
        ("m::twice", "function m::twice(M::Number $x) { $x * 2 }"),
        ("m::number", "type M::Number = Variant[Integer, Float]"),
    ];
    let outside = Outside { definitions, ..Outside::default() };
    assert_eq!(
        asked(outside, "m::twice(m::twice(1)) =~ M::Number"),
        ["function m::twice", "resource type m::number", "type m::number"]
    );
}

#[test]
fn a_host_answers_what_is_written_in_ruby_and_reads_variables() {
    let source = "$name = 'n'\nunless join_names('a') == ['a', 'n'] { fail('wrong') }";
    assert_eq!(
        asked(Outside::default(), source),
        [
            "variable name",
            "function join_names",
            "properties join_names",
            "properties join_names",
            "Ruby function join_names"
        ]
    );
}

#[test]
fn the_properties_of_a_ruby_function_are_not_needed_if_it_is_evaluated() {
    let source = "unless double(double(2)) == 8 { fail('wrong') }";
    assert_eq!(asked(Outside::default(), source), ["function double"]);
}
