//! The thread that opens repositories and checks them. Of several edits only the latest is checked; a repository that is open
//! stays open, with what history answered, until something on disk changed.

use std::collections::{BTreeMap, VecDeque};
use std::path::{Path, PathBuf};
use std::sync::mpsc::SyncSender;
use std::sync::{Arc, Condvar, Mutex, PoisonError};

use super::ServerEvent;
use crate::base::defect;
use crate::base::error::Error;
use crate::base::finding::Applicability;
use crate::base::kind::Kind;
use crate::base::path::{RepoPath, os_path_to_bytes};
use crate::discover::Discovery;
use crate::engine::{self, CheckMemory, CheckRequest, ConfigFrom, Fixed, Opening, Report, Repository};
use crate::env::Env;
use crate::parse::Document;
use crate::rules::run::Selection;
use crate::source::{Memory, Side, Source as _};
use crate::workspace::Workspace;

/// Most repositories that stay open.
const MAX_OPEN: usize = 64;

/// What is checked together.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Project {
    /// The repository, or the folder outside git, with this top.
    Folder(PathBuf),
    /// A file that belongs to no folder of the client: it is judged by its own text alone.
    Lone(PathBuf),
}

impl Project {
    /// The folder that its paths count from.
    pub(super) fn top(&self) -> &Path {
        match self {
            Project::Folder(top) => top,
            Project::Lone(_) => Path::new("/"),
        }
    }

    /// The path of a file as the engine knows it.
    pub(super) fn inside(&self, path: &Path) -> Option<RepoPath> {
        let inside = path.strip_prefix(self.top()).ok()?;
        Some(RepoPath::new(os_path_to_bytes(inside)))
    }

    /// The path of a file as the client knows it.
    pub(super) fn outside(&self, path: &RepoPath) -> PathBuf {
        self.top().join(path.to_os_path())
    }
}

/// A text that is open in the client.
#[derive(Clone, Debug)]
pub(super) struct Unsaved {
    pub(super) path: RepoPath,
    pub(super) text: Arc<str>,
    pub(super) version: i32,
}

/// The open texts of a project.
pub(super) type UnsavedTexts = Vec<Unsaved>;

/// A check of one project.
#[derive(Debug)]
pub(super) struct Job {
    /// Counts the states of all projects.
    pub(super) generation: u64,
    pub(super) texts: UnsavedTexts,
    /// Whether files may have come or gone since the last check.
    pub(super) reopen: bool,
    pub(super) selection: Selection,
}

/// Fixes for one file, wanted by a request.
#[derive(Debug)]
pub(super) struct FixJob {
    pub(super) project: Project,
    pub(super) path: RepoPath,
    pub(super) texts: UnsavedTexts,
    pub(super) selection: Selection,
    pub(super) allowed: Applicability,
    /// What the one who asked knows it by.
    pub(super) ticket: u64,
}

/// A file of the repository that a request needs.
#[derive(Debug)]
pub(super) struct ReadJob {
    pub(super) project: Project,
    pub(super) path: RepoPath,
    pub(super) texts: UnsavedTexts,
    pub(super) ticket: u64,
}

/// What a check found.
#[derive(Debug)]
pub(super) struct Analysis {
    pub(super) report: Report,
    pub(super) workspace: Workspace,
    /// The versions of the open texts that were checked.
    pub(super) versions: BTreeMap<RepoPath, i32>,
}

#[derive(Default)]
struct Queue {
    checks: BTreeMap<Project, Job>,
    order: VecDeque<Project>,
    /// What requests wait for, after all checks.
    others: VecDeque<WorkerTask>,
    is_closed: bool,
}

enum WorkerTask {
    Check(Project, Job),
    Fix(Box<FixJob>),
    Read(Box<ReadJob>),
}

/// The thread's end that others hold.
pub(super) struct Worker {
    shared: Arc<(Mutex<Queue>, Condvar)>,
}

