//! The fuzz targets of hintlint as libFuzzer runs them: seeds, a watch over inputs that do not end, and one function per target.
//! What a target tests stands in `targets`.

#![forbid(unsafe_code)]

mod targets;

use std::fs;
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use targets::{TARGETS, Target, seeds};

/// Names the folder into which a target writes its seeds before it starts.
const SEED_FOLDER: &str = "HINTLINT_FUZZ_SEEDS";

/// Seconds after which an input counts as one that does not end.
const LIMIT: Duration = Duration::from_secs(10);

/// Since when the present input runs. libFuzzer writes the input to a file when the process aborts.
static RUNNING: Mutex<Option<Instant>> = Mutex::new(None);

/// Prepare the target called `name`, and write its seeds if the environment names a folder for them.
///
/// # Panics
/// When there is no such target, or the seeds cannot be written.
pub fn init(name: &str) {
    let target = find(name);
    if let Some(folder) = std::env::var_os(SEED_FOLDER) {
        write_seeds(target, Path::new(&folder));
    }
    thread::spawn(watch);
}

/// End the process when an input does not end. libFuzzer's own `-timeout` allocates memory in a signal handler, which never
/// returns where the signal came while memory was allocated.
fn watch() {
    loop {
        thread::sleep(Duration::from_secs(1));
        let running = RUNNING.lock().unwrap_or_else(PoisonError::into_inner);
        if running.is_some_and(|since| since.elapsed() > LIMIT) {
            eprintln!("ERROR: an input runs for more than {} seconds", LIMIT.as_secs());
            std::process::abort();
        }
    }
}

fn set_running(since: Option<Instant>) {
    *RUNNING.lock().unwrap_or_else(PoisonError::into_inner) = since;
}

fn find(name: &str) -> &'static Target {
    TARGETS.iter().find(|target| target.name == name).unwrap_or_else(|| panic!("there is no target `{name}`"))
}

/// The seeds, and the inputs that once broke something.
fn write_seeds(target: &Target, folder: &Path) {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests");
    let numbered = (target.seeds)(&tests.join("fixtures")).into_iter().enumerate();
    let seeds = numbered.map(|(number, seed)| (format!("seed-{number:03}"), seed));
    fs::create_dir_all(folder).expect("the folder of seeds can be made");
    for (name, bytes) in seeds.chain(seeds::regressions(&tests.join("fuzz-regressions"), target.name)) {
        fs::write(folder.join(name), bytes).expect("a seed can be written");
    }
}

/// Run one input of the target called `name`.
///
/// # Panics
/// When the input breaks a promise.
pub fn run(name: &str, data: &[u8]) {
    set_running(Some(Instant::now()));
    (find(name).run)(data);
    set_running(None);
}

/// Change one token of a row of the target `rows`; see libFuzzer's custom mutators.
pub fn mutate_row(data: &mut [u8], size: usize, max: usize, seed: u32) -> usize {
    targets::rows::mutate(data, size, max, seed)
}

/// Make an input of the target `growth`; see libFuzzer's custom mutators.
pub fn mutate_growth(data: &mut [u8], max: usize, seed: u32) -> usize {
    targets::growth::mutate(data, max, seed)
}
