//! What the hooks remember between calls, in the agent's own folder of the user (`~/.claude`): the state of the active plan and
//! one small file per session. Every change is made under a lock and written by `write`, so that two writers lose nothing.
//! Only the user may read them. Knows neither plans nor rules.

mod session;

use std::fs::{self, File};
use std::time::{Duration, SystemTime};

use serde_json::Value;

pub use self::session::hash;
pub(crate) use self::session::{AgentSession, session_key};
use crate::agents::HOST;
use crate::base::error::Obstacle;
use crate::base::path::RepoPath;
use crate::env::Env;
use crate::world::{AbsPath, HostWorld, ReadError, World};
use crate::write::WriteRoot;

/// The state of the active plan.
pub const STATE: &str = ".boulder.json";
/// One line for each state that was cleared, the latest last.
pub(crate) const HISTORY: &str = ".boulder.history.jsonl";
/// What was injected by rules, one file per session.
pub const RULES: &str = ".sisyphus/rules-injector";
/// What was injected as documentation, one file per session.
pub(crate) const CONTEXT: &str = ".sisyphus/context-injector";
/// How often a loop was told to go on, one file per session.
pub(crate) const STOPS: &str = ".sisyphus/stop-hook";

/// Held while the plan's state is read, changed and written.
const STATE_LOCK: &str = ".boulder.lock";
/// Held while a session's files are.
const SESSION_LOCK: &str = ".sisyphus/.lock";
/// How long a lock is waited for. Its holders only read and write small files.
const PATIENCE: Duration = Duration::from_secs(2);
/// Sessions that were not heard of for so long are forgotten.
const SESSION_LIFE: Duration = Duration::from_secs(30 * 24 * 60 * 60);
/// A file of ours that is larger is not ours.
const MAX_BYTES: usize = 4 << 20;
/// The folder.
pub struct Store {
    folder: AbsPath,
    world: HostWorld,
}

/// What becomes of a file.
pub(crate) enum FileChange {
    /// It stays as it is.
    Keep,
    /// It gets these bytes.
    Write(Vec<u8>),
    /// It goes.
    Delete,
}

impl Store {
    /// The user's folder; `None` without a home.
    pub fn new(env: &Env) -> Option<Store> {
        let folder = env.or_in_home(HOST.folder_variable, HOST.folder).filter(|folder| folder.starts_with('/'))?;
        Some(Store { folder: AbsPath::new(folder), world: HostWorld::new(env.clone()) })
    }

    /// The absolute path of a file of ours.
    pub fn path(&self, name: &str) -> AbsPath {
        self.folder.join(name)
    }

    /// The bytes of a file; `None` if there is none.
    ///
    /// # Errors
    /// When it is there and cannot be read.
    pub(crate) fn read(&self, name: &str) -> Result<Option<Vec<u8>>, Obstacle> {
        let path = self.path(name);
        match self.world.read(&path) {
            Ok(bytes) if bytes.len() > MAX_BYTES => {
                Err(format!("{path} is too large to be a state file of hintlint").into())
            }
            Ok(bytes) => Ok(Some(bytes.to_vec())),
            Err(ReadError::NotFound) => Ok(None),
            Err(error) => Err(format!("{path} cannot be read: {error}").into()),
        }
    }

    /// Change the state of the active plan. What `change` says of the file is done before anybody else can look at it; the
    /// lines are added to the history.
    ///
    /// # Errors
    /// When the file cannot be read or written.
    pub(crate) fn change_state<T>(
        &self,
        change: impl FnOnce(Option<&[u8]>) -> (FileChange, Option<String>, T),
    ) -> Result<T, Obstacle> {
        let _lock = self.lock(STATE_LOCK)?;
        let before = self.read(STATE)?;
        let (wanted, line, answer) = change(before.as_deref());
        if let Some(line) = line {
            // The history comes first: a state that cannot be recorded is not cleared.
            let old = self.read(HISTORY)?;
            let new = with_line(old.as_deref().unwrap_or_default(), &line);
            self.apply(HISTORY, old.as_deref(), FileChange::Write(new))?;
        }
        self.apply(STATE, before.as_deref(), wanted)?;
        Ok(answer)
    }

