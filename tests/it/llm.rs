//! Language models behind HTTP: what each provider sends and understands, and what becomes of servers that are slow, busy, broken,
//! huge or hostile. All servers are this machine's own.

use std::time::{Duration, Instant, SystemTime};

use hintlint::env::Env;
use hintlint::library::llm::{
    self, ApiKey, Client, Connection, Endpoint, ModelAnswer, Provider, ProviderFailure, Request, Secrets,
};
use serde_json::{Value, json};

use crate::servers::{Asked, Does, Server};
use crate::support::{Repo, Run};

/// A key that servers are to see and nobody else.
const KEY: &str = "k-9f8e7d6c5b4a39281706";

fn request() -> Request {
    Request {
        model: "m1".into(),
        model_setting: "--model".into(),
        prompt: "Which?".into(),
        temperature: 0.3,
        max_tokens: 77,
    }
}

/// The provider `id`, asked at `host` in an environment, which waits for an answer so long.
fn provider(id: &str, host: &str, env: &Env, timeout: Duration) -> Box<dyn Provider> {
    let info = llm::find(id).expect("a provider");
    let key = info.key.map(|name| ApiKey::new(KEY, name).expect("a key"));
    let mut secrets = Secrets::default();
    secrets.add(KEY);
    let client = Client::new(env, timeout, secrets).expect("a client");
    (info.open)(Connection { endpoint: Endpoint::parse(host, info.defaults).expect("an address"), key, client })
}

fn ask(id: &str, server: &Server) -> Result<ModelAnswer, ProviderFailure> {
    provider(id, &server.url(), &Env::empty(), Duration::from_secs(20)).generate(&request())
}

/// What the provider `id` says when its server does that.
fn failure(id: &str, does: impl Fn(&Asked, usize) -> Does + Send + Sync + 'static) -> ProviderFailure {
    let failure = ask(id, &Server::new(does)).expect_err("no answer");
    assert!(!format!("{failure:?}").contains(KEY), "{failure:?}");
    assert!(!failure.message.contains(['\n', '\u{1b}']), "{failure:?}");
    failure
}

#[test]
fn l05_ollama_speaks_its_api() {
    let server = Server::new(|asked, _| match asked.line.as_str() {
        "GET /api/tags" => Does::json(200, &json!({"models": []})),
        "POST /api/generate" => Does::json(
            200,
            &json!({"model": "m1:latest", "response": " [\"a\"]\n", "prompt_eval_count": 26, "eval_count": 5, "done": true}),
        ),
        _ => Does::json(404, &json!({})),
    });
    let ollama = provider("ollama", &server.url(), &Env::empty(), Duration::from_secs(20));
    assert_eq!(ollama.available(), Ok(()));
    let answer = ollama.generate(&request()).expect("an answer");
    let expected = ModelAnswer {
        text: "[\"a\"]".into(),
        model: Some("m1:latest".into()),
        input_tokens: Some(26),
        output_tokens: Some(5),
    };
    assert_eq!(answer, expected);
    let asked = &server.asked()[1];
    assert_eq!(
        asked.json(),
        json!({"model": "m1", "prompt": "Which?", "stream": false, "options": {"temperature": 0.3, "num_predict": 77}})
    );
    assert_eq!(asked.header("authorization").or(asked.header("x-api-key")), None);
}

#[test]
fn l05_anthropic_speaks_its_api() {
    let server = Server::new(|_, _| {
        let content = json!([{"type": "thinking", "thinking": "[\"b\"]"}, {"type": "text", "text": "[\"a\"]"}]);
        Does::json(200, &json!({"model": "m1-1", "content": content, "usage": {"input_tokens": 9, "output_tokens": 4}}))
    });
    let answer = ask("claude", &server).expect("an answer");
    let expected = ModelAnswer {
        text: "[\"a\"]".into(),
        model: Some("m1-1".into()),
        input_tokens: Some(9),
        output_tokens: Some(4),
    };
    assert_eq!(answer, expected);
    let asked = &server.asked()[0];
    assert_eq!(asked.line, "POST /v1/messages");
    assert_eq!((asked.header("x-api-key"), asked.header("anthropic-version")), (Some(KEY), Some("2023-06-01")));
    assert_eq!(
        asked.json(),
        json!({"model": "m1", "max_tokens": 77, "temperature": 0.3, "messages": [{"role": "user", "content": "Which?"}]})
    );
    assert_eq!(server.asked().len(), 1, "the call is the availability check");
}

