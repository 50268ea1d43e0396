//! The constructs, constants and methods (by name) of a file that the interpreter doesn't implement, as far as the code
//! shows without an evaluation.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::LazyLock;

use crate::builtins;
use crate::program::{Mention, Program, SyntaxError};
use crate::vm::{is_certainly_missing, is_known_class, is_of_puppet, known_methods};

/// A construct that the interpreter does not implement, and its place.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Need {
    /// The line, from 1.
    pub line: u32,
    /// The construct, for example `Net::HTTP` or `#each_entry`.
    pub construct: String,
    /// Whether a worker of `--allow ruby` doesn't support it either, because it is a part of a server.
    pub of_server: bool,
}

/// The needs of a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Survey {
    /// The constructs that are not implemented, in order of their places.
    pub needs: Vec<Need>,
    /// The names of the libraries that it requires, and the paths of those that it requires by `require_relative`.
    pub requires: BTreeSet<String>,
}

/// The names that the Ruby files of a tree define.
#[derive(Clone, Debug, Default)]
pub struct Defined {
    /// The last parts of the names of classes, modules and constants.
    pub constants: HashSet<String>,
    /// The names of methods.
    pub methods: HashSet<String>,
}

/// Surveys a Ruby file, or the code of a template in ERB.
///
/// # Errors
/// If the text cannot be parsed.
pub fn survey(path: &str, text: &[u8], is_template: bool, defined: &Defined) -> Result<Survey, SyntaxError> {
    let mut found = Survey::default();
    let mut needs = BTreeSet::new();
    for mention in Program::mentions(path, text, is_template)? {
        if let Mention::Call { name, text: Some(library), .. } = &mention
            && matches!(&**name, "require" | "require_relative")
        {
            found.requires.insert(library.clone());
        }
        if let Some(need) = need(mention, defined) {
            needs.insert(need);
        }
    }
    // `Net::HTTP` mentions `Net`, too.
    let is_part = |it: &Need| {
        let longer = format!("{}::", it.construct);
        needs.iter().any(|other| other.line == it.line && other.construct.starts_with(&longer))
    };
    found.needs = needs.iter().filter(|it| !is_part(it)).cloned().collect();
    Ok(found)
}

fn need(mention: Mention, defined: &Defined) -> Option<Need> {
    let missing = |construct: String, line| Some(Need { line, construct, of_server: false });
    match mention {
        Mention::Unsupported { construct, line } => missing(construct, line),
        // It is a call, too.
        Mention::Alone { .. } | Mention::Local { .. } => None,
        Mention::Constant { name, line } => {
            let last = name.rsplit("::").next().unwrap_or(&name);
            let is_here =
                defined.constants.contains(last) || implements_constant(&name) || is_certainly_missing(&name);
            (!is_here).then_some(()).and_then(|()| missing(name, line))
        }
        Mention::Call { receiver, name, line, on_scope, .. } => {
            if on_scope && of_server(&name) {
                return Some(Need { line, construct: format!("scope.{name}"), of_server: true })
                    .filter(|_| !NATIVE.instance.contains(&*name));
            }
            if defined.methods.contains(&name) {
                return None;
            }
            if let Some(class) = receiver {
                return if lacks(&class, &name)? { missing(format!("{class}.{name}"), line) } else { None };
            }
            let is_missing = !NATIVE.instance.contains(&*name) && OF_RUBY.contains(&*name);
            if is_missing { missing(format!("#{name}"), line) } else { None }
        }
    }
}

/// Whether real Ruby has a method of a class or module that the interpreter doesn't implement. None for unknown classes.
fn lacks(class: &str, name: &str) -> Option<bool> {
    let native = NATIVE.singleton.get(class)?;
    let is_here = native.implemented.contains(name) || NATIVE.of_classes.contains(name);
    let is_ruby = || {
        let mut ancestors = std::iter::successors(Some(class), |it| NATIVE.singleton.get(it)?.superclass);
        ancestors.any(|it| known_methods(&format!("{it}.")).any(|it| it == name))
    };
    Some(!is_here && (native.refused.contains(name) || is_of_puppet(class) || is_ruby()))
}

