//! The concrete database, discovery, configuration and drivers.
