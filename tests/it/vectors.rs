//! The golden vectors: small worlds with what the released agents loaded in them, against the real binary.

use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Keys of an expectation, the part that prints them, and whether a touched file is part of the question.
const PARTS: [(&str, &str, bool); 4] = [
    ("text", "main", false),
    ("text_global", "user", false),
    ("text_after", "after", false),
    ("touch_text", "touch", true),
];

#[test]
fn every_vector_is_reproduced() {
    let files = json_files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/vectors"));
    let only = std::env::var("VECTOR").unwrap_or_default();
    let mut counts: BTreeMap<String, (usize, usize)> = BTreeMap::new();
    let mut wrong = Vec::new();
    for file in files.iter().filter(|file| file.to_string_lossy().contains(&only)) {
        let text = std::fs::read_to_string(file).expect("a vector can be read");
        let vector: Value = serde_json::from_str(&text).expect("a vector is JSON");
        let world = World::new(&vector);
        for (agent, expected) in object(&vector["expect"]) {
            for (key, part, touches) in PARTS {
                let expected = &expected[key];
                if expected.is_null() {
                    continue;
                }
                let count = counts.entry(agent.clone()).or_default();
                count.1 += 1;
                match compare(expected, &world.show(&vector, agent, part, touches)) {
                    Ok(()) => count.0 += 1,
                    Err(why) => wrong.push(format!("{} {agent} {part}: {why}", vector["name"])),
                }
            }
        }
    }
    for (agent, (right, all)) in &counts {
        say(&format!("{agent}: {right} of {all} texts"));
    }
    assert!(!counts.is_empty(), "no vector was compared");
    assert!(wrong.is_empty(), "{} texts differ:\n{}", wrong.len(), wrong.join("\n"));
}

/// The worlds that are kept beside the checkout: each of them is one of ours, with every text that it has there.
#[test]
fn every_world_beside_the_checkout_is_a_vector() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for folder in ["vectors", "vectors-new"] {
        let dir = root.join("../shared").join(folder);
        if !dir.is_dir() {
            say(&format!("SKIPPED: {} is not there", dir.display()));
            continue;
        }
        for file in json_files(&dir) {
            let name = file.file_name().expect("a file has a name");
            let ours = root.join("tests/vectors").join(name);
            let [theirs, ours] = [&file, &ours].map(|path| {
                let text = std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
                serde_json::from_str::<Value>(&text).expect("a vector is JSON")
            });
            for key in ["files", "git", "cwd", "env", "touch", "options", "cmds"] {
                assert_eq!(theirs[key], ours[key], "{name:?}: {key}");
            }
            for (agent, texts) in object(&theirs["expect"]) {
                // Continue's program is called `cn`.
                let agent = if agent == "cn" { "continue" } else { agent };
                assert_eq!(&ours["expect"][agent], texts, "{name:?}: {agent}");
            }
        }
    }
}

/// The worlds in `dir`, in order of their names.
pub(crate) fn json_files(dir: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(dir).expect("a folder of vectors").flatten().map(|entry| entry.path());
    let mut files: Vec<PathBuf> = entries.filter(|path| path.extension().is_some_and(|e| e == "json")).collect();
    files.sort();
    files
}

/// Past the test harness, which would keep the counts of a passing test to itself.
pub(crate) fn say(line: &str) {
    let _ = writeln!(std::io::stderr(), "{line}");
}

/// One world on disk.
pub(crate) struct World {
    _dir: tempfile::TempDir,
    pub(crate) root: PathBuf,
}

impl World {
    pub(crate) fn new(vector: &Value) -> World {
        // A short plain path: some agents order files by their whole path.
        let name = format!("hlv-{}-{}", std::process::id(), vector["name"].as_str().unwrap_or_default());
        let dir = tempfile::Builder::new().prefix(&name).rand_bytes(0).tempdir().expect("a temporary directory");
        let root = dir.path().canonicalize().expect("it exists");
        let world = World { _dir: dir, root };
        for dir in ["home", "home/.codex", vector["cwd"].as_str().expect("a cwd")] {
            std::fs::create_dir_all(world.root.join(dir)).expect("a directory");
        }
        for (path, content) in object(&vector["files"]) {
            world.write(path, content);
        }
        for repository in vector["git"].as_array().into_iter().flatten().filter_map(Value::as_str) {
            let mut git = Command::new("git");
            git.args(["-c", "init.defaultBranch=main", "init", "-q"]).arg(world.root.join(repository));
            git.env_remove("GIT_DIR").env_remove("GIT_INDEX_FILE").env_remove("GIT_WORK_TREE");
            assert!(git.status().expect("git runs").success());
        }
        for line in vector["cmds"].as_array().into_iter().flatten().filter_map(Value::as_str) {
            world.run(line);
        }
        world
    }

