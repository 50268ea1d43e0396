//! The part of Ruby's standard library that functions and templates use, one file for each library or closely related
//! family.
//!
//! A file lists its classes in `CLASSES`.

mod base64;
mod digest;
mod dir;
mod escape;
pub(in crate::builtins) mod file;
mod hocon;
mod ipaddr;
mod json;
mod kdf;
mod marshal;
mod opened;
mod ostruct;
mod pathname;
mod puppet;
mod puppet_data;
mod resolv;
mod shellwords;
mod small;
mod string_io;
mod support;
#[cfg(test)]
mod tests;
mod time;
mod uri;
mod version;
mod yaml;

pub(crate) use puppet::LOGGING;

use crate::native::NativeClass;

/// The classes of all libraries. They come after the core classes.
pub(crate) static CLASSES: &[&[NativeClass]] = &[
    file::CLASSES,
    json::CLASSES,
    yaml::CLASSES,
    base64::CLASSES,
    digest::CLASSES,
    kdf::CLASSES,
    marshal::CLASSES,
    dir::CLASSES,
    puppet::CLASSES,
    puppet_data::CLASSES,
    shellwords::CLASSES,
    escape::CLASSES,
    ipaddr::CLASSES,
    version::CLASSES,
    uri::CLASSES,
    time::CLASSES,
    pathname::CLASSES,
    small::CLASSES,
    string_io::CLASSES,
    resolv::CLASSES,
    ostruct::CLASSES,
    hocon::CLASSES,
];
