//! The document of a page: a single file with its styles, script and data, which loads nothing from a network.

use hmac_sha256::Hash;
use itertools::Itertools;

use crate::text::html_escaped;

/// Returns a page with this title, which is text, and this body, which is HTML. The script has JavaScript modules, each
/// after those that it imports, and JSON that it reads from the element `data`. The modules are joined, so the names in
/// all must be unique.
pub(crate) fn document(title: &str, style: &str, body: &str, script: Option<(&[&str], &str)>) -> String {
    let (modules, data) = script.unwrap_or_default();
    // The policy forbids all loads, and allows only the script and the style with the nonce. The nonce is a hash of all
    // that the page shows, so nothing in it can contain the nonce.
    let nonce = format!("{:02x}", Hash::hash([title, body, data].concat().as_bytes()).iter().format(""));
    let policy = format!(
        "default-src 'none'; style-src 'nonce-{nonce}'; script-src 'nonce-{nonce}'; base-uri 'none'; form-action 'none'"
    );
    let scripts = script.map_or_else(String::new, |_| {
        // Escape `<`, which occurs only in JSON strings, so that the data cannot close the script element.
        let data = data.replace('<', "\\u003c");
        format!(
            "<script type=\"application/json\" id=\"data\">{data}</script>\n\
             <script type=\"module\" nonce=\"{nonce}\">{}</script>\n",
            joined(modules)
        )
    });
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
        <meta name=\"generator\" content=\"judge\">\n\
        <meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">\n\
        <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
        <meta name=\"color-scheme\" content=\"light dark\">\n<title>{}</title>\n\
        <style nonce=\"{nonce}\">{style}</style>\n</head>\n<body>\n{body}{scripts}</body>\n</html>\n",
        html_escaped(title)
    )
}

/// Concatenates modules, without the lines that begin with `import` and without the word `export` at line starts.
fn joined(modules: &[&str]) -> String {
    let lines = modules.iter().flat_map(|module| module.lines());
    let lines = lines.filter(|line| !line.starts_with("import "));
    lines.flat_map(|line| [line.strip_prefix("export ").unwrap_or(line), "\n"]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

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
