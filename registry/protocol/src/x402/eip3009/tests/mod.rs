//! Known answers, and what a signature may not be.

mod properties;

use alloy_primitives::{address, hex};

use super::{signature::HALF_ORDER, *};

/// The sample of the text of x402 version 2.
fn sample() -> (Domain, Authorization) {
    let domain = Domain {
        name: "USDC".into(),
        version: "2".into(),
        chain: 84532,
        token: address!("036CbD53842c5426634e7929541eC2318f3dCF7e"),
    };
    let authorization = Authorization {
        from: address!("857b06519E91e3A54538791bDbb0E22373e36b66"),
        to: address!("209693Bc6afc0C5328bA36FaF03C514EF312287C"),
        value: U256::from(10_000),
        valid_after: U256::from(1_740_672_089),
        valid_before: U256::from(1_740_672_154),
        nonce: b256!("f3746613c2d920b5fdabc0856f2aeb2d4f88ee6037b8cc5d04a71a4462f13480"),
    };
    (domain, authorization)
}

const DIGEST: B256 = b256!("f256992871671abcb27ff92885a7afa46218724e5fc0bac35d050115aa1d22e6");

const SIGNATURE: [u8; 65] = hex!(
    "2d6a7588d6acca505cbf0d9a4a227e0c52c6c34008c8e8986a12832597641736"
    "08a2ce6496642e377d6da8dbbf5836e9bd15092f9ecab05ded3d6293af148b571c"
);

/// Chain, token, first 8 bytes of the domain separator, version and name of the domain.
const TOKENS: &str = "\
1 0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48 06c37168a7db5138 2 USD Coin
10 0x0b2C639c533813f4Aa9D7837CAf62653d097Ff85 26d9c34bb1a1c312 2 USD Coin
137 0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359 caa2ce1a5703ccbe 2 USD Coin
8453 0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913 02fa7265e7c5d811 2 USD Coin
42161 0xaf88d065e77c8cC2239327C5EDb3A432268e5831 08d11903f8419e68 2 USD Coin
43114 0xB97EF9Ef8734C71904D8002F8b6Bc66Dd9c48a6E bbea200329a938bc 2 USD Coin
196 0x74b7F16337b8972027F6196A17a631aC6dE26d22 b1671065a2ea4877 2 USD Coin
196 0x779Ded0c9e1022225f8E0630b35a9b54bE713736 d591d9baf744328d 1 USD₮0
130 0x078D782b760474a361dDA0AF3839290b0EF57AD6 565b4c4095d739da 2 USDC
143 0x754704Bc059F8C67012fEd69BC8A327a5aafb603 fe22123edc0dd4ae 2 USDC
146 0x29219dd400f2Bf60E5a23d13Be72B486D4038894 47ff53f4cb866f02 2 USDC
480 0x79A02482A880bCE3F13e09Da970dC34db4CD24d1 936533d5f85622a8 2 USDC
999 0xb88339CB7199b77E23DB6E890353E22632Ba630f 70a72998ad787d1a 2 USDC
1329 0xe15fC38F6D8c56aF07bbCBe3BAf5708A2Bf42392 0a19136106ae98d2 2 USDC
42220 0xcebA9300f2b948710d2653dD7B07f33A8B32118C b2ce31d2838445fa 2 USDC
84532 0x036CbD53842c5426634e7929541eC2318f3dCF7e 71f17a3b2ff373b8 2 USDC
11155111 0x1c7D4B196Cb0C7B01d743Fbc6116a902379C7238 b90e5057db141a93 2 USDC
421614 0x75faf114eafb1BDbe2F0316DF893fd58CE46AA4d 85944e1292d00773 2 USD Coin
11155420 0x5fd84259d66Cd46123540766Be93DFE6D43130D7 09d038a3e46040fc 2 USDC
80002 0x41E94Eb019C0762f9Bfcf9Fb1E58725BfB0e7582 5cddc98319864e89 2 USDC
43113 0x5425890298aed601595a70AB815c96711a31Bc65 fe9fa105a0e96294 2 USD Coin
10143 0x534b2f3A21130d7a60830c2Df862319e593943A3 f1090f5a61ddee19 2 USDC
50 0xfA2958CB79b0491CC627c1557F441eF849Ca8eb1 e3bb44ae105af7e2 2 USDC
4689 0xcDf79194C6C285077A58da47641D4dBe51F63542 1fe7a84df16e817c 2 Bridged USDC
988 0x779Ded0c9e1022225f8E0630b35a9b54bE713736 f21cc02b28f1a6c8 1 USDT0";

