// The files of `examples/shop`, for `hintlint tour`. A test holds the list to the folder.
&[
    (".claude/rules/python.md", include_str!("shop/.claude/rules/python.md")),
    ("AGENTS.md", include_str!("shop/AGENTS.md")),
    ("CLAUDE.md", include_str!("shop/CLAUDE.md")),
    ("Makefile", include_str!("shop/Makefile")),
    ("README.md", include_str!("shop/README.md")),
    ("docs/architecture.md", include_str!("shop/docs/architecture.md")),
    ("packages/api/AGENTS.md", include_str!("shop/packages/api/AGENTS.md")),
    ("packages/api/GEMINI.md", include_str!("shop/packages/api/GEMINI.md")),
    ("packages/api/routes.py", include_str!("shop/packages/api/routes.py")),
]
