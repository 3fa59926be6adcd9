//! The keys of opencode's settings, and what each value must be: read in the schema that 1.18.33 has built in.

use super::SettingShape;
use SettingShape::{
    Agents, Bool, BoolMap, BoolOr, BoolOrWord, Color, Count, FalseOr, LanguageServers, ListOf, Map, Needing, Number,
    Object, OneOf, Permission, Plugins, Positive, Reference, Refused, Servers, Text, TextMap, TextOr, Texts,
};

/// What a rule about a tool may say.
pub(super) const ACTIONS: &[&str] = &["ask", "allow", "deny"];

/// Names of colours.
pub(super) const COLORS: &[&str] = &["primary", "secondary", "accent", "success", "warning", "error", "info"];
/// What is wanted in place of the key that V2 has for `permission`. Run with 1.18.33: it stops at the key, whatever its value is.
pub(super) const OF_V2: &str = "`permission`, for this release refuses `permissions`";
pub(super) const PERMISSIONS: SettingShape = Refused(OF_V2);

/// The keys of an agent, in the settings or in the frontmatter of its file.
pub(in crate::agents::opencode::runs) const AGENT_KEYS: &[(&str, SettingShape)] = &[
    ("model", Text),
    ("variant", Text),
    ("prompt", Text),
    ("description", Text),
    ("temperature", Number),
    ("top_p", Number),
    ("disable", Bool),
    ("hidden", Bool),
    ("mode", OneOf(&["subagent", "primary", "all"])),
    ("color", Color),
    ("steps", Positive),
    ("maxSteps", Positive),
    ("options", Object(&[])),
    ("tools", BoolMap),
    ("permission", Permission),
];
pub(super) const AGENT: SettingShape = Object(AGENT_KEYS);
const COMMAND_KEYS: &[(&str, SettingShape)] = &[
    ("template", Text),
    ("description", Text),
    ("agent", Text),
    ("model", Text),
    ("variant", Text),
    ("subtask", Bool),
];
const COMMAND: SettingShape = Needing(&["template"], COMMAND_KEYS);
/// The frontmatter of a command's file, whose text is the template.
pub(in crate::agents::opencode::runs) const COMMAND_FILE_KEYS: &[(&str, SettingShape)] =
    &[("description", Text), ("agent", Text), ("model", Text), ("variant", Text), ("subtask", Bool)];
const MEDIA: SettingShape = ListOf(&["text", "audio", "image", "video", "pdf"]);
const COST: &[(&str, SettingShape)] =
    &[("input", Number), ("output", Number), ("cache_read", Number), ("cache_write", Number)];
const MODEL: SettingShape = Object(&[
    ("id", Text),
    ("name", Text),
    ("family", Text),
    ("release_date", Text),
    ("attachment", Bool),
    ("reasoning", Bool),
    ("temperature", Bool),
    ("tool_call", Bool),
    ("interleaved", BoolOr(&TextOr(&Needing(&["field"], &[("field", Text)])))),
    ("cost", Needing(&["input", "output"], COST)),
    ("limit", Needing(&["context", "output"], &[("context", Number), ("input", Number), ("output", Number)])),
    ("modalities", Object(&[("input", MEDIA), ("output", MEDIA)])),
    ("experimental", Bool),
    ("status", OneOf(&["alpha", "beta", "deprecated", "active"])),
    ("provider", Object(&[("npm", Text), ("api", Text)])),
    ("options", Object(&[])),
    ("headers", TextMap),
    ("variants", Map(&Object(&[("disabled", Bool)]))),
]);
const PROVIDER: SettingShape = Object(&[
    ("api", Text),
    ("name", Text),
    ("env", Texts),
    ("id", Text),
    ("npm", Text),
    ("whitelist", Texts),
    ("blacklist", Texts),
    (
        "options",
        Object(&[
            ("apiKey", Text),
            ("baseURL", Text),
            ("enterpriseUrl", Text),
            ("setCacheKey", Bool),
            ("timeout", FalseOr(&Positive)),
            ("headerTimeout", FalseOr(&Positive)),
            ("chunkTimeout", FalseOr(&Positive)),
        ]),
    ),
    ("models", Map(&MODEL)),
]);
const FORMATTER: SettingShape =
    Object(&[("disabled", Bool), ("command", Texts), ("environment", TextMap), ("extensions", Texts)]);