/// Whether a method of scopes is a part of a server, which workers don't have.
fn of_server(name: &str) -> bool {
    matches!(
        name,
        "compiler" | "catalog" | "findresource" | "resource" | "known_resource_types" | "tags" | "tagged?"
    )
}

/// Whether the interpreter has a constant of this name, in any module.
fn implements_constant(name: &str) -> bool {
    let of_psych = name.strip_prefix("YAML::").map(|it| format!("Psych::{it}"));
    let name = of_psych.as_deref().unwrap_or(name);
    let ends = |full: &str| full == name || full.strip_suffix(name).is_some_and(|it| it.ends_with("::"));
    builtins::all().any(|class| {
        let (outer, last) = name.rsplit_once("::").unwrap_or(("", name));
        let is_in = outer.is_empty() || class.name == outer || class.name.ends_with(outer);
        // The modules that contain classes exist, too.
        ends(class.name)
            || class.name.starts_with(name) && class.name[name.len()..].starts_with("::")
            || is_in && class.constants.iter().any(|it| it.0 == last)
    }) || CONSTANTS.contains(&name)
}

/// Constants that are not in a table of a class.
const CONSTANTS: [&str; 2] = ["RUBY_VERSION", "ARGV"];

/// The names of the methods that the interpreter implements.
struct Native {
    /// The instance methods of all classes.
    instance: HashSet<&'static str>,
    /// The instance methods of classes and modules themselves, such as `name`.
    of_classes: HashSet<&'static str>,
    /// The methods of each class or module itself.
    singleton: HashMap<&'static str, Singleton>,
}

/// The methods of a class or module itself, such as `File.join`.
#[derive(Clone, Default)]
struct Singleton {
    superclass: Option<&'static str>,
    implemented: HashSet<&'static str>,
    /// Those that only say that they are not implemented.
    refused: HashSet<&'static str>,
}

static NATIVE: LazyLock<Native> = LazyLock::new(|| {
    let (mut instance, mut of_classes) = (HashSet::new(), HashSet::new());
    let mut singleton: HashMap<&'static str, Singleton> = HashMap::new();
    for class in builtins::all() {
        let methods = class.methods.iter().flat_map(|it| it.iter()).filter(|it| !it.is_refused);
        let names: Vec<&str> = methods.map(|it| it.name).collect();
        instance.extend(&names);
        if ["BasicObject", "Kernel", "Object", "Module", "Class"].contains(&class.name) {
            of_classes.extend(&names);
        }
        let inherited = class.superclass.and_then(|it| singleton.get(it)).cloned().unwrap_or_default();
        let own = singleton.entry(class.name).or_default();
        own.superclass = own.superclass.or(class.superclass);
        own.implemented.extend(inherited.implemented);
        own.refused.extend(inherited.refused);
        for it in class.singleton_methods.iter().flat_map(|it| it.iter()) {
            let (to, other) = match it.is_refused {
                true => (&mut own.refused, &mut own.implemented),
                false => (&mut own.implemented, &mut own.refused),
            };
            to.insert(it.name);
            other.remove(it.name);
        }
    }
    Native { instance, of_classes, singleton }
});

/// The names of the instance methods of real Ruby's own classes.
static OF_RUBY: LazyLock<HashSet<&'static str>> = LazyLock::new(|| {
    let core =
        ["Kernel#", "Object#", "String#", "Array#", "Hash#", "Enumerable#", "Integer#", "Numeric#", "Float#"];
    let core =
        core.iter().chain(&["Symbol#", "Regexp#", "MatchData#", "Comparable#", "Range#", "Proc#", "Module#"]);
    core.filter(|it| is_known_class(it.trim_end_matches('#'))).flat_map(|it| known_methods(it)).collect()
});

#[cfg(test)]
mod tests {
    use super::implements_constant;

    #[test]
    fn constants_have_several_names() {
        assert!(implements_constant("YAML::SyntaxError") && implements_constant("Psych::SyntaxError"));
        assert!(!implements_constant("YAML::Nothing") && !implements_constant("Yaml::SyntaxError"));
    }
}