    /// The last line of the history that `wanted` accepts, as JSON.
    pub(crate) fn last_cleared(&self, mut wanted: impl FnMut(&Value) -> bool) -> Option<Value> {
        let history = self.read(HISTORY).ok()??;
        let lines = history.split(|&byte| byte == b'\n').rev();
        lines.filter_map(|line| serde_json::from_slice(line).ok()).find(|line| wanted(line))
    }

    /// Change a context's file in one of the folders of sessions; see [`Store::change_state`].
    ///
    /// # Errors
    /// When the file cannot be read or written.
    pub(crate) fn change_session<T>(
        &self,
        folder: &str,
        session: &AgentSession<'_>,
        change: impl FnOnce(Option<&[u8]>) -> (FileChange, T),
    ) -> Result<T, Obstacle> {
        let name = session.file(folder);
        let _lock = self.lock(SESSION_LOCK)?;
        let before = self.read(&name)?;
        let (wanted, answer) = change(before.as_deref());
        self.apply(&name, before.as_deref(), wanted)?;
        Ok(answer)
    }

    /// Forget the sessions that were not heard of for long before `now`.
    ///
    /// # Errors
    /// When a file cannot be deleted; the others are gone.
    pub(crate) fn expire(&self, now: SystemTime) -> Result<(), Obstacle> {
        let mut result = Ok(());
        for folder in [RULES, CONTEXT, STOPS] {
            let entries = self.world.read_dir(&self.path(folder));
            let names = entries.iter().filter_map(|entry| std::str::from_utf8(&entry.name).ok());
            for name in names.filter(|name| name.starts_with("session-") && name.ends_with(".json")) {
                let name = format!("{folder}/{name}");
                let is_old = || self.age(&name, now).is_some_and(|age| age > SESSION_LIFE);
                if !is_old() {
                    continue;
                }
                let _lock = self.lock(SESSION_LOCK)?;
                // It may have been written since.
                if is_old() {
                    let deleted =
                        self.read(&name).and_then(|bytes| self.apply(&name, bytes.as_deref(), FileChange::Delete));
                    result = result.and(deleted);
                }
            }
        }
        result
    }

    /// How long ago a regular file was written.
    fn age(&self, name: &str, now: SystemTime) -> Option<Duration> {
        let data = fs::symlink_metadata(self.path(name).to_os()).ok().filter(fs::Metadata::is_file)?;
        now.duration_since(data.modified().ok()?).ok()
    }

    fn apply(&self, name: &str, before: Option<&[u8]>, wanted: FileChange) -> Result<(), Obstacle> {
        let path = RepoPath::from(name);
        let said = |error: crate::write::WriteError| Obstacle::from(format!("{} {error}", self.path(name)));
        match (wanted, before) {
            (FileChange::Keep, _) | (FileChange::Delete, None) => Ok(()),
            (FileChange::Write(after), Some(before)) => {
                self.root()?.replace(&path, before, &after).map(|_| ()).map_err(said)
            }
            (FileChange::Write(after), None) => self.root()?.create(&path, &after).map(|_| ()).map_err(said),
            (FileChange::Delete, Some(before)) => {
                let folder = crate::base::path::parent(name.as_bytes());
                self.root()?.delete(&path, before, folder).map_err(said)
            }
        }
    }

    fn root(&self) -> Result<WriteRoot, Obstacle> {
        WriteRoot::private(&self.folder.to_os()).map_err(|error| self.unusable(&error))
    }

    fn unusable(&self, error: &std::io::Error) -> Obstacle {
        format!("{} cannot be used: {error}", self.folder).into()
    }

