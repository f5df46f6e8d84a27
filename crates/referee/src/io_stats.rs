//! What the judge and the bot have sent each other.

/// How much the judge and the bot have sent each other.
#[derive(Clone, Debug, Default)]
pub(crate) struct IoStats {
    /// How many bytes the judge has sent.
    pub sent: usize,
    pub(crate) last_sent: Vec<u8>,
    /// How many bytes the judge has received.
    pub received: usize,
    pub(crate) last_received: Vec<u8>,
}
