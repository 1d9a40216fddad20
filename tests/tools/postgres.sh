# A PostgreSQL server of our own: private port, private folder, gone afterwards. Sourced; needs
# say.sh, packages.sh and ports.sh.

POSTGRES_DIR=""
POSTGRES_PID=""
POSTGRES_USER=guildhall-test

# postgres_start: starts the server and exports GUILDHALL_TEST_POSTGRES.
postgres_start() {
    local bin attempt
    bin=$(postgres_bin)
    if [ -z "$bin" ]; then
        debian_install postgresql
        bin=$(postgres_bin)
        [ -n "$bin" ] || fail "no PostgreSQL under /usr/lib/postgresql after installing it"
    fi
    # Not below TMPDIR: another user must be able to enter, and a socket's path has a limit.
    POSTGRES_DIR=$(mktemp -d /tmp/guildhall-test.XXXXXX)
    postgres_user
    (cd "$POSTGRES_DIR" && postgres_as "$bin/initdb" --pgdata=data --username=guildhall --auth=trust \
        --encoding=UTF8 --locale=C.UTF-8 >initdb.log 2>&1) ||
        { cat "$POSTGRES_DIR/initdb.log" >&2; fail "initdb"; }
    # Another program may take the port between our look and the server's start.
    for attempt in 1 2 3; do
        postgres_try "$bin" "$(free_port)" && break
        [ "$attempt" -lt 3 ] || { cat "$POSTGRES_DIR/server.log" >&2; fail "PostgreSQL did not start"; }
    done
    echo "$("$bin/postgres" --version) as $(stat -c %U "$POSTGRES_DIR") at $GUILDHALL_TEST_POSTGRES"
}

# postgres_stop: ends the server by its id and removes its folder. Safe to call when nothing runs.
postgres_stop() {
    if [ -n "$POSTGRES_PID" ]; then
        kill -INT "$POSTGRES_PID" 2>/dev/null || true
        wait "$POSTGRES_PID" 2>/dev/null || true
        POSTGRES_PID=""
    fi
    if [ -n "$POSTGRES_DIR" ]; then
        rm -rf "$POSTGRES_DIR"
        POSTGRES_DIR=""
    fi
}

# The folder of the newest installed server, or nothing. A `postgres` of the PATH is not trusted:
# it may be a wrapper that switches users or folders.
postgres_bin() {
    local found
    found=$(find /usr/lib/postgresql/*/bin -maxdepth 1 -name postgres 2>/dev/null | sort -V | tail -n 1 || true)
    [ -z "$found" ] || dirname "$found"
}

# The server refuses to run as root, so root makes it a user of its own.
postgres_user() {
    [ "$(id -u)" -eq 0 ] || return 0
    id -u "$POSTGRES_USER" >/dev/null 2>&1 ||
        useradd --system --user-group --no-create-home --home-dir /nonexistent --shell /usr/sbin/nologin "$POSTGRES_USER"
    chown "$POSTGRES_USER:" "$POSTGRES_DIR"
}

# postgres_as COMMAND...: as that user. setpriv becomes the command, so its id is the command's.
postgres_as() {
    if [ "$(id -u)" -eq 0 ]; then
        exec setpriv --reuid="$POSTGRES_USER" --regid="$POSTGRES_USER" --clear-groups --pdeathsig=INT "$@"
    else
        exec setpriv --pdeathsig=INT "$@"
    fi
}

# postgres_try BIN PORT: starts it and waits until it answers; fails when it ends instead.
postgres_try() {
    local bin=$1 port=$2 waited
    (cd "$POSTGRES_DIR" && postgres_as "$bin/postgres" -D data -p "$port" \
        -c listen_addresses=127.0.0.1 -c unix_socket_directories="$POSTGRES_DIR" \
        -c shared_buffers=64MB -c max_connections=400 -c max_wal_size=256MB -c log_min_messages=error \
        >server.log 2>&1) &
    POSTGRES_PID=$!
    for ((waited = 0; waited < 300; waited++)); do
        if "$bin/pg_isready" -q -h 127.0.0.1 -p "$port"; then
            export GUILDHALL_TEST_POSTGRES="postgres://guildhall@127.0.0.1:$port/postgres"
            return 0
        fi
        kill -0 "$POSTGRES_PID" 2>/dev/null || break
        sleep 0.1
    done
    POSTGRES_PID=""
    return 1
}
