//! Tools of the repository: corpora, the oracle, benchmarks, generated documentation.

fn main() {}
