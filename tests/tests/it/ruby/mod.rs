//! Declarations in Ruby files: compares those that were read statically with those that the reference has after running them.
//!
//! The corpus isn't part of the repository: `cargo xtask corpus` downloads it. Without it, these tests print a note and
//! pass; with `MAROTTE_REQUIRE_CORPUS` set, as in CI, they fail.

mod calls;
mod corpus;
mod facts;
mod functions;
mod hostile;
mod resource_types;