    /// Run a line of `bash` in the root, with an environment of its own.
    fn run(&self, line: &str) {
        let mut bash = Command::new("bash");
        bash.args(["-e", "-c", line]).current_dir(&self.root).env_clear().env("HOME", self.root.join("home"));
        bash.env("PATH", std::env::var_os("PATH").unwrap_or_default()).env("GIT_CONFIG_NOSYSTEM", "1");
        for who in ["AUTHOR", "COMMITTER"] {
            bash.env(format!("GIT_{who}_NAME"), "t").env(format!("GIT_{who}_EMAIL"), "t@example.org");
        }
        assert!(bash.status().expect("bash runs").success(), "{line}");
    }

    fn write(&self, path: &str, content: &Value) {
        let target = self.root.join(path);
        std::fs::create_dir_all(target.parent().expect("it lies below the root")).expect("a directory");
        let fill = |value: &Value| value.as_str().unwrap_or_default().replace("{ROOT}", &self.root.to_string_lossy());
        if content["dir"] == true {
            std::fs::create_dir_all(&target).expect("a directory");
        } else if let Some(link) = content.get("symlink") {
            #[cfg(unix)]
            std::os::unix::fs::symlink(fill(link), &target).expect("a link");
        } else {
            let bytes = match (content.get("base64"), content["repeat"].as_array()) {
                (Some(base64), _) => decode_base64(base64.as_str().unwrap_or_default()),
                (None, Some(repeat)) => {
                    let times = usize::try_from(repeat[1].as_u64().expect("a count")).expect("a small count");
                    format!(
                        "{}{}{}",
                        fill(&content["prefix"]),
                        fill(&repeat[0]).repeat(times),
                        fill(&content["suffix"])
                    )
                    .into()
                }
                (None, None) => fill(&content["text"]).into_bytes(),
            };
            std::fs::write(&target, bytes).expect("a file");
        }
    }

    /// What `hintlint show` prints, with the root written `{ROOT}`.
    fn show(&self, vector: &Value, agent: &str, part: &str, touches: bool) -> String {
        let home = self.root.join("home");
        let mut command = Command::new(env!("CARGO_BIN_EXE_hintlint"));
        command.env_clear().env("HOME", &home).env("CODEX_HOME", home.join(".codex"));
        command.env("XDG_CONFIG_HOME", home.join(".config"));
        for (key, value) in object(&vector["env"]) {
            let value = value.as_str().unwrap_or_default();
            command.env(key, value.replace("{ROOT}", &self.root.to_string_lossy()));
        }
        let cwd = vector["cwd"].as_str().expect("a cwd");
        command.arg("show").arg(self.root.join(cwd)).args(["--agent", agent, "--part", part]);
        for (key, value) in object(&vector["options"][agent]) {
            command.arg("--agent-option").arg(format!("{agent}.{key}={value}"));
        }
        if touches {
            command.arg("--file").arg(self.root.join(vector["touch"].as_str().expect("a touched file")));
        }
        let output = command.output().expect("hintlint runs");
        if !output.status.success() {
            return format!("(exit {:?}) {}", output.status.code(), String::from_utf8_lossy(&output.stderr));
        }
        String::from_utf8_lossy(&output.stdout).replace(&*self.root.to_string_lossy(), "{ROOT}")
    }
}

pub(crate) fn object(value: &Value) -> impl Iterator<Item = (&String, &Value)> {
    static NONE: std::sync::LazyLock<Map<String, Value>> = std::sync::LazyLock::new(Map::new);
    value.as_object().unwrap_or(&NONE).iter()
}

fn compare(expected: &Value, found: &str) -> Result<(), String> {
    let Some(expected) = expected.as_str() else {
        let same =
            expected["bytes"].as_u64() == Some(found.len() as u64) && expected["sha256"] == sha256(found.as_bytes());
        let head: String = found.chars().take(200).collect();
        return if same {
            Ok(())
        } else {
            Err(format!("{} bytes, not {}: {head:?}…", found.len(), expected["bytes"]))
        };
    };
    if expected == found {
        return Ok(());
    }
    let at = expected.bytes().zip(found.bytes()).take_while(|(a, b)| a == b).count();
    let around = |text: &str| {
        let bytes = &text.as_bytes()[at.saturating_sub(40).min(text.len())..text.len().min(at + 240)];
        String::from_utf8_lossy(bytes).into_owned()
    };
    Err(format!("at byte {at}\n  expected {:?}\n     found {:?}", around(expected), around(found)))
}

