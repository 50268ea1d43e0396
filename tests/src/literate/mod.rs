//! The literate engine: Markdown chapters that teach the language while they test it.
//!
//! A chapter is prose with two kinds of examples. A long one is a fence of source, followed by what it means:
//!
//! ````text
//! ```puppet
//! notice 1 + 2
//! ```
//!
//! ```pn
//! (invoke {:functor (qn "notice") :args [(+ 1 2)]})
//! ```
//! ````
//!
//! Source fences are `puppet`, `puppet tasks` and `epp`. What follows is `pn`, the tree in Puppet Notation, and
//! `issues`, one line for each: `CODE line:column`, or `warning CODE line:column`. Source that has errors shows no tree.
//!
//! Short ones share a table, one line each, in a fence `cases`, `cases tasks` or `cases epp`:
//!
//! ````text
//! ```cases
//! 0x1F    ⇒  (int {:radix 16 :value 31})
//! 08      ✗  INVALID_OCTAL_NUMBER 1:1
//! "\q"    ⇒  "\\q"  ⚠  UNRECOGNIZED_ESCAPE 1:4
//! ```
//! ````
//!
//! There `⏎` stands for a line feed and `⟨A0⟩` for the character with that hexadecimal number. Where a line would grow
//! too long, the expectation stands on lines of its own below, indented.
//!
//! Expectations are the reference's and are recorded, never typed. Where marotte reports an issue in another place, which
//! is the exact token, that place follows: `CODE 1:1 ↦ 1:7`. An issue to which the reference gives no place has marotte's
//! only. Where marotte means to differ otherwise, an `issues marotte` fence (or a `marotte` line in a table) beside the
//! reference's answer says how, and the prose says why. Where the reference breaks down rather than
//! answers, its issue is `CRASH`, and where it accepts a text but cannot print the tree, the tree is `unprintable`: then
//! marotte's answer must stand beside it.
//!
//! This module knows the format only: neither marotte nor the reference.

mod cases;
mod chapter;
mod expectation;
mod notation;

pub use chapter::{Case, Chapter, ChapterError, Language};
pub use expectation::{Expectation, Issue};
pub use notation::{Notation, NotationError};
