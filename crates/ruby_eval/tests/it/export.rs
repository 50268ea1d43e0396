//! Ruby values as values of Puppet.

use std::rc::Rc;

use marotte_pcore::value::Value as PuppetValue;
use marotte_ruby_eval::program::Program;
use marotte_ruby_eval::{Host, HostError, Vm, World};

/// A host that accepts values up to a size.
struct Limited(usize);

impl Host for Limited {
    fn check_size(&mut self, value: &PuppetValue) -> Result<(), HostError> {
        match value.extent().size() <= self.0 {
            true => Ok(()),
            false => Err(HostError::Unsupported("too large".to_owned())),
        }
    }
}

/// The value of Ruby code as Puppet code gets it.
fn exported(code: &str, limit: usize) -> Result<PuppetValue, String> {
    let program = Program::parse("(test)", code.as_bytes()).map_err(|error| error.message)?;
    let mut host = Limited(limit);
    let mut vm = Vm::new(Rc::new(World::new()), &mut host);
    let value = vm.run(&program).and_then(|value| vm.export(&value));
    value.map_err(|stop| format!("{stop:?}"))
}

#[test]
fn shared_parts_are_converted_once() {
    let codes = [
        "a = [1]; 60.times { a = [a, a] }; a",
        "a = [1]; 60.times { a = [a, a] }; Marshal.load(Marshal.dump(a))",
        "a = 1; 60.times { a = { 'x' => a, 'y' => a } }; a",
    ];
    for code in codes {
        let value = exported(code, usize::MAX).unwrap();
        assert_eq!(value.extent().depth(), if code.contains("[1]") { 61 } else { 60 }, "{code}");
        let error = exported(code, 512 << 20).unwrap_err();
        assert!(error.contains("too large"), "{code}: {error}");
    }
    let PuppetValue::Array(elements) = exported("a = 'x' * 100; [a, a]", usize::MAX).unwrap() else {
        panic!("no array");
    };
    let [PuppetValue::String(first), PuppetValue::String(second)] = &elements[..] else {
        panic!("no strings: {elements:?}");
    };
    assert_eq!(first.as_ptr(), second.as_ptr());
}

#[test]
fn converted_collections_are_charged() {
    let error = exported("a = [nil] * 100_000; 200.times.map { [a] + a }", usize::MAX).unwrap_err();
    assert!(error.contains("Exhausted"), "{error}");
}
