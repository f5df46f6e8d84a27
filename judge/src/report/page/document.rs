//! The document of a page: a single file with its styles, script and data, which loads nothing from a network.

use hmac_sha256::Hash;

use crate::text::html_escaped;

/// Returns a page with this title, which is text, and this body, which is HTML. The script has JavaScript modules, each
/// after those that it imports, and JSON that it reads from the element `data`. The modules are joined, so the names in
/// all must be unique.
pub(crate) fn document(title: &str, style: &str, body: &str, script: Option<(&[&str], &str)>) -> String {
    // The policy forbids all loads, and allows only this script and this style, whatever the data contains.
    let mut policy =
        format!("default-src 'none'; style-src '{}'; base-uri 'none'; form-action 'none'", hash(style));
    let mut scripts = String::new();
    if let Some((modules, data)) = script {
        let module = joined(modules);
        policy += &format!("; script-src '{}'", hash(&module));
        // Escape `<`, which occurs only in JSON strings, so that the data cannot close the script element.
        let data = data.replace('<', "\\u003c");
        scripts = format!(
            "<script type=\"application/json\" id=\"data\">{data}</script>\n\
             <script type=\"module\">{module}</script>\n"
        );
    }
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
        <meta name=\"generator\" content=\"judge\">\n\
        <meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">\n\
        <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
        <meta name=\"color-scheme\" content=\"light dark\">\n<title>{}</title>\n\
        <style>{style}</style>\n</head>\n<body>\n{body}{scripts}</body>\n</html>\n",
        html_escaped(title)
    )
}

/// Concatenates modules, without the lines that begin with `import` and without the word `export` at line starts.
fn joined(modules: &[&str]) -> String {
    let lines = modules.iter().flat_map(|module| module.lines());
    let lines = lines.filter(|line| !line.starts_with("import "));
    lines.flat_map(|line| [line.strip_prefix("export ").unwrap_or(line), "\n"]).collect()
}

/// Returns the hash of a script or a style, in the form that a content security policy uses.
fn hash(text: &str) -> String {
    format!("sha256-{}", base64(&Hash::hash(text.as_bytes())))
}

fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for group in bytes.chunks(3) {
        let byte = |at: usize| u32::from(group.get(at).copied().unwrap_or(0));
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
        for digit in 0..4 {
            let index = (bits >> (18 - 6 * digit) & 63) as usize;
            text.push(if digit <= group.len() { DIGITS[index].into() } else { '=' });
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The test vectors of RFC 4648, section 10, and bytes that need the digits `+` and `/`.
    #[test]
    fn base64_of_the_specification() {
        let vectors = [
            ("", ""),
            ("f", "Zg=="),
            ("fo", "Zm8="),
            ("foo", "Zm9v"),
            ("foob", "Zm9vYg=="),
            ("foobar", "Zm9vYmFy"),
        ];
        for (bytes, text) in vectors {
            assert_eq!(base64(bytes.as_bytes()), text);
        }
        assert_eq!(base64(&[0xfb, 0xff, 0xbf]), "+/+/");
    }

    #[test]
    fn text_is_never_markup() {
        let title = "<script>alert(1)</script> & more";
        let data = "[\"</script><script>alert(1)</script><!--\"]";
        let page = document(title, "p {}", "<p></p>\n", Some((&["let a;\n"], data)));
        assert!(page.contains("<title>&lt;script&gt;alert(1)&lt;/script&gt; &amp; more</title>"), "{page}");
        assert!(page.contains(r#">["\u003c/script>\u003cscript>alert(1)\u003c/script>\u003c!--"]</script>"#));
        assert_eq!(page.matches("<script").count(), 2, "{page}");
    }

    #[test]
    fn modules_are_joined_into_one() {
        let modules = ["export const a = 1;\n", "import { a } from \"./a.js\";\nexport function b() {}\n"];
        assert_eq!(joined(&modules), "const a = 1;\nfunction b() {}\n");
    }
}