#[test]
fn any_openai_compatible_server_is_asked() {
    let server = Server::new(|_, _| {
        let choices = json!([{"message": {"role": "assistant", "content": "[\"a\"]"}}]);
        Does::json(
            200,
            &json!({"model": "local", "choices": choices, "usage": {"prompt_tokens": 7, "completion_tokens": 2}}),
        )
    });
    let answer = ask("openai", &server).expect("an answer");
    assert_eq!((answer.text.as_str(), answer.input_tokens, answer.output_tokens), ("[\"a\"]", Some(7), Some(2)));
    let below = provider("openai", &format!("{}/api/v3/", server.url()), &Env::empty(), Duration::from_secs(20));
    below.generate(&request()).expect("an answer");
    assert_eq!(server.lines(), ["POST /v1/chat/completions", "POST /api/v3/chat/completions"]);
    let asked = &server.asked()[0];
    assert_eq!(asked.header("authorization"), Some(format!("Bearer {KEY}").as_str()));
    assert_eq!(asked.json()["messages"], json!([{"role": "user", "content": "Which?"}]));
}

#[test]
fn a_refused_parameter_is_left_out_once() {
    let refuses = |parameter: &'static str, message: &'static str| {
        move |asked: &Asked, _| match asked.json().get(parameter) {
            Some(_) => Does::json(400, &json!({"error": {"type": "invalid_request_error", "message": message}})),
            None => Does::json(
                200,
                &json!({"content": [{"type": "text", "text": "[]"}], "choices": [{"message": {"content": "[]"}}]}),
            ),
        }
    };
    let server = Server::new(refuses("temperature", "`temperature` is deprecated for this model."));
    assert_eq!(ask("anthropic", &server).expect("an answer").text, "[]");
    let bodies: Vec<Value> = server.asked().iter().map(Asked::json).collect();
    assert_eq!((bodies.len(), bodies[1].get("temperature"), &bodies[1]["max_tokens"]), (2, None, &json!(77)));
    let message = "Unsupported parameter: 'max_tokens' is not supported. Use 'max_completion_tokens' instead.";
    let server = Server::new(refuses("max_tokens", message));
    ask("openai", &server).expect("an answer");
    assert_eq!(server.asked()[1].json()["max_completion_tokens"], json!(77));
    // A server that refuses whatever comes is not asked for ever.
    let refuse = |_: &Asked, _| Does::json(400, &json!({"error": {"message": "temperature, max_completion_tokens"}}));
    let server = Server::new(refuse);
    let failure = ask("openai", &server).expect_err("no answer");
    assert!(failure.message.contains("answered with status 400: temperature, max"), "{failure}");
    assert_eq!(server.asked().len(), 3);
}

#[test]
fn an_unknown_model_is_named_with_its_setting() {
    let said = failure("ollama", |_, _| Does::json(404, &json!({"error": "model 'm1' not found"})));
    assert!(
        said.message.contains("has no model \"m1\", which comes from --model (404): model 'm1' not found"),
        "{said}"
    );
    assert!(said.help.is_some_and(|help| help.contains("`model` in [search]")));
    let said = failure("openai", |_, _| Does::Answer(404, Vec::new(), "page not found".into()));
    assert!(said.message.contains("has nothing at /chat/completions for the model \"m1\", which comes from"), "{said}");
    let error = json!({"type": "error", "error": {"type": "not_found_error", "message": "model: m1"}});
    let said = failure("anthropic", move |_, _| Does::json(404, &error));
    assert!(said.message.starts_with("Anthropic at ") && said.message.contains("has no model \"m1\""), "{said}");
}

#[test]
fn a_refused_key_is_named_by_its_origin_alone() {
    let says = format!("invalid x-api-key: {KEY} or {}", &KEY[..14]);
    let error = json!({"error": {"message": says}});
    let said = failure("anthropic", move |_, _| Does::json(401, &error));
    assert!(said.message.starts_with("Anthropic refuses the key from ANTHROPIC_API_KEY (401): "), "{said}");
    assert!(!said.message.contains(&KEY[..11]), "{said}");
    assert!(said.help.is_some_and(|help| help.contains(".api-keys.json")));
}

