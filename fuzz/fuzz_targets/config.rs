//! Any text is a config or a list of problems with places inside it.
#![no_main]

use hintlint::config::Config;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    if let Err(error) = Config::parse(&"hintlint.toml".into(), text) {
        assert!(!error.problems.is_empty());
        for problem in &error.problems {
            assert!(text.get(problem.span.range()).is_some(), "{problem:?}");
        }
    }
});
