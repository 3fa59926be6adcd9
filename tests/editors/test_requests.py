"""Every request through pytest-lsp, whose types refuse an answer that is not of the protocol. `HINTLINT` names the program."""
import os
import pathlib
import subprocess

import pytest
import pytest_lsp
from lsprotocol import types as lsp
from pytest_lsp import ClientServerConfig, LanguageClient

FILES = {
    "CLAUDE.md": "# Top\n\nRead @docs/a.md and [b](docs/b.md#x), `src/x.ts`.\n\nHid\u200bden.\n",
    "docs/a.md": "# A\n\nSee [b](b.md#x).\n",
    "docs/b.md": "# X\n",
    "src/x.ts": "1\n",
    ".claude/rules/r.md": "---\npaths: src/*.ts\n---\nBe brief.\n",
    "PLAN.md": "# Plan\n\n- [x] a\n- [ ] b\n",
}


@pytest.fixture(scope="module")
def world(tmp_path_factory):
    root = tmp_path_factory.mktemp("world")
    for name, text in FILES.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="")
    subprocess.run(["git", "init", "-q"], cwd=root, check=True)
    subprocess.run(["git", "add", "-A"], cwd=root, check=True)
    return root


@pytest_lsp.fixture(config=ClientServerConfig(server_command=[os.environ["HINTLINT"], "server"]))
async def client(lsp_client: LanguageClient, world: pathlib.Path):
    folder = lsp.WorkspaceFolder(uri=world.as_uri(), name="world")
    capabilities = pytest_lsp.client_capabilities("visual-studio-code")
    # This client answers no requests of the server.
    capabilities.workspace.did_change_watched_files = None
    params = lsp.InitializeParams(capabilities=capabilities, workspace_folders=[folder])
    await lsp_client.initialize_session(params)
    yield
    await lsp_client.shutdown_session()


async def opened(client, world, name):
    """Open a file, and wait until it was checked. Answers its identifier."""
    uri = (world / name).as_uri()
    document = lsp.TextDocumentItem(uri=uri, language_id="markdown", version=1, text=FILES[name])
    client.text_document_did_open(lsp.DidOpenTextDocumentParams(text_document=document))
    await client.wait_for_notification(lsp.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
    return lsp.TextDocumentIdentifier(uri=uri)


def place(line, character):
    return lsp.Position(line=line, character=character)


EVERYTHING = lsp.Range(start=place(0, 0), end=place(99, 0))


@pytest.mark.asyncio
async def test_diagnostics(client, world):
    document = await opened(client, world, "CLAUDE.md")
    await client.text_document_document_symbol_async(lsp.DocumentSymbolParams(text_document=document))
    found = client.diagnostics[document.uri]
    assert [one.code for one in found] == ["zero-width"]
    assert found[0].code_description.href.endswith("/zero-width.md")
    change = lsp.TextDocumentContentChangePartial(range=lsp.Range(start=place(4, 3), end=place(4, 4)), text="")
    client.text_document_did_change(lsp.DidChangeTextDocumentParams(
        text_document=lsp.VersionedTextDocumentIdentifier(uri=document.uri, version=2), content_changes=[change]))
    await client.text_document_document_symbol_async(lsp.DocumentSymbolParams(text_document=document))
    assert list(client.diagnostics[document.uri]) == []
    client.text_document_did_save(lsp.DidSaveTextDocumentParams(text_document=document))
    client.text_document_did_close(lsp.DidCloseTextDocumentParams(text_document=document))


@pytest.mark.asyncio
async def test_code_actions(client, world):
    document = await opened(client, world, "CLAUDE.md")
    for only, titles in ((None, ["Remove it (zero-width)"]), (["source.fixAll"], ["Apply all safe fixes"])):
        context = lsp.CodeActionContext(diagnostics=[], only=only)
        params = lsp.CodeActionParams(text_document=document, range=EVERYTHING, context=context)
        actions = await client.text_document_code_action_async(params)
        assert [action.title for action in actions] == titles
        assert actions[0].edit.document_changes[0].edits[0].new_text == ""


@pytest.mark.asyncio
async def test_hover_and_definition(client, world):
    document = await opened(client, world, "CLAUDE.md")
    hover = await client.text_document_hover_async(lsp.HoverParams(text_document=document, position=place(2, 8)))
    assert "**claude**: loads it" in hover.contents.value
    params = lsp.DefinitionParams(text_document=document, position=place(2, 30))
    found = await client.text_document_definition_async(params)
    assert found.uri == (world / "docs/b.md").as_uri()


@pytest.mark.asyncio
async def test_links_and_references(client, world):
    document = await opened(client, world, "CLAUDE.md")
    links = await client.text_document_document_link_async(lsp.DocumentLinkParams(text_document=document))
    assert len(links) == 3
    params = lsp.ReferenceParams(
        text_document=document, position=place(2, 8), context=lsp.ReferenceContext(include_declaration=False))
    assert len(await client.text_document_references_async(params)) == 1


@pytest.mark.asyncio
async def test_completion(client, world):
    document = await opened(client, world, "CLAUDE.md")
    params = lsp.CompletionParams(text_document=document, position=place(2, 11))
    found = await client.text_document_completion_async(params)
    assert [item.label for item in found.items] == ["a.md", "b.md"]


@pytest.mark.asyncio
async def test_lenses_hints_and_symbols(client, world):
    document = await opened(client, world, "CLAUDE.md")
    lenses = await client.text_document_code_lens_async(lsp.CodeLensParams(text_document=document))
    assert lenses[0].command.title.startswith("claude: ")
    hints = await client.text_document_inlay_hint_async(
        lsp.InlayHintParams(text_document=document, range=EVERYTHING))
    assert [hint.label for hint in hints] == ["⟦U+200B⟧"]
    plan = await opened(client, world, "PLAN.md")
    symbols = await client.text_document_document_symbol_async(lsp.DocumentSymbolParams(text_document=plan))
    assert symbols[0].detail == "1/2 done (50%)"


@pytest.mark.asyncio
async def test_renames(client, world):
    old, new = ((world / name).as_uri() for name in ("docs/b.md", "docs/c.md"))
    params = lsp.RenameFilesParams(files=[lsp.FileRename(old_uri=old, new_uri=new)])
    edit = await client.workspace_will_rename_files_async(params)
    changed = sorted(pathlib.Path(change.text_document.uri).name for change in edit.document_changes)
    assert changed == ["CLAUDE.md", "a.md"]