#[test]
fn busy_servers_are_asked_again() {
    for status in [429, 529, 500, 503] {
        let server = Server::new(move |_, before| match before {
            0 | 1 => Does::Answer(status, vec![("retry-after", "0".into())], "{}".into()),
            _ => Does::json(200, &json!({"response": "[]"})),
        });
        assert_eq!(ask("ollama", &server).expect("an answer").text, "[]", "{status}");
        assert_eq!(server.asked().len(), 3);
    }
    let busy = Server::new(|_, _| Does::Answer(529, vec![("retry-after", "0".into())], "{}".into()));
    assert!(ask("anthropic", &busy).expect_err("no answer").message.starts_with("Anthropic is busy (529)"));
    assert_eq!(busy.asked().len(), 3);
    for status in [400, 401, 404, 418] {
        let server = Server::new(move |_, _| Does::json(status, &json!({"error": "no"})));
        ask("ollama", &server).expect_err("no answer");
        assert_eq!(server.asked().len(), 1, "{status} is final");
    }
}

#[test]
fn a_server_that_wants_too_much_time_is_left_alone() {
    for wait in ["3600", "99999999999999999999"] {
        let started = Instant::now();
        let server = Server::new(move |_, before| {
            let wait = if before == 0 { wait } else { "0" };
            Does::Answer(429, vec![("retry-after", wait.into())], "{\"error\": \"later\"}".into())
        });
        let said = ask("anthropic", &server).expect_err("no answer");
        assert!(said.message.starts_with("Anthropic is busy (429)") && started.elapsed().as_secs() < 15, "{said}");
    }
}

#[test]
fn a_server_may_name_the_date_of_the_next_try() {
    let asked_again = |headers: Vec<(&'static str, String)>| {
        let server = Server::new(move |_, before| match before {
            0 => Does::Answer(503, headers.clone(), "{}".into()),
            _ => Does::json(200, &json!({"response": "[]"})),
        });
        let started = Instant::now();
        let answer = ask("ollama", &server);
        (answer, started.elapsed(), server.asked().len())
    };
    // Dates have whole seconds: from now it is more than two to the third.
    let (answer, waited, tries) = asked_again(vec![("retry-after", http_date(3))]);
    assert!(answer.is_ok() && tries == 2 && waited >= Duration::from_secs(2), "{answer:?} after {waited:?}");
    let (answer, waited, _) = asked_again(vec![("retry-after", http_date(-3600))]);
    assert!(answer.is_ok() && waited < Duration::from_secs(2), "a date that is over: {answer:?} after {waited:?}");
    // The server's clock is an hour ahead: it asks for no hour.
    let (answer, waited, tries) = asked_again(vec![("date", http_date(3600)), ("retry-after", http_date(3600))]);
    assert!(answer.is_ok() && tries == 2 && waited < Duration::from_secs(2), "{answer:?} after {waited:?}");
    let (answer, _, tries) = asked_again(vec![("retry-after", http_date(3600))]);
    assert_eq!((answer.is_err(), tries), (true, 1), "an hour is too long");
}

/// The date of HTTP so many seconds from now.
fn http_date(from_now: i64) -> String {
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).expect("a time after 1970").as_secs();
    let at = now.saturating_add_signed(from_now);
    let weekday = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"][(at / 86_400 % 7) as usize];
    let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
    let stamp = hintlint::plan::state::timestamp(at);
    let month = months[stamp[5..7].parse::<usize>().expect("a month") - 1];
    format!("{weekday}, {} {month} {} {} GMT", &stamp[8..10], &stamp[..4], &stamp[11..19])
}

#[test]
fn slow_servers_run_out_of_time() {
    for does in [|_: &Asked, _| Does::Stall, |_: &Asked, _| Does::Drip] {
        let server = Server::new(does);
        let started = Instant::now();
        let slow = provider("ollama", &server.url(), &Env::empty(), Duration::from_millis(400));
        let said = slow.generate(&request()).expect_err("no answer");
        assert_eq!(said.message, format!("Ollama at {} did not answer within 400 ms", server.url()));
        assert!(started.elapsed() < Duration::from_secs(10));
    }
}

