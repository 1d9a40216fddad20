# The gateway against stock clients, stock servers and a fuzzer. Sourced; needs say.sh and gateway.sh,
# and the environments .tools/py, .tools/py03 and .tools/node.

INTEROP=$ROOT/tests/interop
PY=$ROOT/.tools/py/bin/python
PY03=$ROOT/.tools/py03/bin/python
UPSTREAM_PIDS=()
UPSTREAM_LOGS=()
UPSTREAM_URL=""

# interop_clients PROGRAM: stock clients read the echo agent's card and send it messages.
interop_clients() {
    gateway_start "$1"
    local echo_agent=$GATEWAY_URL/agents/guildhall-echo
    "$PY" "$INTEROP/stock_client.py" "$echo_agent" echo
    "$PY03" "$INTEROP/stock_client_03.py" "$echo_agent" echo
    node "$INTEROP/stock_client.mjs" "$ROOT/.tools/node" "$echo_agent"
    gateway_end
}

# interop_upstreams PROGRAM: stock servers are listed by their cards, called through /call, and
# reached by stock clients through the gateway's A2A door.
interop_upstreams() {
    gateway_start "$1"
    interop_upstream "$PY" upstream.py a2a-1.0
    interop_upstream "$PY03" upstream_03.py a2a-0.3
    gateway_end
}

# interop_upstream PYTHON SERVER SPOKEN: one of them, and stock clients of either generation.
interop_upstream() {
    local python=$1 server=$2 spoken=$3 said agent
    upstream_start "$python" "$INTEROP/$server"
    said=$("$PY" "$INTEROP/through_call.py" "$GATEWAY_URL" "$UPSTREAM_URL" "$spoken")
    printf '%s\n' "$said" | head -n 1
    agent=${said##*agent }
    "$PY" "$INTEROP/stock_client.py" "$GATEWAY_URL/agents/$agent" "through the gateway"
    "$PY03" "$INTEROP/stock_client_03.py" "$GATEWAY_URL/agents/$agent" "through the gateway"
    upstream_drop
}

# interop_doors PROGRAM SEED LIMIT...: schemathesis reads our own document and tries every door, as
# nobody, with a key, and the operator's own as the operator. LIMIT says how much, as options of its own. No door is left out.
interop_doors() {
    local program=$1 seed=$2 listed key
    shift 2
    gateway_start "$program"
    upstream_start "$PY" "$INTEROP/upstream.py"
    local upstream=$UPSTREAM_URL
    upstream_start "$PY03" "$INTEROP/upstream_03.py"
    listed=$("$PY" "$INTEROP/listed.py" "$GATEWAY_URL" "$upstream" "$UPSTREAM_URL")
    { read -r key && read -r INTEROP_KEY_ID && read -r INTEROP_AGENTS; } <<<"$listed"
    export INTEROP_KEY_ID INTEROP_AGENTS
    echo "as nobody, seed $seed"
    doors_once "$seed" "$@"
    echo "with a key, seed $seed"
    doors_once "$seed" "$@" --header "Authorization: Bearer $key"
    # Last, since it suspends the agents that the others call.
    echo "as the operator, seed $seed"
    doors_once "$seed" "$@" --header "Authorization: Bearer $GATEWAY_OPERATOR_KEY" --include-path-regex '^/operator/'
    upstream_drop
    gateway_end
}

# doors_once SEED OPTION...: one pass over every door of GATEWAY_URL. The fuzzer leaves folders where
# it runs, so it runs in one that is ignored.
doors_once() {
    local seed=$1
    shift
    (cd "$ROOT/.tools" && SCHEMATHESIS_HOOKS=$INTEROP/hints.py py/bin/schemathesis --config-file "$INTEROP/schemathesis.toml" \
        run "$GATEWAY_URL/openapi.json" --seed "$seed" --no-color "$@")
}

# upstream_start PYTHON SCRIPT: starts an agent elsewhere; sets UPSTREAM_URL.
upstream_start() {
    local waited log pid
    log=$(mktemp "${TMPDIR:-/tmp}/guildhall-upstream.XXXXXX")
    "$1" "$2" >"$log" 2>&1 &
    pid=$!
    UPSTREAM_PIDS+=("$pid")
    UPSTREAM_LOGS+=("$log")
    for ((waited = 0; waited < 600; waited++)); do
        UPSTREAM_URL=$(sed -n 's/^listening on //p' "$log")
        [ -z "$UPSTREAM_URL" ] || return 0
        kill -0 "$pid" 2>/dev/null || break
        sleep 0.1
    done
    cat "$log" >&2
    fail "$(basename "$2") did not start"
}

# upstream_drop: ends all of them. Safe to call when nothing runs.
upstream_drop() {
    local pid
    for pid in "${UPSTREAM_PIDS[@]}"; do
        kill -KILL "$pid" 2>/dev/null || true
        wait "$pid" 2>/dev/null || true
    done
    rm -f "${UPSTREAM_LOGS[@]}"
    UPSTREAM_PIDS=()
    UPSTREAM_LOGS=()
}
