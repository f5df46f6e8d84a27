//! The appearance of the pages: screenshots are compared with reference pictures, light and dark, wide and narrow.
//!
//! All texts are in one font, `DejaVu Sans`. If the font is not installed, the test is skipped. A picture is scaled
//! down by ten, so that each pixel is the mean of a hundred pixels. Another version of the font or the browser then
//! changes little, but a part that is missing, moved or of another colour is detected. After a wanted change, run the
//! test with `WRITE_PICTURES=1`, and look at the screenshots in `target/pictures` before you commit the new references.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use crate::browser::Browser;
use crate::support::{Server, TestDir, root, skip_without};

/// The number of pixels of a screenshot, in each direction, that become one pixel.
const SCALE: usize = 10;

/// Maximum mean difference of the samples; a sample is one colour of a pixel, from 0 to 255.
const MAX_MEAN_DIFFERENCE: usize = 2;

/// Maximum share of samples with a clear difference: one in this number.
const SAMPLES_PER_CLEAR_DIFFERENCE: usize = 33;

/// A difference of a sample is clear if it is larger than this.
const CLEAR_DIFFERENCE: u8 = 24;

/// A picture with 8 bits for each of red, green and blue.
struct Picture {
    width: usize,
    height: usize,
    rgb: Vec<u8>,
}

impl Picture {
    fn read(bytes: &[u8]) -> Self {
        let mut reader = png::Decoder::new(std::io::Cursor::new(bytes)).read_info().unwrap();
        let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
        let info = reader.next_frame(&mut pixels).unwrap();
        let samples = info.color_type.samples();
        assert!(samples >= 3, "{:?}", info.color_type);
        let rgb =
            pixels[..info.buffer_size()].chunks(samples).flat_map(|pixel| pixel[..3].to_vec()).collect();
        Self { width: info.width as usize, height: info.height as usize, rgb }
    }

