//! `include`, `require`, `contain`, `realize`, `create_resources`, `tag`, `tagged`: what works on a catalog (E.2), and is refused without
//! one.

use std::sync::OnceLock;

use super::legacy::Arity;
use super::{Body, Builtin, Overload, Reach};

macro_rules! classes {
    ($($static:ident $name:literal $doc:literal)*) => {
        $(
            #[doc = concat!("`", $name, "`.")]
            pub(super) static $static: Builtin = Builtin {
                name: $name,
                doc: $doc,
                reach: Reach::Catalog,
                types: "",
                overloads: &[Overload {
                    parameters: "Array[Any, 1] *$names",
                    block: None,
                    returns: None,
                    body: Body::Run(|call| Err(call.interpreter.no_catalog(call.env, call.at, $name))),
                }],
                compiled: OnceLock::new(),
            };
        )*
    };
}

classes! {
    INCLUDE "include"
        "Declares classes, once each, and returns references to them: `include ntp, 'site::base'`.\n\n\
         Classes are named by strings, `Class` references, or arrays of these."
    REQUIRE "require"
        "Declares classes as `include` does, and has the class or resource around the call wait for them."
    CONTAIN "contain"
        "Declares classes as `include` does, and holds them within the class around the call: what waits for that class waits for them."
}

macro_rules! legacy {
    ($($static:ident $name:literal $least:literal $doc:literal)*) => {
        $(
            #[doc = concat!("`", $name, "`.")]
            pub(super) static $static: Builtin = Builtin {
                name: $name,
                doc: $doc,
                reach: Reach::Catalog,
                types: "",
                overloads: &[Overload {
                    parameters: "Any *$args",
                    block: Some("Optional[Callable]"),
                    returns: None,
                    body: Body::Run(|call| {
                        call.legacy_arguments($name, Arity::AtLeast($least))?;
                        Err(call.interpreter.no_catalog(call.env, call.at, $name))
                    }),
                }],
                compiled: OnceLock::new(),
            };
        )*
    };
}

legacy! {
    REALIZE "realize" 1
        "Makes virtual resources real: `realize User['ann'], User['ben']`.\n\nArguments are references to resources, or arrays of them."
    CREATE_RESOURCES "create_resources" 2
        "Declares resources of a type from a hash of titles and their attributes: `create_resources('user', { 'ann' => { uid => 1 } })`.\n\n\
         A third argument is a hash of attributes that all of them have unless they say otherwise. `@` or `@@` before the type makes \
         them virtual or exported."
    TAG "tag" 1
        "Adds tags to the class or resource around the call, and to all that it contains: `tag 'web', 'blue'`."
    TAGGED "tagged" 1
        "Whether the class or resource around the call has all of some tags: `tagged('web')`."
}
