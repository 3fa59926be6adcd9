use super::*;

/// What no output may hold: words to find it by and a control sequence of a terminal.
const SECRET: &str = "\u{1b}]0;title\u{7}SECRET WORDS";

fn with_threads<T: Send>(count: usize, work: impl FnOnce() -> T + Send) -> T {
    rayon::ThreadPoolBuilder::new().num_threads(count).build().expect("a pool").install(work)
}

/// The arguments of this process show whether the test below runs it.
#[test]
fn recording_places_in_a_process_of_its_own() {
    if !std::env::args().any(|argument| argument == "--exact") {
        return;
    }
    record_places();
    let line = line!() + 1;
    assert!(contain(|| panic!("{SECRET}")).is_none());
    assert!(contain(|| with_threads(2, || rayon::join(|| panic!("{SECRET}"), || panic!("{SECRET}")))).is_none());
    assert!(places().contains(&format!("src/base/defect/tests.rs:{line}")), "{:?}", places());
}

#[test]
fn a_panics_message_is_never_printed() {
    let (_, module) = module_path!().split_once("::").expect("a crate and a module");
    let name = format!("{module}::recording_places_in_a_process_of_its_own");
    let program = std::env::current_exe().expect("this program");
    let run = std::process::Command::new(program).args(["--exact", &name, "--nocapture"]).output().expect("it runs");
    let all = String::from_utf8_lossy(&[run.stdout, run.stderr].concat()).into_owned();
    assert!(run.status.success() && all.contains("1 passed"), "{all}");
    assert!(!all.contains("SECRET") && !all.contains('\u{1b}') && !all.contains("panicked"), "{all}");
}

#[test]
fn places_name_no_folder_of_a_machine() {
    for (file, want) in [
        ("src/run.rs", "src/run.rs"),
        ("/home/u/.cargo/registry/src/index.crates.io-1/dep-1.2.3/src/lib.rs", "dep-1.2.3/src/lib.rs"),
        ("C:\\u\\.cargo\\registry\\src\\index\\dep-1.2.3\\src\\lib.rs", "dep-1.2.3/src/lib.rs"),
        ("/rustc/0123/library/core/src/str/mod.rs", "core/src/str/mod.rs"),
    ] {
        assert_eq!(short(file), want);
    }
}

#[test]
fn no_profile_makes_panics_end_the_process() {
    let manifest = include_str!("../../../Cargo.toml");
    assert!(manifest.contains("[profile.release]"));
    assert!(!manifest.lines().any(|line| line.trim_start().starts_with("panic")), "contained panics need unwinding");
}
