//! Changes to a text, and the rest of it as it stands.

use std::ops::Range;

pub(super) struct Edits<'a> {
    text: &'a str,
    made: Vec<(Range<usize>, String)>,
    /// The part that was taken out last.
    last: Option<Range<usize>>,
}

impl<'a> Edits<'a> {
    pub(super) fn of(text: &'a str) -> Self {
        Self { text, made: Vec::new(), last: None }
    }

    /// Whether a change starts here.
    pub(super) fn start_at(&self, place: usize) -> bool {
        self.made.iter().any(|(part, _)| part.start == place)
    }

    /// Writes something else in place of a part.
    pub(super) fn replace(&mut self, part: Range<usize>, new: String) {
        self.last = None;
        self.made.push((part, new));
    }

    /// Takes a part out, with the comment in the lines above it, and with the blanks on one side: those that part it
    /// less from what is there. Parts are taken out in their order, and neighbours as one.
    pub(super) fn cut(&mut self, mut part: Range<usize>) {
        while let Some((start, line)) = self.line_before(part.start)
            && line.starts_with("// ")
        {
            part.start = start;
        }
        let gap = self.text[..part.start].trim_end().len();
        if let Some(last) = self.last.take_if(|last| last.end >= gap) {
            part.start = part.start.min(last.start);
            self.made.pop();
        }
        let (before, after) = (self.text[..part.start].trim_end(), self.text[part.end..].trim_start());
        let (start, end) = (before.len(), self.text.len() - after.len());
        let is_first = before.is_empty() || before.ends_with('{');
        let is_last = after.is_empty() || after.starts_with('}');
        let is_closer = part.start - start <= end - part.end;
        let cut = if is_last || is_closer && !is_first { start..part.end } else { part.start..end };
        self.replace(cut, String::new());
        self.last = Some(part);
    }

    /// The line above the one that a part begins, without the blanks before it, and where it starts.
    fn line_before(&self, part: usize) -> Option<(usize, &'a str)> {
        let above = self.text[..part].trim_end_matches([' ', '\t']).strip_suffix('\n')?;
        let start = above.rfind('\n').map_or(0, |end| end + 1);
        let line = above[start..].trim_start();
        Some((above.len() - line.len(), line))
    }

    /// Takes a part out, with the comma behind it if there is one.
    pub(super) fn cut_with_comma(&mut self, part: Range<usize>) {
        let after = &self.text[part.end..];
        let comma = after.trim_start().strip_prefix(',').map_or(0, |rest| after.len() - rest.len());
        self.cut(part.start..part.end + comma);
    }

    /// Takes a part out, with the blanks behind it.
    pub(super) fn cut_to_next(&mut self, part: Range<usize>) {
        let after = self.text[part.end..].trim_start();
        self.replace(part.start..self.text.len() - after.len(), String::new());
    }

    /// The text with the changes made. Those within a part that is taken out are void.
    pub(super) fn apply(mut self) -> String {
        self.made.sort_by_key(|(part, _)| part.start);
        let (mut changed, mut done) = (String::new(), 0);
        for (part, new) in self.made {
            if part.end > done {
                changed += &self.text[done..part.start.max(done)];
                changed += &new;
                done = part.end;
            }
        }
        changed + &self.text[done..]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn without(text: &str, parts: &[&str]) -> String {
        let mut edits = Edits::of(text);
        for part in parts {
            let start = text.find(part).unwrap();
            edits.cut(start..start + part.len());
        }
        edits.apply()
    }

    #[test]
    fn blanks_are_cut_on_one_side() {
        assert_eq!(without("a;\n\nb;\nc;\n\nd;\n", &["b;"]), "a;\n\nc;\n\nd;\n");
        assert_eq!(without("a;\n\nb;\nc;\n\nd;\n", &["c;"]), "a;\n\nb;\n\nd;\n");
        assert_eq!(without("a;\n\nb;\nc;\n\nd;\n", &["b;", "c;"]), "a;\n\nd;\n");
        assert_eq!(without("{\n    a;\n\n    b;\n}\n", &["b;"]), "{\n    a;\n}\n");
        assert_eq!(without("{\n    a;\n\n    b;\n}\n", &["a;"]), "{\n    b;\n}\n");
        assert_eq!(without("a;\n\nb;\n", &["b;"]), "a;\n");
        assert_eq!(without("a;\n\nb;\n\nc;\nd;\n", &["b;", "c;"]), "a;\n\nd;\n");
    }

    #[test]
    fn comments_go_with_what_they_stand_above() {
        assert_eq!(without("a;\n// Of b,\n// more.\nb;\nc;\n", &["b;"]), "a;\nc;\n");
        assert_eq!(without("/// Of b.\nb;\nc;\n", &["b;"]), "/// Of b.\nc;\n");
    }

    #[test]
    fn what_is_within_a_cut_is_void() {
        let mut edits = Edits::of("keep (cut this) keep");
        edits.replace(10..14, "that".to_owned());
        edits.cut(5..15);
        assert_eq!(edits.apply(), "keep keep");
    }
}