    fn lock(&self, name: &str) -> Result<File, Obstacle> {
        let folder = WriteRoot::create_root(&self.folder.to_os()).map_err(|error| self.unusable(&error))?;
        folder.lock(&name.into(), PATIENCE).map_err(|error| format!("{} {error}", self.path(name)).into())
    }
}

/// The history with one more line, the oldest lines dropped where it grows too long.
fn with_line(history: &[u8], line: &str) -> Vec<u8> {
    const LINES: usize = 500;
    let mut lines: Vec<&[u8]> = history.split_inclusive(|&byte| byte == b'\n').collect();
    lines.drain(..lines.len().saturating_sub(LINES - 1));
    let mut text = lines.concat();
    if text.last().is_some_and(|&last| last != b'\n') {
        text.push(b'\n');
    }
    text.extend_from_slice(line.as_bytes());
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn store() -> (tempfile::TempDir, Store) {
        let home = tempfile::tempdir().unwrap();
        let store = Store::new(&Env::empty().with("HOME", home.path().to_str().unwrap())).unwrap();
        (home, store)
    }

    fn session(id: &str) -> AgentSession<'_> {
        AgentSession { id, agent: None }
    }

    #[cfg(unix)]
    #[test]
    fn nobody_else_reads_what_is_remembered() {
        use std::os::unix::fs::PermissionsExt;
        let (home, store) = store();
        let old = home.path().join(".claude");
        fs::create_dir(&old).unwrap();
        fs::set_permissions(&old, fs::Permissions::from_mode(0o755)).unwrap();
        fs::write(old.join(".boulder.json"), "{}").unwrap();
        fs::set_permissions(old.join(".boulder.json"), fs::Permissions::from_mode(0o644)).unwrap();
        store.change_state(|_| (FileChange::Write(b"{\"a\":1}".to_vec()), Some("{}\n".into()), ())).unwrap();
        store.change_session(RULES, &session("s"), |_| (FileChange::Write(b"{}".to_vec()), ())).unwrap();
        let mode = |name: &str| fs::metadata(old.join(name)).unwrap().permissions().mode() & 0o777;
        for name in [".boulder.json", HISTORY, STATE_LOCK, SESSION_LOCK, ".sisyphus/rules-injector/session-s.json"] {
            assert_eq!(mode(name), 0o600, "{name}");
        }
        for name in [".sisyphus", ".sisyphus/rules-injector"] {
            assert_eq!(mode(name), 0o700, "{name}");
        }
        assert_eq!(mode(""), 0o755, "a folder that was there stays as it is");
        let fresh = tempfile::tempdir().unwrap();
        let store = Store::new(&Env::empty().with("HOME", fresh.path().to_str().unwrap())).unwrap();
        store.change_session(RULES, &session("s"), |_| (FileChange::Write(b"{}".to_vec()), ())).unwrap();
        assert_eq!(fs::metadata(fresh.path().join(".claude")).unwrap().permissions().mode() & 0o777, 0o700);
    }

    #[test]
    fn reading_makes_no_folder() {
        let (home, store) = store();
        assert_eq!(store.read(STATE), Ok(None));
        assert!(!home.path().join(".claude").exists());
        store.expire(SystemTime::now()).unwrap();
        assert!(!home.path().join(".claude").exists());
    }

    #[test]
    fn what_is_cleared_is_recorded_before_it_goes() {
        let (_home, store) = store();
        store.change_state(|before| (FileChange::Write(b"1".to_vec()), None, assert_eq!(before, None))).unwrap();
        store.change_state(|_| (FileChange::Delete, Some("one\n".into()), ())).unwrap();
        store.change_state(|before| (FileChange::Delete, Some("two\n".into()), assert_eq!(before, None))).unwrap();
        assert_eq!(store.read(HISTORY).unwrap().as_deref(), Some(&b"one\ntwo\n"[..]));
        assert_eq!(store.read(STATE), Ok(None));
        let long: String = (0..700).map(|n| format!("{n}\n")).collect();
        let text = String::from_utf8(with_line(long.as_bytes(), "end\n")).unwrap();
        assert_eq!((text.lines().count(), text.lines().next(), text.lines().last()), (500, Some("201"), Some("end")));
        assert_eq!(with_line(b"torn", "end\n"), b"torn\nend\n");
    }

    #[test]
    fn many_writers_lose_nothing() {
        let (home, _) = store();
        let path = home.path().to_str().unwrap().to_owned();
        let writers: Vec<_> = (0..8)
            .map(|_| {
                let store = Store::new(&Env::empty().with("HOME", &path)).unwrap();
                std::thread::spawn(move || {
                    for _ in 0..5 {
                        let more = |before: Option<&[u8]>| {
                            let count = before.map_or(0, |bytes| std::str::from_utf8(bytes).unwrap().parse().unwrap());
                            (FileChange::Write((count + 1_u32).to_string().into_bytes()), ())
                        };
                        store.change_session(RULES, &session("s"), more).unwrap();
                    }
                })
            })
            .collect();
        for writer in writers {
            writer.join().unwrap();
        }
        let count = std::fs::read_to_string(home.path().join(".claude/.sisyphus/rules-injector/session-s.json"));
        assert_eq!(count.unwrap(), "40");
    }

    #[test]
    fn sessions_expire_by_age_alone() {
        let (home, store) = store();
        for id in ["old", "new"] {
            store
                .change_session(CONTEXT, &AgentSession { id, agent: None }, |_| (FileChange::Write(b"{}".to_vec()), ()))
                .unwrap();
        }
        let folder = home.path().join(".claude/.sisyphus/context-injector");
        let now = SystemTime::now();
        let old = File::options().append(true).open(folder.join("session-old.json")).unwrap();
        old.set_modified(now - SESSION_LIFE - Duration::from_secs(60)).unwrap();
        fs::write(folder.join("mine.json"), "").unwrap();
        let mine = File::options().append(true).open(folder.join("mine.json")).unwrap();
        mine.set_modified(now - SESSION_LIFE * 2).unwrap();
        store.expire(now).unwrap();
        let mut left: Vec<_> = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        left.sort();
        assert_eq!(left, ["mine.json", "session-new.json"]);
    }

    #[cfg(unix)]
    #[test]
    fn a_link_out_of_the_folder_is_not_written_through() {
        let (home, store) = store();
        fs::create_dir(home.path().join(".claude")).unwrap();
        fs::write(home.path().join("theirs"), "x").unwrap();
        std::os::unix::fs::symlink("../theirs", home.path().join(".claude/.boulder.json")).unwrap();
        assert!(store.change_state(|_| (FileChange::Write(b"y".to_vec()), None, ())).is_err());
        assert_eq!(fs::read_to_string(home.path().join("theirs")).unwrap(), "x");
    }

    #[cfg(unix)]
    #[test]
    fn a_lock_that_is_a_link_or_lies_behind_one_out_of_the_folder_creates_nothing() {
        for (link, target) in [(".boulder.lock", "../theirs"), (".sisyphus", "../folder")] {
            let (home, store) = store();
            fs::create_dir(home.path().join("folder")).unwrap();
            fs::create_dir(home.path().join(".claude")).unwrap();
            std::os::unix::fs::symlink(target, home.path().join(".claude").join(link)).unwrap();
            let state = store.change_state(|_| (FileChange::Keep, None, ()));
            let session = store.change_session(RULES, &session("s"), |_| (FileChange::Keep, ()));
            assert_eq!((state.is_err(), session.is_err()), (link == ".boulder.lock", link == ".sisyphus"), "{link}");
            assert!(!home.path().join("theirs").exists());
            assert_eq!(fs::read_dir(home.path().join("folder")).unwrap().count(), 0);
        }
    }
}
