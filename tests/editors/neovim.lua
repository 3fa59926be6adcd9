-- Neovim, with the lines of docs/editor.md: diagnostics of a file, and a rename from end to end. `init.lua` holds the lines.
local world = assert(os.getenv("WORLD"))

local function check(holds, what)
  if not holds then
    io.stderr:write("neovim: " .. what .. "\n")
    vim.cmd("cquit 1")
  end
end

-- Whether a diagnostic of the buffer speaks of `what`; older ones may still be on their way.
local function speaks_of(what)
  for _, diagnostic in ipairs(vim.diagnostic.get(0)) do
    if diagnostic.message:find(what, 1, true) then
      return true
    end
  end
  return false
end

local function text(path)
  return table.concat(vim.fn.readfile(world .. "/" .. path), "\n")
end

vim.cmd("filetype on")
vim.cmd("edit " .. world .. "/CLAUDE.md")
check(vim.wait(30000, function() return #vim.diagnostic.get(0) == 1 end), "one diagnostic was expected")
local diagnostic = vim.diagnostic.get(0)[1]
check(diagnostic.lnum == 2 and diagnostic.source == "hintlint", vim.inspect(diagnostic))
check(diagnostic.code == "missing-import" or diagnostic.user_data.lsp.code == "missing-import", vim.inspect(diagnostic))

-- What is typed is checked before it is saved.
vim.api.nvim_buf_set_lines(0, 2, 3, false, { "Read @docs/a.md and `src/x.ts`." })
check(vim.wait(30000, function() return #vim.diagnostic.get(0) == 0 end), "the diagnostic should be gone")
vim.cmd("write")

-- As editors rename: ask, apply, move.
local clients = vim.lsp.get_active_clients()
check(#clients == 1, "one server was expected")
local files = { { oldUri = vim.uri_from_fname(world .. "/docs/a.md"), newUri = vim.uri_from_fname(world .. "/docs/b.md") } }
local answer = clients[1].request_sync("workspace/willRenameFiles", { files = files }, 30000, 0)
check(answer and answer.result, vim.inspect(answer))
vim.lsp.util.apply_workspace_edit(answer.result, clients[1].offset_encoding)
vim.cmd("wall")
check(vim.fn.rename(world .. "/docs/a.md", world .. "/docs/b.md") == 0, "the file should move")
vim.fn.system({ "git", "-C", world, "add", "-A" })
clients[1].notify("workspace/didRenameFiles", { files = files })
check(text("CLAUDE.md"):find("@docs/b.md", 1, true), text("CLAUDE.md"))
check(text("docs/c.md"):find("](b.md)", 1, true), text("docs/c.md"))

check(vim.wait(30000, function() return #vim.diagnostic.get(0) == 0 end), "nothing should be found after the rename")

-- All safe fixes, as on save.
vim.api.nvim_buf_set_lines(0, -1, -1, false, { "Hid\u{200b}den." })
check(vim.wait(30000, function() return speaks_of("U+200B") end), "the hidden character should be found")
local params = vim.lsp.util.make_range_params()
params.context = { diagnostics = {}, only = { "source.fixAll" } }
local actions = clients[1].request_sync("textDocument/codeAction", params, 30000, 0)
check(actions and actions.result and #actions.result == 1, vim.inspect(actions))
vim.lsp.util.apply_workspace_edit(actions.result[1].edit, clients[1].offset_encoding)
check(vim.wait(30000, function() return #vim.diagnostic.get(0) == 0 end), "the fix should be applied")
check(table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), "\n"):find("Hidden.", 1, true), "the text should be fixed")
print("neovim: passed")
vim.cmd("qall!")
