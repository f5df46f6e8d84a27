//! The secret in the address of the page: without it no request is answered.

use anyhow::Context;
use itertools::Itertools;

/// A random secret of 128 bits, in hex digits.
pub(super) struct Token(String);

impl Token {
    /// # Errors
    ///
    /// If the system gives no random bytes.
    pub(super) fn random() -> anyhow::Result<Self> {
        let mut bytes = [0_u8; 16];
        getrandom::fill(&mut bytes).context("the system gives no random bytes")?;
        Ok(Self(format!("{:02x}", bytes.iter().format(""))))
    }

    pub(super) fn text(&self) -> &str {
        &self.0
    }

    /// Whether a text is this secret. The time does not depend on where they differ.
    pub(super) fn is(&self, text: &str) -> bool {
        let differences = self.0.bytes().zip(text.bytes()).map(|(a, b)| a ^ b);
        self.0.len() == text.len() && differences.fold(0, |all, next| all | next) == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_whole_secret_is_accepted() {
        let token = Token::random().unwrap();
        let text = token.text().to_owned();
        assert_eq!(text.len(), 32);
        assert!(token.is(&text));
        for other in ["", &text[..31], &format!("{text}0"), &text.replace(&text[..1], "x")] {
            assert!(!token.is(other), "{other}");
        }
        assert_ne!(Token::random().unwrap().text(), text);
    }
}
