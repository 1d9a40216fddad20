# Python environments in .tools, with pinned packages. Sourced; needs say.sh and packages.sh.

# python_env NAME REQUIREMENTS: makes .tools/NAME hold exactly those packages.
python_env() {
    local folder=$ROOT/.tools/$1 requirements=$2 wanted
    command -v python3 >/dev/null || fail "please install python3"
    wanted="$(python3 --version) $(sha256sum <"$requirements")"
    if [ "$(cat "$folder/.holds" 2>/dev/null || true)" = "$wanted" ]; then
        echo ".tools/$1 is up to date"
        return 0
    fi
    rm -rf "$folder"
    mkdir -p "$ROOT/.tools"
    # Debian keeps ensurepip in a package of its own.
    if ! python3 -m venv "$folder" >"$ROOT/.tools/venv.log" 2>&1; then
        debian_install python3-venv
        rm -rf "$folder"
        python3 -m venv "$folder" ||
            fail "python3 -m venv does not work; on Debian: apt-get install python3-venv"
    fi
    "$folder/bin/pip" install --quiet --disable-pip-version-check --no-input --requirement "$requirements"
    printf '%s' "$wanted" >"$folder/.holds"
    echo ".tools/$1 holds $(grep -c '==' "$requirements") packages of $(basename "$requirements")"
}