impl Worker {
    pub(super) fn start(env: Env, keeps_history: bool, events: SyncSender<ServerEvent>) -> std::io::Result<Worker> {
        let shared = Arc::new((Mutex::new(Queue::default()), Condvar::new()));
        let theirs = shared.clone();
        let run = move || {
            // A repository stays on the thread that opened it.
            let mut state = WorkerState { env: without_git_state(&env), keeps_history, open: BTreeMap::new() };
            while let Some(work) = next(&theirs) {
                let event = state.work(work);
                if events.send(event).is_err() {
                    return;
                }
            }
        };
        std::thread::Builder::new().name("check".into()).spawn(run)?;
        Ok(Worker { shared })
    }

    /// Check a project; a check of it that has not begun is replaced.
    pub(super) fn check(&self, project: Project, mut job: Job) {
        self.change(|queue| {
            if let Some(earlier) = queue.checks.get(&project) {
                job.reopen |= earlier.reopen;
            } else {
                queue.order.push_back(project.clone());
            }
            queue.checks.insert(project, job);
        });
    }

    pub(super) fn fix(&self, job: FixJob) {
        self.change(|queue| queue.others.push_back(WorkerTask::Fix(Box::new(job))));
    }

    pub(super) fn read(&self, job: ReadJob) {
        self.change(|queue| queue.others.push_back(WorkerTask::Read(Box::new(job))));
    }

    fn change(&self, change: impl FnOnce(&mut Queue)) {
        change(&mut self.shared.0.lock().unwrap_or_else(PoisonError::into_inner));
        self.shared.1.notify_one();
    }

    /// Let the thread end after what it is doing.
    pub(super) fn close(&mut self) {
        self.change(|queue| *queue = Queue { is_closed: true, ..Queue::default() });
    }
}

fn next(shared: &(Mutex<Queue>, Condvar)) -> Option<WorkerTask> {
    let mut queue = shared.0.lock().unwrap_or_else(PoisonError::into_inner);
    loop {
        if queue.is_closed {
            return None;
        }
        if let Some(project) = queue.order.pop_front()
            && let Some(job) = queue.checks.remove(&project)
        {
            return Some(WorkerTask::Check(project, job));
        }
        if let Some(work) = queue.others.pop_front() {
            return Some(work);
        }
        queue = shared.1.wait(queue).unwrap_or_else(PoisonError::into_inner);
    }
}

/// The environment without what a running git command told its editor: it holds for that command's repository alone.
fn without_git_state(env: &Env) -> Env {
    let of_one = ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX", "GIT_COMMON_DIR", "GIT_OBJECT_DIRECTORY"];
    env.exact().filter(|(name, _)| !of_one.iter().any(|state| name == state)).collect()
}

/// An open repository.
struct OpenRepository {
    repository: Repository,
    memory: CheckMemory,
    /// The texts that its config was read with.
    configs: BTreeMap<RepoPath, Arc<[u8]>>,
}

struct WorkerState {
    env: Env,
    keeps_history: bool,
    open: BTreeMap<Project, OpenRepository>,
}

impl WorkerState {
    fn work(&mut self, work: WorkerTask) -> ServerEvent {
        match work {
            WorkerTask::Check(project, job) => {
                let generation = job.generation;
                let done = defect::contain(|| self.check(&project, job));
                if done.is_none() {
                    self.open.remove(&project);
                }
                let broke_off = || Err(Error::failed(defect::message("a check crashed"), "report it"));
                ServerEvent::Checked { project, generation, outcome: Box::new(done.unwrap_or_else(broke_off)) }
            }
            WorkerTask::Fix(job) => {
                let ticket = job.ticket;
                let done = defect::contain(|| self.fix(&job));
                ServerEvent::Fixed { ticket, file: done.and_then(Result::ok).flatten() }
            }
            WorkerTask::Read(job) => {
                let bytes = defect::contain(|| self.read(&job)).and_then(Result::ok).flatten().unwrap_or_default();
                let page = Document::unparsed(job.path, Kind::Markdown, bytes);
                ServerEvent::Read { ticket: job.ticket, page: Box::new(page) }
            }
        }
    }

    fn check(&mut self, project: &Project, job: Job) -> Result<Analysis, Error> {
        if job.reopen {
            self.open.remove(project);
        }
        let (open, request) = self.prepare(project, &job.texts, job.selection)?;
        let checked = engine::check_again(&open.repository, &request, &mut open.memory)?;
        let mut report = checked.report;
        report.notes.extend(open.repository.source().notes());
        let versions = job.texts.into_iter().map(|open| (open.path, open.version)).collect();
        Ok(Analysis { report, workspace: checked.workspace, versions })
    }

