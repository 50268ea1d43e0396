//! The workspace's own tests: literate suites, oracle records, command-line tests.
