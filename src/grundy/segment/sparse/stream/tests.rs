//! Streams against the engine of whole sequences.
