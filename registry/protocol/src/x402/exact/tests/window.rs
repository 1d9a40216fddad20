//! When an authorization must begin and end.

use super::*;

fn at(after: U256, before: U256, clock: Clock, budget: Budget) -> Result<(), Refusal> {
    let authorization = Authorization {
        valid_after: after,
        valid_before: before,
        ..authorization()
    };
    let [old, new] =
        paying(&authorization).map(|payment| verify(&offer(), &payment, clock, budget));
    assert_eq!(old, new);
    new.map(drop)
}

fn until(before: u64) -> Result<(), Refusal> {
    at(U256::ZERO, U256::from(before), CLOCK, BUDGET)
}

#[test]
fn the_work_and_its_settlement_must_fit() {
    assert_eq!(until(NOW + 45), Ok(()));
    assert_eq!(until(NOW + 44), Err(Refusal::ExpiresTooSoon));
    assert_eq!(until(NOW + 3), Err(Refusal::ExpiresTooSoon));
    let slower = Budget {
        upstream: 31,
        ..BUDGET
    };
    let refused = at(U256::ZERO, U256::from(NOW + 45), CLOCK, slower);
    assert_eq!(refused, Err(Refusal::ExpiresTooSoon));
}

#[test]
fn six_seconds_are_the_least_however_fast_the_work_is() {
    let fast = Budget {
        upstream: 0,
        settle: 1,
    };
    assert_eq!(at(U256::ZERO, U256::from(NOW + 6), CLOCK, fast), Ok(()));
    let refused = at(U256::ZERO, U256::from(NOW + 5), CLOCK, fast);
    assert_eq!(refused, Err(Refusal::ExpiresTooSoon));
}

#[test]
fn an_hour_is_the_most() {
    assert_eq!(until(NOW + 3600), Ok(()));
    assert_eq!(until(NOW + 3601), Err(Refusal::ExpiresTooLate));
    let refused = at(U256::ZERO, U256::MAX, CLOCK, BUDGET);
    assert_eq!(refused, Err(Refusal::ExpiresTooLate));
}

#[test]
fn expiry_is_told_by_the_chain_and_the_budget_by_our_clock() {
    // The chain's clock is far ahead: the token would refuse, though ours says there is time.
    let ahead = Clock {
        wall: NOW,
        chain: NOW + 60,
    };
    assert_eq!(
        at(U256::ZERO, U256::from(NOW + 60), ahead, BUDGET),
        Err(Refusal::Expired)
    );
    assert_eq!(at(U256::ZERO, U256::from(NOW + 61), ahead, BUDGET), Ok(()));
    // The chain stands still: our clock still counts.
    let behind = Clock {
        wall: NOW,
        chain: NOW - 500,
    };
    assert_eq!(
        at(U256::ZERO, U256::from(NOW + 44), behind, BUDGET),
        Err(Refusal::ExpiresTooSoon)
    );
    assert_eq!(until(NOW - 2), Err(Refusal::Expired));
    assert_eq!(until(NOW - 1), Err(Refusal::ExpiresTooSoon));
}

#[test]
fn it_must_have_begun() {
    let before = U256::from(NOW + 60);
    assert_eq!(at(U256::from(NOW), before, CLOCK, BUDGET), Ok(()));
    // What the reference client of version 1 writes.
    assert_eq!(at(U256::from(NOW - 600), before, CLOCK, BUDGET), Ok(()));
    assert_eq!(
        at(U256::from(NOW + 1), before, CLOCK, BUDGET),
        Err(Refusal::NotYetValid)
    );
    assert_eq!(
        at(U256::MAX - (U256::from(1) << 47), before, CLOCK, BUDGET),
        Err(Refusal::NotYetValid)
    );
}

#[test]
fn block_numbers_are_no_times() {
    let flag = U256::from(1) << 47;
    let (after, before) = (U256::from(20), U256::from(9_000_000));
    assert_eq!(
        at(flag | after, flag | before, CLOCK, BUDGET),
        Err(Refusal::BlockNumbers)
    );
    assert_eq!(at(flag, flag, CLOCK, BUDGET), Err(Refusal::BlockNumbers));
    // In one of them only it is a time, and one far away.
    let soon = U256::from(NOW + 60);
    assert_eq!(
        at(flag | after, soon, CLOCK, BUDGET),
        Err(Refusal::NotYetValid)
    );
    assert_eq!(
        at(after, flag | before, CLOCK, BUDGET),
        Err(Refusal::ExpiresTooLate)
    );
    // Its neighbours say nothing.
    for shift in [46, 48] {
        let other = U256::from(1) << shift;
        assert_eq!(
            at(other, other, CLOCK, BUDGET),
            Err(Refusal::ExpiresTooLate)
        );
    }
}

#[test]
fn clocks_at_their_end_do_not_overflow() {
    let end = Clock {
        wall: u64::MAX,
        chain: u64::MAX,
    };
    let endless = Budget {
        upstream: u64::MAX,
        settle: u64::MAX,
    };
    assert_eq!(
        at(U256::ZERO, U256::from(u64::MAX), end, endless),
        Err(Refusal::Expired)
    );
    let far = U256::from(u64::MAX) + U256::from(1);
    assert_eq!(
        at(U256::ZERO, far, end, endless),
        Err(Refusal::ExpiresTooLate)
    );
}

#[test]
fn an_offer_asks_for_as_long_as_the_work_may_take() {
    assert_eq!(BUDGET.least(), 45);
    assert_eq!(BUDGET.max_timeout_seconds(15), Some(60));
    let long = |upstream| {
        Budget {
            upstream,
            settle: 15,
        }
        .max_timeout_seconds(15)
    };
    assert_eq!(long(3555), Some(3585));
    assert_eq!(long(3556), None);
    assert_eq!(long(u64::MAX), None);
    // A client that uses all of it is taken, also with a clock ahead or behind by the margin.
    for clock in [NOW - 15, NOW, NOW + 15] {
        assert_eq!(until(clock + 60), Ok(()));
    }
}
