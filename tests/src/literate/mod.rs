//! The literate engine: Markdown chapters that both teach and test the language.
//!
//! A chapter is prose with two kinds of examples. A long one is a fence of source, followed by its meaning:
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
//! Source fences are `puppet`, `puppet tasks` and `epp`. The following fences are `pn`, the tree in Puppet Notation, and
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
//! There, `⏎` denotes a line feed and `⟨A0⟩` the character with that hexadecimal number. If a line would be too long,
//! the expectation is on separate lines below, indented.
//!
//! Expectations are the reference's and are recorded, never typed. If marotte reports an issue at another position,
//! which is the exact token, that position follows: `CODE 1:1 ↦ 1:7`. An issue for which the reference reports no
//! position has only marotte's. If marotte deliberately differs in other ways, an `issues marotte` fence (or a
//! `marotte` line in a table) next to the reference's answer shows its answer, and the prose explains the reason. If
//! the reference crashes, its issue is `CRASH`, and if it accepts a text but can't print the tree, the tree is
//! `unprintable`: then marotte's answer must be next to it.
//!
//! This module only handles the format; it calls neither marotte nor the reference.

mod cases;
mod chapter;
mod expectation;
mod notation;

pub use chapter::{Case, Chapter, ChapterError, Language};
pub use expectation::{Expectation, Issue};
pub use notation::{Notation, NotationError};