#[test]
fn a_server_that_is_not_there_is_named() {
    let port = Server::nobody();
    let ollama = provider("ollama", &format!("127.0.0.1:{port}"), &Env::empty(), Duration::from_secs(20));
    let said = ollama.available().expect_err("nobody listens");
    assert_eq!(said.message, format!("Ollama cannot be reached at http://127.0.0.1:{port}: connection refused"));
    assert!(said.help.is_some_and(|help| help.contains("ollama serve")));
    let other = Server::new(|_, _| Does::Answer(200, Vec::new(), "<html>".into()));
    let other = provider("ollama", &other.url(), &Env::empty(), Duration::from_secs(20));
    assert!(other.available().expect_err("no Ollama").message.contains("is not Ollama"));
}

#[test]
fn broken_and_huge_answers_are_failures() {
    let sends = |bytes: &'static [u8]| move |_: &Asked, _| Does::Send(bytes.to_vec());
    for bytes in [
        &b""[..],
        b"\0\xff\xfe",
        b"HTTP/1.1 200 OK\r\ncontent-length: 90\r\n\r\n{",
        b"SSH-2.0-x\r\n",
        b"HTTP/9 z\r\n\r\n",
    ] {
        failure("ollama", sends(bytes));
    }
    let said = failure("ollama", |_, _| Does::Answer(200, Vec::new(), "<html>no</html>".into()));
    assert!(said.message.contains("did not answer with JSON"), "{said}");
    for json in [json!({}), json!({"response": 5}), json!({"content": []}), json!({"choices": []})] {
        for id in ["ollama", "anthropic", "openai"] {
            let json = json.clone();
            let said = failure(id, move |_, _| Does::json(200, &json));
            assert!(said.message.ends_with("answered without text"), "{said}");
        }
    }
    let huge = || format!("{{\"response\": \"{}\"}}", "x".repeat(5 << 20));
    let said = failure("ollama", move |_, _| Does::Answer(200, Vec::new(), huge()));
    assert!(said.message.contains("answered with more than 4 MiB"), "{said}");
    let endless_head = || b"HTTP/1.1 200 OK\r\n".iter().copied().chain(b"a: b\r\n".repeat(1 << 18)).collect();
    failure("ollama", move |_, _| Does::Send(endless_head()));
}

#[test]
fn a_hostile_message_is_one_short_visible_line() {
    let message = format!("a\u{1b}[2J\n::error::b\r\u{202e}{}", "x".repeat(10_000));
    let said = failure("ollama", move |_, _| Does::json(418, &json!({"error": message})));
    assert!(said.message.len() < 400 && said.message.contains("\\u{001B}"), "{said}");
    assert!(!said.message.contains('\u{202e}'));
}

#[test]
fn no_redirect_takes_the_key_elsewhere() {
    let thief = Server::new(|_, _| Does::json(200, &json!({"content": [{"text": "[]"}]})));
    for target in
        [thief.url(), format!("//127.0.0.1:{}/x", thief.port()), format!("http://localhost:{}/", thief.port())]
    {
        for status in [301, 302, 307, 308] {
            let to = target.clone();
            let server = Server::new(move |_, _| Does::Answer(status, vec![("location", to.clone())], String::new()));
            let said = ask("anthropic", &server).expect_err("no answer");
            assert!(said.message.contains("redirects to") && said.message.contains("does not follow it"), "{said}");
        }
    }
    assert_eq!(thief.lines(), [""; 0]);
    // On the same server a redirect is followed, but not for ever.
    let here = Server::new(|asked, _| match asked.line.as_str() {
        "POST /v1/messages" => Does::Answer(308, vec![("location", "/moved".into())], String::new()),
        _ => Does::json(200, &json!({"content": [{"text": "[]"}]})),
    });
    assert_eq!(ask("anthropic", &here).expect("an answer").text, "[]");
    assert_eq!(here.asked()[1].header("x-api-key"), Some(KEY));
    assert_eq!(here.asked()[1].json()["max_tokens"], json!(77));
    let circle = Server::new(|_, _| Does::Answer(307, vec![("location", "/v1/messages".into())], String::new()));
    assert!(ask("anthropic", &circle).expect_err("no answer").message.contains("redirects in a circle"));
    assert!(circle.asked().len() < 10);
}

