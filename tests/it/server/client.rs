//! A client: the program as a child process, spoken to as an editor does, with a bound on every wait.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::support::Repo;

/// No answer may take longer, on however loaded a machine.
const PATIENCE: Duration = Duration::from_secs(60);

pub(crate) struct Client {
    child: Child,
    input: Option<ChildStdin>,
    messages: Receiver<Value>,
    next: i64,
    /// The newest diagnostics of each file, by address.
    pub(crate) diagnostics: BTreeMap<String, Value>,
    /// What the server said besides, newest last.
    pub(crate) others: Vec<Value>,
    version: i64,
    root: String,
}

fn read_message(input: &mut dyn BufRead) -> Option<Value> {
    let mut length = 0;
    loop {
        let mut line = String::new();
        if input.read_line(&mut line).ok()? == 0 {
            return None;
        }
        if line.trim().is_empty() {
            break;
        }
        length = line.strip_prefix("Content-Length: ").expect("a length").trim().parse().expect("a number");
    }
    let mut body = vec![0; length];
    input.read_exact(&mut body).ok()?;
    Some(serde_json::from_slice(&body).expect("JSON"))
}

pub(crate) fn frame(body: &str) -> String {
    format!("Content-Length: {}\r\n\r\n{body}", body.len())
}

impl Client {
    /// A server that nobody has greeted.
    pub(crate) fn start(repo: &Repo) -> Client {
        Client::run(repo.hintlint(repo.root()), repo)
    }

    /// The same, with an environment of its own.
    pub(crate) fn run(mut command: Command, repo: &Repo) -> Client {
        command.arg("server").stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("it starts");
        let mut output = BufReader::new(child.stdout.take().expect("an output"));
        let (sender, messages) = channel();
        std::thread::spawn(move || {
            while let Some(message) = read_message(&mut output) {
                if sender.send(message).is_err() {
                    return;
                }
            }
        });
        let input = child.stdin.take();
        let root = format!("file://{}", repo.root().display());
        Client { child, input, messages, next: 0, diagnostics: BTreeMap::new(), others: Vec::new(), version: 0, root }
    }

    /// A server whose only folder is `repo`, greeted by a client that counts in UTF-8.
    pub(crate) fn of(repo: &Repo) -> Client {
        Client::with(repo, json!({}))
    }

    /// The same, with more parameters.
    pub(crate) fn with(repo: &Repo, more: Value) -> Client {
        let mut client = Client::start(repo);
        client.greet(&more);
        client
    }

    /// Say who speaks.
    pub(crate) fn greet(&mut self, more: &Value) {
        let mut params = json!({
            "processId": null,
            "capabilities": {
                "general": {"positionEncodings": ["utf-8"]},
                "workspace": {"workspaceEdit": {"documentChanges": true}, "didChangeWatchedFiles": {"dynamicRegistration": true}},
            },
            "workspaceFolders": [{"uri": self.root, "name": "repo"}],
        });
        for (key, value) in more.as_object().expect("an object") {
            params[key] = value.clone();
        }
        self.ask("initialize", &params);
        self.tell("initialized", &json!({}));
    }

    pub(crate) fn uri(&self, path: &str) -> String {
        format!("{}/{path}", self.root)
    }

    pub(crate) fn send_raw(&mut self, text: &str) {
        let input = self.input.as_mut().expect("the server listens");
        input.write_all(text.as_bytes()).expect("the server reads");
        input.flush().expect("the server reads");
    }

    fn send(&mut self, message: &Value) {
        self.send_raw(&frame(&message.to_string()));
    }

    pub(crate) fn tell(&mut self, method: &str, params: &Value) {
        self.send(&json!({"jsonrpc": "2.0", "method": method, "params": params}));
    }