    fn fix(&mut self, job: &FixJob) -> Result<Option<Fixed>, Error> {
        let (open, mut request) = self.prepare(&job.project, &job.texts, job.selection.clone())?;
        request.selection.paths = vec![job.path.clone()];
        let checked = engine::check(&open.repository, &request)?;
        let fixes = engine::fix(&open.repository, &request, checked, job.allowed)?;
        Ok(fixes.files.into_iter().find(|file| file.path == job.path))
    }

    /// The bytes of a listed file, which is read as a check reads it: never through a link.
    fn read(&mut self, job: &ReadJob) -> Result<Option<Arc<[u8]>>, Error> {
        let (open, _) = self.prepare(&job.project, &job.texts, Selection::default())?;
        let read = open.repository.files().read_many(std::slice::from_ref(&job.path));
        Ok(read.into_iter().next().and_then(Result::ok))
    }

    /// The open repository with the unsaved texts over it, and what is asked of it.
    fn prepare(
        &mut self,
        project: &Project,
        texts: &UnsavedTexts,
        selection: Selection,
    ) -> Result<(&mut OpenRepository, CheckRequest), Error> {
        if self.open.len() >= MAX_OPEN && !self.open.contains_key(project) {
            self.open.pop_first();
        }
        let is_lone = matches!(project, Project::Lone(_));
        // Which of them the config extends is known once it was read.
        let is_config = |open: &&Unsaved| open.path.as_bytes().ends_with(b".toml");
        let configs = overlays(texts.iter().filter(is_config));
        if is_lone || self.open.get(project).is_none_or(|open| open.configs != configs) {
            let mut repository = match project {
                Project::Folder(top) => self.open_folder(top, configs.clone())?,
                Project::Lone(_) => {
                    let files = texts.iter().map(|open| (open.path.as_bytes().to_vec(), open.text.as_bytes().to_vec()));
                    Repository::new(Box::new(Memory::of_files(files)), ConfigFrom::Defaults)?
                }
            };
            if self.keeps_history {
                repository.keep_history();
            }
            self.open.insert(project.clone(), OpenRepository { repository, memory: CheckMemory::default(), configs });
        }
        let Some(open) = self.open.get_mut(project) else {
            return Err(Error::failed("the repository is not open", "open the file again"));
        };
        open.repository.set_overlays(overlays(texts.iter()));
        let mut request =
            CheckRequest { selection, files: new_hint_files(&open.repository, texts), ..CheckRequest::default() };
        if is_lone {
            // What needs other files to judge is left out.
            request.selection.select = ["unicode", "frontmatter", "plans"].map(str::to_owned).to_vec();
        }
        Ok((open, request))
    }

    fn open_folder(&self, top: &Path, configs: BTreeMap<RepoPath, Arc<[u8]>>) -> Result<Repository, Error> {
        let opening = Opening {
            start: top.to_owned(),
            side: Side::Worktree,
            env: self.env.clone(),
            config: ConfigFrom::Unsaved(configs),
        };
        engine::open(opening)
    }
}

fn overlays<'t>(texts: impl Iterator<Item = &'t Unsaved>) -> BTreeMap<RepoPath, Arc<[u8]>> {
    texts.map(|open| (open.path.clone(), open.text.as_bytes().into())).collect()
}

/// Those of the unsaved texts that are hint files by their path and that disk does not have yet.
fn new_hint_files(repository: &Repository, texts: &UnsavedTexts) -> Vec<RepoPath> {
    let Ok(discovery) = Discovery::new(&repository.config) else { return Vec::new() };
    let listing = repository.source().listing();
    let is_new = |path: &RepoPath| listing.kind(path.as_bytes()).is_none();
    let is_hint =
        |path: &RepoPath| discovery.kind(path.as_bytes()).is_some() && !discovery.is_excluded(path.as_bytes());
    texts.iter().map(|open| &open.path).filter(|path| is_new(path) && is_hint(path)).cloned().collect()
}
