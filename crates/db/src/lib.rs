//! Files and queries.
