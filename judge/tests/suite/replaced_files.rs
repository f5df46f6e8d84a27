//! Output files: an old file is replaced as a whole, through a link too; a path that cannot be written is an error.

use std::fs::{self, Permissions};
use std::os::unix::fs::{PermissionsExt, symlink};

use crate::support::{Printed, TestDir, is_root, judge, names_in, pass_as_an_ordinary_user};

const OLD: &str = "OLD\n";

/// The commands whose last option names a file to write, each with its exit code.
fn writers(inputs: &TestDir) -> [(String, i32); 5] {
    let game = inputs.file("game");
    assert_eq!(judge(&format!("run 6 1 2 --transcript {game}"), &[]).code(), Some(0));
    [
        ("run 6 1 2 --transcript".to_owned(), 0),
        ("test tests/data/inputs/cards.in --transcript".to_owned(), 0),
        ("interact 6 1 2 --transcript".to_owned(), 1),
        (format!("replay {game} --html"), 0),
        ("arena 5 1 2 --bot perfect --bot random --pairs 1 --csv".to_owned(), 0),
    ]
}

#[test]
fn files_are_replaced_through_links() {
    let inputs = TestDir::new();
    for (args, code) in writers(&inputs) {
        let here = TestDir::new();
        let (old, link) = (here.write("old", OLD), here.file("link"));
        symlink("old", &link).unwrap();
        fs::set_permissions(&old, Permissions::from_mode(0o640)).unwrap();
        assert_eq!(judge(&format!("{args} {link}"), &[]).code(), Some(code), "{args}");
        assert!(here.read("old") != OLD, "{args}");
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink(), "{args}");
        assert_eq!(fs::metadata(&old).unwrap().permissions().mode() & 0o777, 0o640, "{args}");
        assert_eq!(names_in(here.path()).len(), 2, "{args}");
        judge(&format!("{args} {}", here.file("none/file")), &[])
            .exits(2)
            .complains("No such file or directory");
    }
}

#[test]
fn what_an_ordinary_user_may_not_write() {
    if is_root() {
        return pass_as_an_ordinary_user(&["replaced_files::what_an_ordinary_user_may_not_write"]);
    }
    let inputs = TestDir::new();
    for (args, _) in writers(&inputs) {
        let here = TestDir::new();
        let (fixed, locked) = (here.write("fixed", OLD), here.directory("locked"));
        fs::set_permissions(&fixed, Permissions::from_mode(0o444)).unwrap();
        fs::set_permissions(&locked, Permissions::from_mode(0o555)).unwrap();
        judge(&format!("{args} {fixed}"), &[]).exits(2).complains("Permission denied");
        judge(&format!("{args} {locked}/file"), &[]).exits(2).complains("Permission denied");
        fs::set_permissions(&locked, Permissions::from_mode(0o755)).unwrap();
        assert_eq!((here.read("fixed").as_str(), names_in(here.path()).len()), (OLD, 2), "{args}");
    }
}
