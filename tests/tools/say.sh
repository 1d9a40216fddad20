# Headings, times and the closing summary. Sourced by ./test.

STEPS_DONE=()
STEP_NOW=""

# step NAME COMMAND...: runs the command under a heading and notes how long it took.
# The command is called plainly, never in a condition: bash ignores `set -e` inside functions that
# are part of one, and a failure in the middle of a step would pass unseen.
step() {
    STEP_NOW=$1
    shift
    local began=$SECONDS
    printf '\n=== %s (at %s)\n' "$STEP_NOW" "$(clock "$SECONDS")"
    "$@"
    STEPS_DONE+=("$(printf '%-44s %6s' "$STEP_NOW" "$(clock $((SECONDS - began)))")")
    printf -- '--- %s: passed in %s\n' "$STEP_NOW" "$(clock $((SECONDS - began)))"
    STEP_NOW=""
}

# clock SECONDS: minutes and seconds.
clock() {
    printf '%d:%02d' $(($1 / 60)) $(($1 % 60))
}

# fail MESSAGE...: says why on standard error and ends the script.
fail() {
    printf 'FAILED: %s\n' "$*" >&2
    exit 1
}

# summary CODE: what passed, what did not, and the time of all.
summary() {
    printf '\n=== Summary\n'
    if ((${#STEPS_DONE[@]})); then
        printf '  passed  %s\n' "${STEPS_DONE[@]}"
    fi
    if [ "$1" -ne 0 ]; then
        printf '  FAILED  %s\n' "${STEP_NOW:-before the first step}"
    fi
    printf '  in all  %s\n' "$(clock "$SECONDS")"
    printf 'steps: %d passed, %d failed\n' "${#STEPS_DONE[@]}" "$(($1 != 0))"
}