/// Of secp256k1.
const ORDER: U256 = U256::from_be_bytes(hex!(
    "fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141"
));

fn with_s(s: U256, v: u8) -> [u8; 65] {
    let mut bytes = SIGNATURE;
    bytes[32..64].copy_from_slice(&s.to_be_bytes::<32>());
    bytes[64] = v;
    bytes
}

#[test]
fn the_types_are_hashes_of_their_texts() {
    let text = "EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)";
    assert_eq!(keccak256(text), DOMAIN_TYPE);
    let text = "TransferWithAuthorization(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)";
    assert_eq!(keccak256(text), TRANSFER_TYPE);
}

#[test]
fn the_sample_has_its_digest_and_its_signer() {
    let (domain, authorization) = sample();
    assert_eq!(authorization.digest(domain.separator()), DIGEST);
    let signature = Signature::read(&SIGNATURE).expect("sound");
    assert_eq!(signature.signer(DIGEST), Ok(authorization.from));
    assert_eq!(signature.to_bytes(), SIGNATURE);
}

#[test]
fn separators_of_tokens_are_those_on_record() {
    for row in TOKENS.lines() {
        let parts: Vec<&str> = row.splitn(5, ' ').collect();
        let domain = Domain {
            name: parts[4].into(),
            version: parts[3].into(),
            chain: parts[0].parse().expect("a number"),
            token: parts[1].parse().expect("an address"),
        };
        assert_eq!(hex::encode(&domain.separator()[..8]), parts[2], "{row}");
    }
}

#[test]
fn a_digest_by_another_library_is_the_same() {
    // eth-account 0.13 over the widest members.
    let domain = Domain {
        name: "USD₮0".into(),
        version: "1".into(),
        chain: 196,
        token: address!("779Ded0c9e1022225f8E0630b35a9b54bE713736"),
    };
    let authorization = Authorization {
        from: address!("19E7E376E7C213B7E7e7e46cc70A5dD086DAff2A"),
        to: address!("209693Bc6afc0C5328bA36FaF03C514EF312287C"),
        value: U256::MAX,
        valid_after: U256::ZERO,
        valid_before: U256::from(1) << 255,
        nonce: b256!("000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"),
    };
    let digest = authorization.digest(domain.separator());
    let theirs = b256!("565ee0095197faa39542eec994d659aec4ee394e12b1d623da6073fb90bb7af8");
    assert_eq!(digest, theirs);
    let signature = hex!(
        "b5430857eb0acbdb8952fe86db2a110ba10dc86a0b575030ff3941cbdd7ce184"
        "35af04288fd077b9696b102023b94f1bff9a5600f6ee5975a3bafe83a02736d21b"
    );
    let signature = Signature::read(&signature).expect("sound");
    assert_eq!(signature.signer(digest), Ok(authorization.from));
}

#[test]
fn v_may_be_0_and_1_and_is_27_and_28_for_the_token() {
    let (_, authorization) = sample();
    let mut bytes = SIGNATURE;
    bytes[64] = 1;
    let signature = Signature::read(&bytes).expect("sound");
    assert_eq!(signature.signer(DIGEST), Ok(authorization.from));
    assert_eq!(signature.to_bytes(), SIGNATURE);
    for even in [0, 27] {
        bytes[64] = even;
        let signature = Signature::read(&bytes).expect("a form");
        assert_eq!(signature.v(), 27);
        assert_ne!(signature.signer(DIGEST), Ok(authorization.from));
    }
    for v in (2..=26).chain(29..=255) {
        bytes[64] = v;
        assert_eq!(
            Signature::read(&bytes),
            Err(SignatureError::Recovery),
            "{v}"
        );
    }
}

