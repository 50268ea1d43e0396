/// What the queries of this crate need.
#[salsa::db]
pub trait Db: marotte_db::Db {
    /// Counts the files that are checked rather than remembered: a figure for people, which no answer depends on.
    fn count_check(&self);
}