fn decode_base64(text: &str) -> Vec<u8> {
    let digit = |c: u8| match c {
        b'A'..=b'Z' => u32::from(c - b'A'),
        b'a'..=b'z' => u32::from(c - b'a') + 26,
        b'0'..=b'9' => u32::from(c - b'0') + 52,
        b'+' => 62,
        _ => 63,
    };
    let mut bytes = Vec::new();
    for group in text.trim_end_matches('=').as_bytes().chunks(4) {
        let bits = group.iter().fold(0, |bits, &c| bits << 6 | digit(c)) << (6 * (4 - group.len()));
        bytes.extend_from_slice(&bits.to_be_bytes()[1..group.len()]);
    }
    bytes
}

/// SHA-256 by its definition (FIPS 180-4); the constants are the fractional parts of roots of the first primes.
fn sha256(message: &[u8]) -> String {
    fn root_bits(prime: u32, cube: bool) -> u32 {
        // The integer root of prime * 2^(32 * degree) holds the fraction in its low 32 bits.
        let target = u128::from(prime) << if cube { 96 } else { 64 };
        let (mut low, mut high) = (0_u128, 1_u128 << 36);
        while high - low > 1 {
            let middle = (low + high) / 2;
            let power = if cube { middle.pow(3) } else { middle.pow(2) };
            if power <= target { low = middle } else { high = middle }
        }
        low as u32
    }
    let primes: Vec<u32> = (2..312).filter(|n| (2..*n).all(|d| n % d != 0)).collect();
    let k: Vec<u32> = primes.iter().take(64).map(|&p| root_bits(p, true)).collect();
    let mut state: Vec<u32> = primes.iter().take(8).map(|&p| root_bits(p, false)).collect();
    let mut padded = message.to_vec();
    padded.push(0x80);
    // The length takes the last eight bytes.
    padded.resize((padded.len() + 8).next_multiple_of(64) - 8, 0);
    padded.extend((message.len() as u64 * 8).to_be_bytes());
    for block in padded.chunks(64) {
        let mut w: Vec<u32> = block.chunks(4).map(|c| u32::from_be_bytes([c[0], c[1], c[2], c[3]])).collect();
        for i in 16..64 {
            let s0 = w[i - 15].rotate_right(7) ^ w[i - 15].rotate_right(18) ^ (w[i - 15] >> 3);
            let s1 = w[i - 2].rotate_right(17) ^ w[i - 2].rotate_right(19) ^ (w[i - 2] >> 10);
            w.push(w[i - 16].wrapping_add(s0).wrapping_add(w[i - 7]).wrapping_add(s1));
        }
        let mut v = state.clone();
        for i in 0..64 {
            let s1 = v[4].rotate_right(6) ^ v[4].rotate_right(11) ^ v[4].rotate_right(25);
            let choice = (v[4] & v[5]) ^ (!v[4] & v[6]);
            let t1 = v[7].wrapping_add(s1).wrapping_add(choice).wrapping_add(k[i]).wrapping_add(w[i]);
            let s0 = v[0].rotate_right(2) ^ v[0].rotate_right(13) ^ v[0].rotate_right(22);
            let t2 = s0.wrapping_add((v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2]));
            v.rotate_right(1);
            v[4] = v[4].wrapping_add(t1);
            v[0] = t1.wrapping_add(t2);
        }
        for (sum, add) in state.iter_mut().zip(v) {
            *sum = sum.wrapping_add(add);
        }
    }
    state.iter().map(|word| format!("{word:08x}")).collect()
}

#[test]
fn the_hash_is_the_standard_one() {
    assert_eq!(sha256(b"abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    let whole = sha256(&[b'a'; 63]);
    assert_eq!(whole, "7d3e74a05d7db15bce4ad9ec0658ea98e3f06eeecf16b4c6fff2da457ddc2f34");
    let long = sha256(&[b'a'; 119]);
    assert_eq!(long, "31eba51c313a5c08226adf18d4a359cfdfd8d2e816b13f4af952f7ea6584dcfb");
}