    /// Returns the picture scaled down by `SCALE`.
    fn scaled(&self) -> Self {
        let (width, height) = (self.width / SCALE, self.height / SCALE);
        let mean = |x: usize, y: usize, colour: usize| {
            let rows = y * SCALE..(y + 1) * SCALE;
            let pixels = rows.flat_map(|y| (x * SCALE..(x + 1) * SCALE).map(move |x| (x, y)));
            let sum: usize =
                pixels.map(|(x, y)| usize::from(self.rgb[3 * (y * self.width + x) + colour])).sum();
            (sum / (SCALE * SCALE)) as u8
        };
        let places = (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
        let rgb = places.flat_map(|(x, y)| [0, 1, 2].map(|colour| mean(x, y, colour))).collect();
        Self { width, height, rgb }
    }

    fn png(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        let mut encoder = png::Encoder::new(&mut bytes, self.width as u32, self.height as u32);
        encoder.set_color(png::ColorType::Rgb);
        encoder.set_depth(png::BitDepth::Eight);
        encoder.set_compression(png::Compression::High);
        encoder.write_header().unwrap().write_image_data(&self.rgb).unwrap();
        bytes
    }

    /// Returns a description of the difference between two pictures; `None` if they agree within the limits.
    fn difference(&self, other: &Self) -> Option<String> {
        if (self.width, self.height) != (other.width, other.height) {
            return Some(format!("{} x {} and {} x {}", self.width, self.height, other.width, other.height));
        }
        let differences: Vec<u8> = self.rgb.iter().zip(&other.rgb).map(|(a, b)| a.abs_diff(*b)).collect();
        let count = differences.len();
        let mean = differences.iter().map(|&by| usize::from(by)).sum::<usize>() / count;
        let clear = differences.iter().filter(|&&by| by > CLEAR_DIFFERENCE).count();
        (mean > MAX_MEAN_DIFFERENCE || clear > count / SAMPLES_PER_CLEAR_DIFFERENCE)
            .then(|| format!("the mean difference is {mean}, clear at {clear} of {count} samples"))
    }
}

/// Starts a browser; returns `None` without a browser or without the font of the references.
fn start() -> Option<Browser> {
    let found = Command::new("fc-match").args(["--format=%{family}", "DejaVu Sans"]).output();
    if !found.is_ok_and(|found| found.stdout.starts_with(b"DejaVu Sans")) {
        skip_without("the font DejaVu Sans (Debian: fonts-dejavu-core)");
        return None;
    }
    Browser::start()
}

/// Compares the browser's window with its references, light and dark, wide and narrow.
fn compare(browser: &Browser, name: &str) {
    let references = root().join("judge/tests/pictures");
    let seen = root().join("target/pictures");
    fs::create_dir_all(&seen).unwrap();
    let mut wrong = Vec::new();
    browser.value("(() => { const s = new CSSStyleSheet(); s.replaceSync('* { font-family: \"DejaVu Sans\" !important; }'); document.adoptedStyleSheets = [s]; })()");
    for colours in ["light", "dark"] {
        for width in [1280, 360] {
            browser.emulate(colours, width);
            // Remove the focus, and scroll to the top.
            browser.value("(() => { document.activeElement.blur(); scrollTo(0, 0); })()");
            browser.await_that("document.querySelector('[aria-busy=true]') === null");
            browser.value("Promise.all([document.fonts.ready, ...[...document.images].filter((image) => image.src).map((image) => image.decode())]).then(() => true)");
            browser.await_frame();
            let screenshot = browser.screenshot();
            let file = format!("{name}-{colours}-{width}.png");
            fs::write(seen.join(&file), &screenshot).unwrap();
            let picture = Picture::read(&screenshot).scaled();
            let reference: PathBuf = references.join(&file);
            if std::env::var_os("WRITE_PICTURES").is_some() {
                fs::write(&reference, picture.png()).unwrap();
            }
            let reference =
                Picture::read(&fs::read(&reference).unwrap_or_else(|error| panic!("{file}: {error}")));
            wrong.extend(picture.difference(&reference).map(|difference| format!("{file}: {difference}")));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}; the screenshots are in target/pictures");
}

#[test]
#[ignore = "drives a browser"]
fn the_page_to_play() {
    let Some(browser) = start() else { return };
    let server = Server::start();
    browser.emulate("light", 1280);
    browser.visit(&server.page("#game=segment+20+3+5+%2B+nim+3+5&level=perfect&bot=Second&moves=9+4"));
    compare(&browser, "play");
    browser.visit(&server.page("#game=square+18&level=perfect&bot=Second&seed=1&moves=1+4,1+4,1+9,1+1"));
    compare(&browser, "review");
}

#[test]
#[ignore = "drives a browser"]
fn the_other_pages() {
    let Some(browser) = start() else { return };
    let server = Server::start();
    browser.emulate("light", 1280);
    for (page, name) in [
        ("analysis#game=octal+0.77+15+9+%2B+euclid+9+4&moves=5+2", "analysis"),
        ("tables#game=segment+1+2&to=200&plot=scatter", "tables"),
        ("games", "games"),
        ("transcripts", "transcripts"),
    ] {
        browser.visit(&server.page(page));
        compare(&browser, name);
    }
}

/// Checks the page of a saved game, which is opened from disk, without the server.
#[test]
#[ignore = "drives a browser"]
fn the_page_of_a_replay() {
    let Some(browser) = start() else { return };
    let here = TestDir::new();
    let server = Server::start();
    let request = r#"{"game":"20 3 5 + nim 3 5","moves":"9 4, 22 5","bot":{"side":"Second","level":"perfect"},"resigned":true,"form":"page"}"#;
    let saved: serde_json::Value = serde_json::from_str(&server.ask("save", request).1).unwrap();
    let page = here.write("game.html", saved["content"].as_str().unwrap());
    drop(server);
    browser.open(&page);
    compare(&browser, "replay");
    assert_eq!(browser.text("h1"), "RESIGNED20 3 5 + nim 3 5: You against the bot");
    assert_eq!(browser.text("#reason"), "You have resigned");
    assert!(browser.text("#status").starts_with("Start; First (you) wins with perfect play."));
    assert_eq!(browser.text("#again"), "judge play segment 20 3 5 + nim 3 5 --first --level perfect");
    assert_eq!(browser.console(), [""; 0]);
}

#[test]
fn different_pictures_are_detected() {
    let plain = |value: u8| Picture { width: 20, height: 20, rgb: vec![value; 1200] };
    assert!(plain(200).difference(&plain(202)).is_none());
    assert!(plain(200).difference(&plain(210)).is_some());
    let mut part = plain(200);
    part.rgb[..100].fill(0);
    assert!(part.difference(&plain(200)).is_some());
    assert!(Picture { width: 20, height: 10, rgb: vec![200; 600] }.difference(&plain(200)).is_some());
    let picture = Picture::read(&part.png());
    assert_eq!((picture.width, &picture.rgb), (20, &part.rgb));
    assert_eq!((picture.scaled().width, picture.scaled().rgb.len()), (2, 12));
}
