//! What came from outside, in a message.

/// Bytes in a message: quoted, control bytes escaped, and shortened to the first 60.
pub fn quote(bytes: &[u8]) -> String {
    const SHOWN: usize = 60;
    let bytes = bytes.strip_suffix(b"\r").unwrap_or(bytes);
    match bytes.get(..SHOWN) {
        Some(start) if bytes.len() > SHOWN => {
            format!("\"{}\"... ({} bytes)", start.escape_ascii(), bytes.len())
        }
        _ => format!("\"{}\"", bytes.escape_ascii()),
    }
}
