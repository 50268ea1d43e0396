//! The functions that work on a catalog (E.2), and fail without one: `include`, `require`, `contain`, `realize`,
//! `create_resources`, `tag`, `tagged`.

use marotte_pcore::value::{Hash, Value};

use super::legacy::Arity;
use super::{Body, Builtin, Call, Effects, Names, Overload, ResultType, Unknowns};
use crate::interpreter::Evaluated;

macro_rules! classes {
    ($($static:ident $name:literal $run:expr, $doc:literal)*) => {
        $(
            #[doc = concat!("`", $name, "`.")]
            pub(super) static $static: Builtin = Builtin {
                name: $name,
                doc: $doc,
                effects: Effects::ChangesCatalog,
                names: Some(Names::Classes),
                result: ResultType::Is("Array[Type[Class]]"),
                overloads: &[Overload {
                    parameters: "Array[Any, 1] *$names",
                    block: None,
                    returns: None,
                    body: Body::Run(|call| {
                        if call.interpreter.catalog.is_none() {
                            return Err(call.interpreter.no_catalog(call.env, call.at, $name));
                        }
                        let names = std::mem::take(&mut call.arguments);
                        let run: fn(&mut Call<'_, '_, '_>, &[Value]) -> Evaluated<Vec<Value>> = $run;
                        Ok(Value::Array(run(call, &names)?.into_iter().collect()))
                    }),
                }],
                ..Builtin::base()
            };
        )*
    };
}

classes! {
    INCLUDE "include" |call, names| Ok(call.interpreter.include(call.env, ("include", call.at), names)?.0),
        "Declares classes, once each, and returns references to them: `include ntp, 'site::base'`.\n\n\
         Classes are named by strings, `Class` references, or arrays of these."
    REQUIRE "require" |call, names| call.interpreter.require_classes(call.env, call.at, names),
        "Declares classes as `include` does, and makes the enclosing class or resource depend on them."
    CONTAIN "contain" |call, names| call.interpreter.contain_classes(call.env, call.at, names),
        "Declares classes as `include` does, and contains them in the enclosing class: resources that depend on that class depend \
         on them, too."
}

macro_rules! legacy {
    ($($static:ident $name:literal $least:literal { $($property:ident: $value:expr),* } $run:expr, $doc:literal)*) => {
        $(
            #[doc = concat!("`", $name, "`.")]
            pub(super) static $static: Builtin = Builtin {
                name: $name,
                doc: $doc,
                $($property: $value,)*
                overloads: &[Overload {
                    parameters: "Any *$args",
                    block: Some("Optional[Callable]"),
                    returns: None,
                    body: Body::Run(|call| {
                        let arguments = call.legacy_arguments($name, Arity::AtLeast($least))?;
                        if call.interpreter.catalog.is_none() {
                            return Err(call.interpreter.no_catalog(call.env, call.at, $name));
                        }
                        let run: fn(&mut Call<'_, '_, '_>, &[Value]) -> Evaluated = $run;
                        run(call, &arguments)
                    }),
                }],
                ..Builtin::base()
            };
        )*
    };
}

legacy! {
    REALIZE "realize" 1 { effects: Effects::ChangesCatalog, names: Some(Names::Resources) }
        |call, values| call.interpreter.realize(call.env, call.at, values).map(|()| Value::Undef),
        "Realizes virtual resources: `realize User['ann'], User['ben']`.\n\n\
         Arguments are references to resources, or arrays of them."
    CREATE_RESOURCES "create_resources" 2
        { effects: Effects::ChangesCatalog, names: Some(Names::ResourceType), unknowns: Unknowns::Parts }
        create_resources,
        "Declares resources of a type from a hash of titles and their attributes: `create_resources('user', { 'ann' => { uid \
         => 1 } })`.\n\n\
         The optional third argument is a hash of default attributes of the resources. `@` or `@@` before the type makes them \
         virtual or exported."
    TAG "tag" 1 { effects: Effects::ChangesCatalog }
        |call, tags| call.interpreter.tag_container(call.env, tags).map(|()| Value::Undef),
        "Adds tags to the enclosing class or resource, and to everything that it contains: `tag 'web', 'blue'`."
    TAGGED "tagged" 1 { effects: Effects::ReadsCatalog, result: ResultType::Is("Boolean") }
        |call, tags| tagged(call, tags),
        "Whether the enclosing class or resource has all of the given tags: `tagged('web')`."
}

fn tagged(call: &mut Call<'_, '_, '_>, tags: &[Value]) -> Evaluated {
    Ok(call.interpreter.is_tagged(call.env, tags)?.into_value())
}

fn create_resources(call: &mut Call<'_, '_, '_>, arguments: &[Value]) -> Evaluated {
    let fail = |call: &Call<'_, '_, '_>, what: &str| call.fail(format!("create_resources(): {what}"));
    let none = Hash::default();
    let (type_text, instances, defaults) = match arguments {
        [_, _, _, _, ..] => {
            let count = arguments.len();
            return fail(call, &format!("wrong number of arguments ({count}; must be 2 or 3)"));
        }
        [type_text, Value::Hash(instances)] => (type_text, instances, &none),
        [type_text, Value::Hash(instances), Value::Hash(defaults)] => (type_text, instances, &**defaults),
        [_, Value::Hash(_), _] => return fail(call, "third argument, if provided, must be a hash"),
        _ => return fail(call, "second argument must be a hash"),
    };
    let text = call.legacy_text(type_text)?;
    call.interpreter.create_resources(call.env, call.at, text, instances, defaults)?;
    Ok(Value::Undef)
}