    /// Send a request and do not wait; the answer is its number.
    pub(crate) fn post(&mut self, method: &str, params: &Value) -> i64 {
        self.next += 1;
        let id = self.next;
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}));
        id
    }

    /// The whole answer to a request.
    pub(crate) fn wait(&mut self, id: i64) -> Value {
        self.until(|message| message.get("id") == Some(&json!(id)) && message.get("method").is_none())
    }

    /// The result of a request, which must not fail.
    pub(crate) fn ask(&mut self, method: &str, params: &Value) -> Value {
        let id = self.post(method, params);
        let answer = self.wait(id);
        assert!(answer.get("error").is_none(), "{method}: {answer}");
        answer["result"].clone()
    }

    /// The next message that is wanted; what comes before it is kept.
    pub(crate) fn until(&mut self, is_wanted: impl Fn(&Value) -> bool) -> Value {
        let end = Instant::now() + PATIENCE;
        loop {
            let message = match self.messages.recv_timeout(end.saturating_duration_since(Instant::now())) {
                Ok(message) => message,
                Err(RecvTimeoutError::Timeout) => panic!("no answer in {PATIENCE:?}; {:?}", self.others),
                Err(RecvTimeoutError::Disconnected) => panic!("the server is gone: {}", self.stderr()),
            };
            if message["method"] == "textDocument/publishDiagnostics" {
                let uri = message["params"]["uri"].as_str().expect("an address").to_owned();
                self.diagnostics.insert(uri, message["params"]["diagnostics"].clone());
            }
            if is_wanted(&message) {
                return message;
            }
            self.others.push(message);
        }
    }

    pub(crate) fn stderr(&mut self) -> String {
        let mut text = String::new();
        if let Some(mut stderr) = self.child.stderr.take() {
            let _ = stderr.read_to_string(&mut text);
        }
        text
    }

    /// Open a file with a text, and wait until it was checked.
    pub(crate) fn open(&mut self, path: &str, text: &str) {
        self.version += 1;
        let document = json!({"uri": self.uri(path), "languageId": "markdown", "version": self.version, "text": text});
        self.tell("textDocument/didOpen", &json!({"textDocument": document}));
        self.checked(path);
    }

    /// Open a file as it is on disk.
    pub(crate) fn open_file(&mut self, repo: &Repo, path: &str) {
        let text = String::from_utf8(repo.read(path)).expect("UTF-8");
        self.open(path, &text);
    }

    /// Replace the whole text of an open file, and wait until it was checked.
    pub(crate) fn change(&mut self, path: &str, text: &str) {
        self.edit(path, &json!([{"text": text}]));
        self.checked(path);
    }

    /// Change an open file; the answer is its version.
    pub(crate) fn edit(&mut self, path: &str, changes: &Value) -> i64 {
        self.version += 1;
        let document = json!({"uri": self.uri(path), "version": self.version});
        self.tell("textDocument/didChange", &json!({"textDocument": document, "contentChanges": changes}));
        self.version
    }

    /// Wait until the newest version of a file was checked.
    pub(crate) fn checked(&mut self, path: &str) {
        let (uri, version) = (json!(self.uri(path)), json!(self.version));
        self.until(|message| {
            message["method"] == "textDocument/publishDiagnostics"
                && message["params"]["uri"] == uri
                && message["params"]["version"] == version
        });
        // What the same check told of other files comes before the next answer.
        self.ask("textDocument/documentSymbol", &json!({"textDocument": {"uri": self.uri(path)}}));
    }

    /// `line:character rule` of each diagnostic of a file that is no hint, sorted.
    pub(crate) fn found(&self, path: &str) -> Vec<String> {
        let diagnostics = self.diagnostics.get(&self.uri(path)).cloned().unwrap_or_default();
        let diagnostics = diagnostics.as_array().cloned().unwrap_or_default();
        let show = |diagnostic: &Value| {
            let start = &diagnostic["range"]["start"];
            format!("{}:{} {}", start["line"], start["character"], diagnostic["code"].as_str().unwrap_or("?"))
        };
        let mut found: Vec<String> =
            diagnostics.iter().filter(|diagnostic| diagnostic["severity"] != 4).map(show).collect();
        found.sort();
        found
    }

    /// Parameters that name a place in a file.
    pub(crate) fn place(&self, path: &str, line: u32, character: u32) -> Value {
        json!({"textDocument": {"uri": self.uri(path)}, "position": {"line": line, "character": character}})
    }

    /// What the program printed on standard output must be messages alone, and its end must be in order.
    pub(crate) fn stop(mut self) {
        self.ask("shutdown", &Value::Null);
        self.tell("exit", &Value::Null);
        assert_eq!(self.ended(), 0, "{}", self.stderr());
    }

    /// The exit code, once it ended.
    pub(crate) fn ended(&mut self) -> i32 {
        self.input = None;
        let end = Instant::now() + PATIENCE;
        while Instant::now() < end {
            if let Some(status) = self.child.try_wait().expect("a child") {
                return status.code().unwrap_or(-1);
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        panic!("it does not end")
    }

    /// Kilobytes of memory that the server holds.
    pub(crate) fn memory(&self) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).unwrap_or_default();
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap_or("0");
        line.trim().trim_end_matches(" kB").parse().unwrap_or(0)
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Apply edits of one file, in UTF-8 units, as a client does.
pub(crate) fn apply(text: &str, edits: &Value) -> String {
    let starts: Vec<usize> = std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect();
    let offset = |place: &Value| {
        let number = |key: &str| usize::try_from(place[key].as_u64().expect("a number")).expect("small");
        (starts.get(number("line")).copied().unwrap_or(text.len()) + number("character")).min(text.len())
    };
    let edits = edits.as_array().cloned().unwrap_or_default();
    let mut spans: Vec<(usize, usize, String)> = edits
        .iter()
        .map(|edit| {
            let new = edit["newText"].as_str().expect("a text").to_owned();
            (offset(&edit["range"]["start"]), offset(&edit["range"]["end"]), new)
        })
        .collect();
    spans.sort();
    let mut out = text.to_owned();
    for (start, end, new) in spans.into_iter().rev() {
        out.replace_range(start..end, &new);
    }
    out
}

/// Write to disk what a workspace edit makes of a repository's files.
pub(crate) fn apply_to_disk(repo: &Repo, edit: &Value) {
    for change in edit["documentChanges"].as_array().cloned().unwrap_or_default() {
        let uri = change["textDocument"]["uri"].as_str().expect("an address");
        let path = uri.strip_prefix("file://").expect("a file").replace("%20", " ");
        let path = Path::new(&path).strip_prefix(repo.root()).expect("inside").to_owned();
        let path = path.to_str().expect("UTF-8");
        let text = String::from_utf8(repo.read(path)).expect("UTF-8");
        repo.write(path, apply(&text, &change["edits"]));
    }
}
