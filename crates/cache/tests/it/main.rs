//! Tests of caches in folders and in buckets.

mod bucket;
mod kept_catalogs;
