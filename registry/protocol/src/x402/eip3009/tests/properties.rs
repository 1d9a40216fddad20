//! Whoever signs is found; whatever is changed is somebody else's.

use k256::ecdsa::SigningKey;
use proptest::prelude::*;

use super::*;

fn words() -> impl Strategy<Value = U256> {
    prop_oneof![
        any::<u64>().prop_map(U256::from),
        any::<[u8; 32]>().prop_map(U256::from_be_bytes)
    ]
}

prop_compose! {
    fn authorizations()(
        from in any::<[u8; 20]>(), to in any::<[u8; 20]>(), value in words(), valid_after in words(),
        valid_before in words(), nonce in any::<[u8; 32]>(),
    ) -> Authorization {
        Authorization { from: from.into(), to: to.into(), value, valid_after, valid_before, nonce: nonce.into() }
    }
}

prop_compose! {
    fn domains()(name in any::<String>(), version in any::<String>(), chain: u64, token: [u8; 20]) -> Domain {
        Domain { name, version, chain, token: token.into() }
    }
}

fn keys() -> impl Strategy<Value = SigningKey> {
    any::<[u8; 32]>().prop_filter_map("a scalar", |bytes| SigningKey::from_slice(&bytes).ok())
}

fn signed(key: &SigningKey, digest: B256) -> [u8; 65] {
    let (signature, id) = key
        .sign_prehash_recoverable(digest.as_slice())
        .expect("32 bytes");
    let mut bytes = [0; 65];
    bytes[..64].copy_from_slice(&signature.to_bytes());
    bytes[64] = id.to_byte();
    bytes
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_signer_is_found(key in keys(), domain in domains(), authorization in authorizations()) {
        let digest = authorization.digest(domain.separator());
        let signature = Signature::read(&signed(&key, digest)).expect("signers write the low s");
        let signer = alloy_primitives::Address::from_public_key(key.verifying_key());
        prop_assert_eq!(signature.signer(digest), Ok(signer));
        prop_assert_eq!(Signature::read(&signature.to_bytes()), Ok(signature));
    }

    #[test]
    fn every_member_counts(domain in domains(), authorization in authorizations(), other in authorizations(), elsewhere in domains()) {
        let digest = authorization.digest(domain.separator());
        for changed in [
            Authorization { from: other.from, ..authorization },
            Authorization { to: other.to, ..authorization },
            Authorization { value: other.value, ..authorization },
            Authorization { valid_after: other.valid_after, ..authorization },
            Authorization { valid_before: other.valid_before, ..authorization },
            Authorization { nonce: other.nonce, ..authorization },
        ] {
            prop_assert_eq!(changed.digest(domain.separator()) == digest, changed == authorization);
        }
        for changed in [
            Domain { name: elsewhere.name, ..domain.clone() },
            Domain { version: elsewhere.version, ..domain.clone() },
            Domain { chain: elsewhere.chain, ..domain.clone() },
            Domain { token: elsewhere.token, ..domain.clone() },
        ] {
            prop_assert_eq!(authorization.digest(changed.separator()) == digest, changed == domain);
        }
    }

    #[test]
    fn no_bytes_make_a_signature_panic(bytes in prop::collection::vec(any::<u8>(), 0..140), whole: [u8; 32], v in 0_u8..30) {
        let mut form = [0_u8; 65];
        form[..32].copy_from_slice(&whole);
        form[40..64].copy_from_slice(&whole[..24]);
        form[64] = v;
        for bytes in [&bytes[..], &form] {
            if let Ok(signature) = Signature::read(bytes) {
                let _ = signature.signer(DIGEST);
                prop_assert_eq!(signature.to_bytes()[..64].to_vec(), bytes[..64].to_vec());
            }
        }
    }
}