#[test]
fn proxies_come_from_the_environment() {
    let server = Server::new(|_, _| Does::json(200, &json!({"response": "[]"})));
    let port = server.port();
    let proxy = Server::new(move |_, _| Does::Tunnel(port));
    let address = format!("http://user:hush-hush@127.0.0.1:{}", proxy.port());
    let env = Env::empty().with("HTTP_PROXY", address.as_str());
    let ask = |host: &str, env: &Env| provider("ollama", host, env, Duration::from_secs(20)).generate(&request());
    assert_eq!(ask("http://models.example:8080", &env).expect("an answer").text, "[]");
    assert_eq!(proxy.lines(), ["CONNECT models.example:8080"]);
    assert!(proxy.asked()[0].header("proxy-authorization").is_some());
    // This machine and those of NO_PROXY are asked directly.
    assert_eq!(ask(&server.url(), &env).expect("an answer").text, "[]");
    assert_eq!(proxy.asked().len(), 1);
    let refuses = Server::new(|_, _| Does::Answer(403, Vec::new(), String::new()));
    let address = format!("http://user:hush-hush@127.0.0.1:{}", refuses.port());
    let said = ask("http://models.example", &env.with("HTTP_PROXY", address.as_str())).expect_err("no answer");
    assert!(said.message.contains("cannot be reached") && !said.message.contains("hush"), "{said}");
}

#[test]
fn only_servers_with_a_trusted_certificate_get_anything() {
    let server = Server::tls(|_, _| Does::json(200, &json!({"content": [{"text": "[\"a\"]"}]})));
    let host = server.url().replace("http:", "https:");
    let said = provider("anthropic", &host, &Env::empty(), Duration::from_secs(20)).generate(&request());
    let said = said.expect_err("nobody vouches for the certificate");
    assert!(said.message.starts_with("Anthropic cannot be reached at https://127.0.0.1:"), "{said}");
    assert!(said.message.contains("certificate") && server.asked().is_empty(), "{said}");
    let file = crate::clients::own("tests/it/tls/certificate.pem");
    let env = Env::empty().with("SSL_CERT_FILE", file);
    let answer = provider("anthropic", &host, &env, Duration::from_secs(20)).generate(&request());
    assert_eq!(answer.expect("an answer").text, "[\"a\"]");
    assert_eq!(server.asked()[0].header("x-api-key"), Some(KEY));
}

#[test]
fn certificates_come_from_the_file_that_the_environment_names() {
    for file in ["/nowhere/ca.pem", "Cargo.toml"] {
        let env = Env::empty().with("SSL_CERT_FILE", file);
        let said = Client::new(&env, llm::TIMEOUT, Secrets::default()).expect_err("no certificates");
        assert!(said.message.starts_with("SSL_CERT_FILE names "), "{said}");
    }
}

/// A repository with a small library and these further files, all of them tracked.
fn library(files: &[(&str, &str)]) -> Repo {
    let hints = [
        ("src/hints/library-usage-sqlite.md", "---\ndescription: How to query SQLite\n---\n# SQLite\n"),
        (
            "src/hints/deep/writing-tests.md",
            "---\ndescription: How to write tests\nrelevant_for: New tests\n---\n# Tests\n",
        ),
        ("src/hints/new-project.md", "---\ndescription: How to start a project\n---\n# Project\n"),
    ];
    Repo::with_files(hints.into_iter().chain(files.iter().copied()))
}

/// Run the program there with these variables.
fn run(repo: &Repo, env: &[(&str, &str)], args: &[&str]) -> Run {
    let run: Run = repo.hintlint(repo.root()).envs(env.iter().copied()).args(args).output().expect("it starts").into();
    assert!(!format!("{run:?}").contains(KEY), "a key is printed: {run:?}");
    run
}

/// A server that speaks as Ollama and as Anthropic do, and says that text.
fn says(text: &'static str) -> Server {
    Server::new(move |_, _| {
        Does::json(
            200,
            &json!({"models": [], "response": text, "prompt_eval_count": 1000, "eval_count": 20,
                    "content": [{"type": "text", "text": text}]}),
        )
    })
}

const FOUND: &str = "Found 2 relevant hint file(s):\n\n1. writing-tests\n2. library-usage-sqlite\n\n\
                     Use --show-content to display the full content of the hints.\n";

