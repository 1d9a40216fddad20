# The long rounds of ./test --soak. Sourced; needs say.sh and interop.sh.

# Time for the rounds of property tests; the fuzzer gets half as much.
SOAK_MINUTES=${GUILDHALL_SOAK_MINUTES:-60}
# Cases of each property in one round, against 256 in a usual run; the slowest takes half a second a case.
SOAK_CASES=2000
# A round that takes longer than this hangs.
SOAK_ROUND_LIMIT=90m

# soak_many_cases: rounds of every test, each with new random seeds, until the time is used up.
# Rounds, and not one long one, so that a hang is told from work and the time bound is kept.
soak_many_cases() {
    local round=0 end=$((SECONDS + SOAK_MINUTES * 60))
    while [ "$round" -eq 0 ] || [ "$SECONDS" -lt "$end" ]; do
        round=$((round + 1))
        echo "round $round, $SOAK_CASES cases of each property"
        GUILDHALL_SOAK=1 PROPTEST_CASES=$SOAK_CASES timeout --foreground "$SOAK_ROUND_LIMIT" cargo test --workspace
    done
}

# soak_long_tests: the tests that a usual run ignores for their length.
soak_long_tests() {
    cargo test --workspace -- --ignored
}

# soak_doors PROGRAM: every door with a random seed, which is printed.
soak_doors() {
    interop_doors "$1" "$((RANDOM * 32768 + RANDOM))" --max-time "$((SOAK_MINUTES * 15))"
}
