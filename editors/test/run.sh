#!/bin/bash
# Plays sessions in the editors that are installed: editors/test/run.sh [PROGRAM]
set -euo pipefail
here=$(dirname "$(realpath "$0")")/..
MAROTTE=$(realpath "${1:-$here/../target/debug/marotte}")
cd "$here"
TREE=$(mktemp -d)
trap 'rm -rf "$TREE"' EXIT
mkdir -p "$TREE/manifests" "$TREE/modules/web/manifests" "$TREE/modules/web/templates"
touch "$TREE/environment.conf"
printf '# Serves pages.\nclass web(Integer $port = 80) {\n  notice($port, template("web/port.erb"))\n}\n' > "$TREE/modules/web/manifests/init.pp"
printf 'port <%%= @port %%>\n' > "$TREE/modules/web/templates/port.erb"
printf 'node default {\n  include web\n  notice(nothing())\n}\n' > "$TREE/manifests/site.pp"
export MAROTTE TREE
tried=0
if command -v nvim > /dev/null; then
    echo "Neovim: $(nvim --version | head -1)"
    nvim --headless --clean -c "luafile neovim/test/session.lua"
    tried=$((tried + 1))
fi
if command -v emacs > /dev/null; then
    echo "Emacs: $(emacs --version | head -1)"
    emacs -q --batch -l emacs/test/session.el 2>&1 | grep -v '^Loading\|^\[eglot\]'
    tried=$((tried + 1))
fi
if pgrep -f "$MAROTTE server" > /dev/null; then
    echo 'a server has outlived its editor'
    exit 1
fi
echo "$tried editors tried"
