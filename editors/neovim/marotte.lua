-- marotte for Neovim. Neovim 0.11 and later: put this file into `lsp/` of the configuration and call `vim.lsp.enable('marotte')`.
-- Before: call `dofile('…/marotte.lua').setup()` in `init.lua`.
local config = {
  cmd = { 'marotte', 'server' },
  filetypes = { 'puppet', 'epuppet', 'embeddedpuppet', 'eruby' },
  root_markers = { 'marotte.toml', 'environment.conf', 'Puppetfile', 'metadata.json', '.git' },
  settings = { marotte = {} },
}

local function root_of(path)
  for _, marker in ipairs(config.root_markers) do
    local found = vim.fn.findfile(marker, path .. ';')
    if found == '' then found = vim.fn.finddir(marker, path .. ';') end
    if found ~= '' then return vim.fn.fnamemodify(found, ':p:h') end
  end
  return path
end

--- Starts the server for each buffer of Puppet code, one for each root. `options` replace what is above.
function config.setup(options)
  options = vim.tbl_extend('force', {}, config, options or {})
  local clients = {}
  vim.filetype.add({ extension = { pp = 'puppet', epp = 'epuppet' } })
  vim.api.nvim_create_autocmd('FileType', {
    pattern = options.filetypes,
    callback = function(event)
      local root = root_of(vim.fn.fnamemodify(vim.api.nvim_buf_get_name(event.buf), ':p:h'))
      clients[root] = clients[root] or vim.lsp.start_client({
        name = 'marotte',
        cmd = options.cmd,
        root_dir = root,
        settings = options.settings,
        workspace_folders = { { uri = vim.uri_from_fname(root), name = root } },
      })
      vim.lsp.buf_attach_client(event.buf, clients[root])
    end,
  })
end

return config