#[test]
fn l04_a_model_selects_in_its_own_order() {
    let server = says("These: [\"writing-tests\", \"unheard-of\", \"library-usage-sqlite\", \"writing-tests\"]");
    let repo = library(&[]);
    repo.write(
        "hintlint.toml",
        format!("[search]\nprovider = \"ollama\"\nmodel = \"m2\"\nhost = \"{}\"\n", server.url()),
    );
    let found = run(&repo, &[], &["search", "where do tests go?"]);
    assert_eq!((found.code, found.stdout.as_str(), found.stderr.as_str()), (0, FOUND, ""));
    let asked = server.asked()[1].json();
    let prompt = asked["prompt"].as_str().expect("a prompt");
    assert_eq!(asked["model"], "m2");
    assert!(prompt.contains("\n3. writing-tests - How to write tests (Relevant for: New tests)\n</hints>"), "{prompt}");
    assert!(prompt.contains("<request>where do tests go?</request>"), "{prompt}");
    let one = run(&repo, &[], &["search", "-l", "1", "-m", "m3", "-t", "0", "-c", "tests"]);
    assert!(
        one.stdout.contains("Hint 1: writing-tests\n\n---\ndescription") && !one.stdout.contains("sqlite"),
        "{one:?}"
    );
    let asked = server.asked()[3].json();
    assert_eq!((&asked["model"], &asked["options"]["temperature"]), (&json!("m3"), &json!(0.0)));
    let json: Value =
        serde_json::from_str(&run(&repo, &[], &["search", "tests", "--format", "json"]).stdout).expect("JSON");
    assert_eq!((&json["tokens"], &json["hints"][0]["score"], &json["count"]), (&json!(1020), &Value::Null, &json!(2)));
    let shown = run(&repo, &[], &["show-hints", "tests"]);
    assert!(shown.stdout.ends_with("\nToken Usage: 1,020 tokens\n"), "{shown:?}");
}

#[test]
fn l06_a_model_without_a_provider_is_ollamas() {
    let server = says("[]");
    let address = format!("0.0.0.0:{}", server.port());
    let found = run(&library(&[]), &[("OLLAMA_HOST", &address)], &["search", "--model", "m4", "tests"]);
    assert_eq!((found.code, found.stdout.as_str()), (0, "No relevant hints found for your query.\n"));
    assert_eq!(server.lines(), ["GET /api/tags", "POST /api/generate"]);
    assert_eq!(server.asked()[1].json()["model"], "m4");
    let by_words = run(&library(&[]), &[("OLLAMA_HOST", &address)], &["search", "tests"]);
    assert!(
        by_words.stdout.contains("1. writing-tests") && server.asked().len() == 2,
        "words ask nobody: {by_words:?}"
    );
}

#[test]
fn l04_an_empty_library_makes_no_call() {
    let server = says("[]");
    let repo = Repo::with_files([("README.md", "x\n")]);
    let found = run(&repo, &[("OLLAMA_HOST", &server.url())], &["search", "-m", "m", "tests"]);
    assert_eq!((found.code, found.stderr.as_str(), server.asked().len()), (0, "", 0));
}

#[test]
fn l08_a_fallback_is_said_in_one_line() {
    let port = Server::nobody();
    let html = Server::new(|_, _| Does::Answer(200, Vec::new(), "<html>".into()));
    let chat = says("I would start with the tests.");
    let missing = Server::new(|asked, _| match asked.line.as_str() {
        "GET /api/tags" => Does::json(200, &json!({})),
        _ => Does::json(404, &json!({"error": "model \"llama2\" not found, try pulling it first"})),
    });
    for (host, why) in [
        (format!("127.0.0.1:{port}"), "Ollama cannot be reached at http://127.0.0.1:"),
        (html.url(), "is not Ollama"),
        (chat.url(), "the answer of Ollama cannot be parsed"),
        (missing.url(), "has no model \"llama2\", which comes from the defaults of Ollama (404)"),
    ] {
        let repo = library(&[("hintlint.toml", "[search]\nprovider = \"ollama\"\n")]);
        let env = [("OLLAMA_HOST", host.as_str())];
        let found = run(&repo, &env, &["search", "write tests"]);
        assert!(found.code == 0 && found.stdout.contains("1. writing-tests\n"), "{found:?}");
        assert_eq!(found.stderr.lines().count(), 1, "{found:?}");
        assert!(found.stderr.contains(why) && found.stderr.ends_with("ranked by their words instead\n"), "{found:?}");
        let strict = run(&repo, &env, &["search", "--no-fallback", "write tests"]);
        assert_eq!((strict.code, strict.stdout.as_str()), (2, ""), "{strict:?}");
        assert!(strict.stderr.contains(why), "{strict:?}");
    }
}

