-- A session as a person has it: MAROTTE=marotte TREE=… nvim --headless --clean -c 'luafile session.lua'
local here = vim.fn.fnamemodify(debug.getinfo(1, 'S').source:sub(2), ':p:h')
local tree = assert(os.getenv('TREE'))
local function out(text) io.stdout:write(text .. '\n') end

local function session()
  dofile(here .. '/../marotte.lua').setup({ cmd = { assert(os.getenv('MAROTTE')), 'server' } })
  vim.cmd('edit ' .. tree .. '/manifests/site.pp')
  local buffer = vim.api.nvim_get_current_buf()
  local function diagnostics() return vim.diagnostic.get(buffer) end
  assert(vim.wait(20000, function() return #diagnostics() > 0 end, 20), 'no diagnostics')
  local found = diagnostics()[1]
  out(('diagnostic %d:%d [%s] %s'):format(found.lnum, found.col, found.code or found.user_data.lsp.code, found.message))

  -- `K` opens a window.
  vim.api.nvim_win_set_cursor(0, { 2, 11 })
  vim.lsp.buf.hover()
  local float
  assert(vim.wait(5000, function()
    for _, window in ipairs(vim.api.nvim_list_wins()) do
      if vim.api.nvim_win_get_config(window).relative ~= '' then float = window return true end
    end
  end, 20), 'no hover')
  out('hover ' .. table.concat(vim.api.nvim_buf_get_lines(vim.api.nvim_win_get_buf(float), 0, -1, false), '|'))
  vim.api.nvim_win_close(float, true)

  -- `gd`, with the position of the class in the other file.
  vim.api.nvim_win_set_cursor(0, { 2, 11 })
  vim.lsp.buf.definition()
  assert(vim.wait(5000, function() return vim.api.nvim_buf_get_name(0):match('web/manifests/init.pp$') end, 20), 'no definition')
  out('definition ' .. vim.api.nvim_buf_get_name(0):gsub('.*/modules/', '') .. ':' .. vim.api.nvim_win_get_cursor(0)[1])
  vim.cmd('buffer ' .. buffer)

  -- Completion behind `$`.
  vim.api.nvim_buf_set_lines(buffer, 2, 3, false, { '  $port = 80', '  notice($po)' })
  local params = { textDocument = vim.lsp.util.make_text_document_params(buffer), position = { line = 3, character = 12 } }
  local answers = vim.lsp.buf_request_sync(buffer, 'textDocument/completion', params, 5000)
  local labels = {}
  for _, answer in pairs(answers) do
    for _, item in ipairs(answer.result.items) do labels[#labels + 1] = item.label end
  end
  assert(vim.tbl_contains(labels, '$port') or vim.tbl_contains(labels, 'port'), 'no completion: ' .. table.concat(labels, ' '))
  out('completion ' .. #labels)

  -- The finding goes when its cause does.
  vim.api.nvim_buf_set_lines(buffer, 3, 4, false, { '  notice($port)' })
  assert(vim.wait(5000, function() return #diagnostics() == 0 end, 20), 'a finding stays: ' .. vim.inspect(diagnostics()))
  out('after an edit: none')

  -- A fix, as the menu makes it.
  vim.api.nvim_buf_set_lines(buffer, 3, 4, false, { "  file { '/tmp/a': ensure = file }" })
  assert(vim.wait(5000, function() return #diagnostics() > 0 end, 20), 'no finding for the fix')
  vim.api.nvim_win_set_cursor(0, { 4, 27 })
  local wanted = vim.lsp.util.make_range_params()
  wanted.context = { diagnostics = {}, only = { 'quickfix' } }
  for id, answer in pairs(vim.lsp.buf_request_sync(buffer, 'textDocument/codeAction', wanted, 5000)) do
    vim.lsp.util.apply_workspace_edit(answer.result[1].edit, vim.lsp.get_client_by_id(id).offset_encoding)
  end
  out('fixed ' .. vim.trim(vim.api.nvim_buf_get_lines(buffer, 3, 4, false)[1]))

  -- A template in ERB, which the class renders.
  vim.cmd('edit! ' .. tree .. '/modules/web/templates/port.erb')
  local template = vim.api.nvim_get_current_buf()
  local variable = { textDocument = vim.lsp.util.make_text_document_params(template), position = { line = 0, character = 11 } }
  local hovers = vim.lsp.buf_request_sync(template, 'textDocument/hover', variable, 5000)
  assert(hovers, 'no server for the template')
  local _, answer = next(hovers)
  local said = answer.result and answer.result.contents.value or ''
  assert(said:find('Integer $port = 80', 1, true), 'no hover in the template: ' .. vim.inspect(hovers))
  out('hover in a template ' .. said:gsub('\n', '|'))
  vim.lsp.stop_client(vim.lsp.get_active_clients())
  assert(vim.wait(5000, function() return #vim.lsp.get_active_clients() == 0 end, 20), 'the server stays')
end

local ok, problem = pcall(session)
if not ok then out('FAIL ' .. tostring(problem)) end
vim.cmd(ok and 'qa!' or 'cq')
