//! What Ruby files declare: what was read off them, against what the reference has after running them.
//!
//! The corpus is no part of the repository: `cargo xtask corpus` brings it. Without it these tests say so and pass; with
//! `MAROTTE_REQUIRE_CORPUS` set, as in CI, they fail.

mod calls;
mod corpus;
mod facts;
mod functions;
mod hostile;
mod resource_types;