#[test]
fn l07_an_existing_flpipeline_json_is_obeyed() {
    let server = says("[\"writing-tests\", \"guide\"]");
    let settings = "{\"llmProvider\": {\"$comment\": \"c\", \"provider\": \"claude\", \"model\": \"m5\"}, \
                    \"hintPaths\": [\"docs/guides\", \"~/elsewhere\"]}";
    let repo = library(&[
        (".flpipeline.json", settings),
        ("docs/guides/guide.md", "---\ndescription: A guide\n---\n"),
        ("a/x", ""),
    ]);
    let url = server.url();
    let env = [("ANTHROPIC_BASE_URL", url.as_str()), ("ANTHROPIC_API_KEY", KEY)];
    let found: Run =
        repo.hintlint(&repo.at("a")).envs(env).args(["search-hints", "tests"]).output().expect("it starts").into();
    assert!(found.stdout.contains("1. writing-tests\n2. guide\n"), "{found:?}");
    assert!(
        found.stderr.contains("hints in \"~/elsewhere\" are not read") && found.stderr.lines().count() == 1,
        "{found:?}"
    );
    let asked = &server.asked()[0];
    assert_eq!((asked.line.as_str(), asked.header("x-api-key")), ("POST /v1/messages", Some(KEY)));
    assert_eq!(asked.json()["model"], "m5");
    // `[search]` takes its place.
    repo.write("hintlint.toml", "[search]\nprovider = \"keyword\"\n");
    assert!(run(&repo, &env, &["search", "tests"]).stdout.contains("1. writing-tests\n\n"));
    assert_eq!(server.asked().len(), 1);
    repo.write(".flpipeline.json", "{\"llmProvider\": 5}").remove("hintlint.toml");
    assert_eq!(run(&repo, &env, &["search", "tests"]).code, 2);
}

#[cfg(unix)]
#[test]
fn settings_behind_a_link_out_of_the_repository_are_not_read() {
    let server = says("[\"new-project\"]");
    let repo = library(&[]);
    let settings = format!("{{\"llmProvider\": {{\"provider\": \"ollama\", \"host\": \"{}\"}}}}", server.url());
    std::fs::write(repo.beside("outside.json"), &settings).expect("written");
    repo.symlink(".flpipeline.json", "../outside.json");
    let found = run(&repo, &[], &["search", "tests"]);
    assert!(found.code == 2 && found.stderr.contains("is a link to no file of this repository"), "{found:?}");
    repo.remove(".flpipeline.json").write("inside.json", &settings).symlink(".flpipeline.json", "inside.json");
    assert!(run(&repo, &[], &["search", "tests"]).stdout.contains("1. new-project"));
    repo.write(".gitignore", ".api-keys.json\n").symlink(".api-keys.json", "../outside.json");
    std::fs::write(repo.beside("outside.json"), format!("{{\"ANTHROPIC_API_KEY\": \"{KEY}\"}}")).expect("written");
    repo.write("hintlint.toml", "[search]\nprovider = \"claude\"\n");
    assert!(run(&repo, &[], &["search", "tests"]).stderr.contains("no key for Anthropic is set"));
}

