# npm packages in .tools/node, as the lock file says. Sourced; needs say.sh and packages.sh.

# node_env FOLDER: installs what FOLDER/package.json and its lock file name.
node_env() {
    local folder=$ROOT/.tools/node wanted
    command -v node >/dev/null || fail "please install node 20 or newer"
    command -v npm >/dev/null || fail "please install npm (on Debian: apt-get install npm)"
    wanted="$(node --version) $(cat "$1/package.json" "$1/package-lock.json" | sha256sum)"
    if [ "$(cat "$folder/.holds" 2>/dev/null || true)" = "$wanted" ]; then
        echo ".tools/node is up to date"
        return 0
    fi
    rm -rf "$folder"
    mkdir -p "$folder"
    cp "$1/package.json" "$1/package-lock.json" "$folder/"
    (cd "$folder" && npm ci --silent --no-audit --no-fund)
    printf '%s' "$wanted" >"$folder/.holds"
    echo ".tools/node is made"
}
