//! Properties of all formatted texts, and the layout of example pieces.

mod corpus;
mod documentation;
mod mutation;
mod pieces;
mod properties;
mod range;
mod support;