#[test]
fn l11_keys_come_from_the_environment_then_from_untracked_files() {
    let server = says("[]");
    let url = server.url();
    let repo = library(&[
        ("hintlint.toml", "[search]\nprovider = \"claude\"\n"),
        (".gitignore", ".api-keys.json\n"),
        ("a/x", ""),
    ]);
    repo.write(".api-keys.json", format!("{{\"ANTHROPIC_API_KEY\": \"{KEY}\", \"OPENAI_API_KEY\": \"other\"}}"));
    let sent = |repo: &Repo, env: &[(&str, &str)]| {
        let before = server.asked().len();
        let found = run(repo, &[&[("ANTHROPIC_BASE_URL", url.as_str())], env].concat(), &["search", "tests"]);
        let key = server.asked().get(before).and_then(|asked| asked.header("x-api-key").map(str::to_owned));
        (key, found.stderr)
    };
    assert_eq!(sent(&repo, &[]).0.as_deref(), Some(KEY));
    assert_eq!(sent(&repo, &[("ANTHROPIC_API_KEY", "from-env-1")]).0.as_deref(), Some("from-env-1"));
    // Once git tracks the file, its key is public.
    repo.git(&["add", "--force", ".api-keys.json"]);
    let (key, said) = sent(&repo, &[]);
    assert_eq!(key, None);
    assert!(
        said.contains(
            "no key for Anthropic is set: the key in .api-keys.json is not used because git tracks that file"
        ),
        "{said}"
    );
    assert_eq!(sent(&repo, &[("ANTHROPIC_API_KEY", "from-env-1")]).0.as_deref(), Some("from-env-1"));
    repo.git(&["rm", "-q", "--cached", ".api-keys.json"]);
    let settings = format!("{{\"llmProvider\": {{\"provider\": \"claude\", \"apiKey\": \"{KEY}\"}}}}");
    repo.remove("hintlint.toml").write(".flpipeline.json", settings);
    repo.write(".api-keys.json", "{\"ANTHROPIC_API_KEY\": \"from-keys-1\"}");
    assert_eq!(sent(&repo, &[]).0.as_deref(), Some("from-keys-1"), "`apiKey` comes last");
    repo.remove(".api-keys.json");
    assert_eq!(sent(&repo, &[]).0.as_deref(), Some(KEY));
    repo.commit("share the key");
    assert_eq!(sent(&repo, &[]).0, None);
}

#[test]
fn a_tracked_host_gets_no_key_unless_it_is_allowed() {
    let server = says("[\"writing-tests\"]");
    let port = server.port();
    let proxy = Server::new(move |_, _| Does::Tunnel(port));
    let (proxied, host) = (proxy.url(), "http://collector.example");
    let repo = library(&[("hintlint.toml", &format!("[search]\nprovider = \"claude\"\nhost = \"{host}\"\n"))]);
    let env = [("http_proxy", proxied.as_str()), ("ANTHROPIC_API_KEY", KEY)];
    for args in [&["search", "tests"][..], &["search", "--allow-host=api.anthropic.com", "tests"]] {
        let found = run(&repo, &env, args);
        assert!(
            found.stderr.contains("the key from ANTHROPIC_API_KEY is not sent to http://collector.example"),
            "{found:?}"
        );
        assert!(found.stderr.contains("`--allow-host=collector.example` sends it"), "{found:?}");
        assert!(found.stdout.contains("1. writing-tests"), "words rank: {found:?}");
    }
    assert_eq!((proxy.asked().len(), server.asked().len()), (0, 0));
    // A config that is named on the command line is tracked all the same.
    let named = run(&repo, &env, &["search", "--config", "./src/../hintlint.toml", "tests"]);
    assert!(named.stderr.contains("is not sent to") && proxy.asked().is_empty(), "{named:?}");
    for (index, args) in
        [["search", "--allow-host", "tests"], ["search", "--allow-host=collector.example", "tests"]].iter().enumerate()
    {
        let found = run(&repo, &env, args);
        assert!(found.code == 0 && found.stderr.is_empty(), "{found:?}");
        assert_eq!(server.asked()[index].header("x-api-key"), Some(KEY));
    }
    // The user's own file may name any server.
    repo.git(&["rm", "-q", "--cached", "hintlint.toml"]);
    assert_eq!(run(&repo, &env, &["search", "tests"]).stderr, "");
    assert_eq!(server.asked().len(), 3);
}

#[test]
fn of_a_large_library_the_best_200_go_into_the_prompt() {
    let server = says("[\"hint-0777\"]");
    let hint = |number: usize| {
        let words = if number == 777 { "about zebras and their stripes" } else { "about many other things" };
        (format!("src/hints/hint-{number:04}.md"), format!("---\ndescription: {words} {}\n---\n", "filler ".repeat(20)))
    };
    let repo = Repo::with_files((0..1000).map(hint));
    let found = run(&repo, &[("OLLAMA_HOST", &server.url())], &["search", "-m", "m", "stripes of zebras"]);
    assert!(found.stdout.contains("1. hint-0777"), "{found:?}");
    let asked = server.asked()[1].json();
    let prompt = asked["prompt"].as_str().expect("a prompt");
    assert!(
        prompt.contains("\n1. hint-0777 - about zebras") && prompt.contains("\n200. ") && !prompt.contains("\n201. ")
    );
    assert!(prompt.chars().count() < 110_000);
}
