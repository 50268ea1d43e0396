//! What holds of all formatted texts, and what formatted pieces look like.

mod corpus;
mod documentation;
mod mutation;
mod pieces;
mod properties;
mod range;
mod support;
