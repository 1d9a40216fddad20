# A gateway under test: a free port, a data folder of its own, gone afterwards. Sourced; needs say.sh.

GATEWAY_DIR=""
GATEWAY_PID=""
GATEWAY_URL=""
GATEWAY_OPERATOR_KEY=operator-of-a-gateway-that-is-gone-in-a-minute

# gateway_start PROGRAM: starts it with open limits and private targets allowed; sets GATEWAY_URL.
gateway_start() {
    local program=$1 waited
    GATEWAY_DIR=$(mktemp -d "${TMPDIR:-/tmp}/guildhall-gateway.XXXXXX")
    # Made here, since we may look into it before the program had time to.
    : >"$GATEWAY_DIR/out.log"
    # No setting of the developer's own may leak in.
    (cd "$GATEWAY_DIR" && exec env -i PATH="$PATH" HOME="$GATEWAY_DIR" \
        GUILDHALL_LISTEN=127.0.0.1:0 GUILDHALL_DATA_DIR="$GATEWAY_DIR/data" \
        GUILDHALL_ALLOW_PRIVATE_TARGETS=true GUILDHALL_LIMITS_REGISTER_PER_MINUTE=0 \
        GUILDHALL_LIMITS_READ_PER_MINUTE=0 GUILDHALL_LIMITS_CALL_PER_MINUTE=0 \
        GUILDHALL_LIMITS_AGENT_PER_MINUTE=0 GUILDHALL_LOG=warn \
        GUILDHALL_ROOT_AGENT=guildhall-echo GUILDHALL_OPERATOR_KEY="$GATEWAY_OPERATOR_KEY" \
        "$program" serve >out.log 2>err.log) &
    GATEWAY_PID=$!
    for ((waited = 0; waited < 600; waited++)); do
        GATEWAY_URL=$(sed -n 's/^listening on \(http:[^ ]*[^ /]\).*/\1/p;T;q' "$GATEWAY_DIR/out.log")
        if [ -n "$GATEWAY_URL" ]; then
            echo "gateway at $GATEWAY_URL"
            return 0
        fi
        kill -0 "$GATEWAY_PID" 2>/dev/null || break
        sleep 0.1
    done
    gateway_log
    fail "the gateway did not start"
}

# gateway_end: asks it to stop and wants a clean end and no panic in its log.
gateway_end() {
    local code=0
    kill -TERM "$GATEWAY_PID" 2>/dev/null || { gateway_log; fail "the gateway was gone before it was stopped"; }
    wait "$GATEWAY_PID" || code=$?
    GATEWAY_PID=""
    if [ "$code" -ne 0 ] || grep -q "panicked at" "$GATEWAY_DIR/out.log" "$GATEWAY_DIR/err.log"; then
        gateway_log
        fail "the gateway ended with $code, or panicked on the way"
    fi
    gateway_drop
}

# gateway_drop: ends it in whatever state it is. Safe to call when nothing runs.
gateway_drop() {
    if [ -n "$GATEWAY_PID" ]; then
        kill -KILL "$GATEWAY_PID" 2>/dev/null || true
        wait "$GATEWAY_PID" 2>/dev/null || true
        GATEWAY_PID=""
    fi
    if [ -n "$GATEWAY_DIR" ]; then
        rm -rf "$GATEWAY_DIR"
        GATEWAY_DIR=""
    fi
}

# gateway_log: the end of what it wrote.
gateway_log() {
    printf -- '--- the gateway wrote\n' >&2
    tail -n 40 "$GATEWAY_DIR/out.log" "$GATEWAY_DIR/err.log" >&2 || true
}
