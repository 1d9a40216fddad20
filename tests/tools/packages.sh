# Debian packages, installed only where something is missing. Sourced; needs say.sh.

# debian_install PACKAGE...: as root, else through a sudo that asks nothing, else it says what is missing.
debian_install() {
    command -v apt-get >/dev/null || fail "please install $*: this machine has no apt-get"
    local as_root=()
    if [ "$(id -u)" -ne 0 ]; then
        if ! sudo -n true 2>/dev/null; then
            fail "please install as root: apt-get install $*"
        fi
        as_root=(sudo -n)
    fi
    echo "installing $*"
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get update -qq
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
        apt-get install -y -qq --no-install-recommends "$@" >/dev/null
}