#[test]
fn the_second_form_of_a_signature_is_refused() {
    let s = U256::from_be_slice(&SIGNATURE[32..64]);
    // The other library would take it: same signer, other bytes.
    let twin = alloy_primitives::Signature::from_raw(&with_s(ORDER - s, 27)).expect("a form");
    let (_, authorization) = sample();
    assert_eq!(
        twin.recover_address_from_prehash(&DIGEST).ok(),
        Some(authorization.from)
    );
    let refused = Signature::read(&with_s(ORDER - s, 27));
    assert_eq!(refused, Err(SignatureError::HighS));
    assert_eq!(HALF_ORDER, ORDER / U256::from(2));
    assert!(Signature::read(&with_s(HALF_ORDER, 27)).is_ok());
    let above = HALF_ORDER + U256::from(1);
    assert_eq!(
        Signature::read(&with_s(above, 27)),
        Err(SignatureError::HighS)
    );
}

#[test]
fn other_lengths_and_wrapped_signatures_are_refused() {
    for bytes in [&SIGNATURE[..64], &[], &[27; 66], &[0; 130]] {
        assert_eq!(Signature::read(bytes), Err(SignatureError::Length));
    }
    let mut wrapped = SIGNATURE.to_vec();
    wrapped.extend([0x64, 0x92].repeat(16));
    assert_eq!(Signature::read(&wrapped), Err(SignatureError::Erc6492));
    let mut wrapped = SIGNATURE;
    wrapped[33..].copy_from_slice(&[0x64, 0x92].repeat(16));
    assert_eq!(Signature::read(&wrapped), Err(SignatureError::Erc6492));
}

#[test]
fn what_no_key_can_have_made_has_no_signer() {
    let zero_s = Signature::read(&with_s(U256::ZERO, 27)).expect("a form");
    assert_eq!(zero_s.signer(DIGEST), Err(SignatureError::Unrecoverable));
    let mut bytes = SIGNATURE;
    for r in [U256::ZERO, ORDER, U256::MAX] {
        bytes[..32].copy_from_slice(&r.to_be_bytes::<32>());
        let signature = Signature::read(&bytes).expect("a form");
        assert_eq!(signature.signer(DIGEST), Err(SignatureError::Unrecoverable));
    }
}

#[test]
fn selectors_are_hashes_of_their_texts() {
    let (_, authorization) = sample();
    let signature = Signature::read(&SIGNATURE).expect("sound");
    let parts = "address,address,uint256,uint256,uint256,bytes32";
    for (call, rest) in [
        (
            transfer_with_vrs(&authorization, &signature),
            "uint8,bytes32,bytes32",
        ),
        (transfer_with_bytes(&authorization, &SIGNATURE), "bytes"),
    ] {
        let text = format!("transferWithAuthorization({parts},{rest})");
        assert_eq!(call[..4], keccak256(text)[..4]);
    }
}

#[test]
fn calls_are_those_of_another_library() {
    // eth-abi 5 for the sample: length and keccak-256 of the call.
    let (_, authorization) = sample();
    let signature = Signature::read(&SIGNATURE).expect("sound");
    for (call, length, hash) in [
        (
            transfer_with_vrs(&authorization, &signature),
            292,
            b256!("e55cf0659e233ee60a2a54c202db3089428c615f6e9d81a90f3f62eb05efde50"),
        ),
        (
            transfer_with_bytes(&authorization, &SIGNATURE),
            356,
            b256!("cb1c0a649d657205d2a8192ef03562cccc08c2051715c3e07a1bd1cbdbdb2d56"),
        ),
        (
            transfer_with_bytes(&authorization, &[0xab; 64]),
            324,
            b256!("96c0ffdc207cda48d988e9e1495aed2b947b1fdfcad2e26068f55afbfd2072d2"),
        ),
        (
            transfer_with_bytes(&authorization, &[]),
            260,
            b256!("890d1f20688b504c4dbe3536f996fabffdde611e29631322757b7f1c79ca8e6e"),
        ),
    ] {
        assert_eq!((call.len(), keccak256(call)), (length, hash));
    }
}