pub(super) const LANGUAGE_SERVER: SettingShape = Needing(
    &["command"],
    &[("disabled", Bool), ("command", Texts), ("env", TextMap), ("extensions", Texts), ("initialization", Object(&[]))],
);
/// Language servers whose kinds of files the agent knows.
pub(super) const KNOWN_SERVERS: &[&str] = &[
    "astro",
    "bash",
    "biome",
    "clangd",
    "clojure-lsp",
    "csharp",
    "dart",
    "deno",
    "dockerfile",
    "elixir-ls",
    "eslint",
    "fsharp",
    "gleam",
    "gopls",
    "haskell-language-server",
    "jdtls",
    "julials",
    "kotlin-ls",
    "lua-ls",
    "nixd",
    "ocaml-lsp",
    "oxlint",
    "php intelephense",
    "prisma",
    "pyright",
    "razor",
    "ruby-lsp",
    "rust",
    "sourcekit-lsp",
    "svelte",
    "terraform",
    "texlab",
    "tinymist",
    "ty",
    "typescript",
    "vue",
    "yaml-ls",
    "zls",
];
const OAUTH: SettingShape = Object(&[
    ("clientId", Text),
    ("clientSecret", Text),
    ("scope", Text),
    ("callbackPort", Positive),
    ("redirectUri", Text),
]);
const IMAGE: SettingShape =
    Object(&[("auto_resize", Bool), ("max_width", Positive), ("max_height", Positive), ("max_base64_bytes", Positive)]);

/// The file.
pub(in crate::agents::opencode::runs) const SETTINGS: SettingShape = Object(&[
    ("permissions", PERMISSIONS),
    ("$schema", Text),
    ("shell", Text),
    ("logLevel", OneOf(&["DEBUG", "INFO", "WARN", "ERROR"])),
    (
        "server",
        Object(&[("port", Positive), ("hostname", Text), ("mdns", Bool), ("mdnsDomain", Text), ("cors", Texts)]),
    ),
    ("command", Map(&COMMAND)),
    ("skills", Object(&[("paths", Texts), ("urls", Texts)])),
    ("references", Map(&Reference)),
    ("reference", Map(&Reference)),
    ("watcher", Object(&[("ignore", Texts)])),
    ("snapshot", Bool),
    ("plugin", Plugins),
    ("share", OneOf(&["manual", "auto", "disabled"])),
    ("autoshare", Bool),
    ("autoupdate", BoolOrWord("notify")),
    ("disabled_providers", Texts),
    ("enabled_providers", Texts),
    ("model", Text),
    ("small_model", Text),
    ("default_agent", Text),
    ("subagent_depth", Count),
    ("username", Text),
    ("mode", Agents),
    ("agent", Agents),
    ("provider", Map(&PROVIDER)),
    ("mcp", Servers),
    ("formatter", BoolOr(&Map(&FORMATTER))),
    ("lsp", BoolOr(&LanguageServers)),
    ("instructions", Texts),
    ("layout", OneOf(&["auto", "stretch"])),
    ("permission", Permission),
    ("tools", BoolMap),
    ("attachment", Object(&[("image", IMAGE)])),
    ("enterprise", Object(&[("url", Text)])),
    ("tool_output", Object(&[("max_lines", Positive), ("max_bytes", Positive)])),
    (
        "compaction",
        Object(&[
            ("auto", Bool),
            ("prune", Bool),
            ("tail_turns", Count),
            ("preserve_recent_tokens", Count),
            ("reserved", Count),
        ]),
    ),
    (
        "experimental",
        Object(&[
            ("disable_paste_summary", Bool),
            ("batch_tool", Bool),
            ("openTelemetry", Bool),
            ("primary_tools", Texts),
            ("continue_loop_on_deny", Bool),
            ("mcp_timeout", Positive),
        ]),
    ),
]);

pub(super) const LOCAL: &[(&str, SettingShape)] =
    &[("command", Texts), ("cwd", Text), ("environment", TextMap), ("enabled", Bool), ("timeout", Positive)];
pub(super) const REMOTE: &[(&str, SettingShape)] =
    &[("url", Text), ("headers", TextMap), ("enabled", Bool), ("oauth", FalseOr(&OAUTH)), ("timeout", Positive)];
