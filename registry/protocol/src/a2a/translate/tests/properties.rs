//! There and back gives the same; no JSON makes a reader panic.

use super::*;

proptest! {
    // The number of cases comes from PROPTEST_CASES; no file of failures is written to the tree.
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn an_item_of_1_0_comes_back_the_same_through_0_3(value in item_1_0()) {
        let item = Item::read(&value).expect("sound");
        prop_assert_eq!(&item.write(Version::V1_0, false), &value);
        let old = item.write(Version::V0_3, item.closes());
        let back = Item::read(&old).expect("sound");
        prop_assert_eq!(back.kind, item.kind);
        prop_assert_eq!(&back.write(Version::V1_0, false), &value);
        prop_assert_eq!(back.write(Version::V0_3, item.closes()), old.clone());
        if item.kind == Kind::Status {
            prop_assert_eq!(&old["final"], &json!(item.closes()));
        }
    }

    #[test]
    fn a_bare_item_is_told_by_its_members(value in item_1_0()) {
        let item = Item::read(&value).expect("sound");
        prop_assert_eq!(Item::read(&item.value), Ok(item));
    }

    #[test]
    fn parameters_of_every_operation_come_back_the_same((operation, value) in params_1_0()) {
        let params = read(operation, &value, Version::V1_0).expect("sound");
        prop_assert_eq!(&params.write(Version::V1_0, None), &value);
        let old = params.write(Version::V0_3, Some("ours"));
        prop_assert!(old.get("tenant").is_none());
        let back = read(operation, &old, Version::V0_3).expect("sound");
        prop_assert_eq!(&back.value, &value);
        prop_assert_eq!(back.write(Version::V0_3, None), old);
        let ours = with(value, named("tenant", Some("ours")));
        prop_assert_eq!(back.write(Version::V1_0, Some("ours")), ours);
    }

    #[test]
    fn parameters_pass_an_equal_dialect_untouched((operation, value) in params_1_0()) {
        let params = read(operation, &value, Version::V1_0).expect("sound");
        prop_assert_eq!(&params.forwarded(Some(&value), None), &value);
        let old = params.write(Version::V0_3, None);
        let params = read(operation, &old, Version::V0_3).expect("sound");
        prop_assert_eq!(params.forwarded(Some(&old), Some("ours")), old);
    }

    #[test]
    fn configs_come_back_the_same(config in push_1_0()) {
        let flat = with(config, named("taskId", Some("t")));
        let old = push_config(&flat, Version::V0_3).expect("sound");
        prop_assert_eq!(&old["taskId"], "t");
        prop_assert_eq!(push_config(&old, Version::V1_0), Ok(flat.clone()));
        prop_assert_eq!(push_config(&old, Version::V0_3), Ok(old));
        prop_assert_eq!(push_config(&flat, Version::V1_0), Ok(flat));
    }

    #[test]
    fn no_json_makes_a_reader_panic_and_what_is_read_can_be_read_again(value in odd()) {
        if let Ok(item) = Item::read(&value) {
            for version in BOTH {
                let written = item.write(version, false);
                let again = Item::read(&written).expect("what we write can be read");
                prop_assert_eq!(again.kind, item.kind);
                prop_assert_eq!(again.write(version, false), written);
            }
        }
        for (operation, version) in ALL.iter().flat_map(|one| BOTH.map(|version| (*one, version))) {
            let filled = MissingId::Fill("m".into());
            if let Ok(params) = Params::read(operation, Some(&value), version, &filled) {
                let forwarded = params.forwarded(Some(&value), Some("ours"));
                let again = read(operation, &forwarded, version).expect("what is passed on can be read");
                prop_assert_eq!(again.task_id(), params.task_id());
                for to in BOTH {
                    let written = params.write(to, None);
                    let again = read(operation, &written, to);
                    // 0.3 may ask for a config without its name, which 1.0 cannot.
                    if operation != Operation::PushGet || params.value.get("id").is_some() {
                        let again = again.expect("what we write can be read");
                        prop_assert_eq!(again.write(to, None), written);
                    }
                    if let Ok(written) = result(&params, &value, to) {
                        prop_assert_eq!(result(&params, &written, to), Ok(written));
                    }
                }
            }
            let _ = push_result(operation, &value, version);
        }
        let _ = read_error(&value).map(|error| BOTH.map(|version| in_dialect(error.clone(), version)));
    }

    #[test]
    fn no_stream_of_any_json_panics(values in prop::collection::vec(odd(), 0..5)) {
        for to in BOTH {
            let mut stream = StreamTranslation::new(to);
            let mut task = Value::Null;
            for value in &values {
                for written in stream.push(value).unwrap_or_default() {
                    apply(&mut task, &Item::read(&written).expect("what we write can be read"));
                }
            }
            let _ = stream.end();
        }
    }

    #[test]
    fn no_text_of_a_time_panics_and_what_is_written_stays(
        text in prop_oneof![any::<String>(), "[0-9]{4}-[01][0-9]-[0-3][0-9][Tt ][0-9:]{0,8}(.[0-9]{0,12})?[-+Zz]?[0-9:]{0,5}"],
    ) {
        let with = |time: &str| status(&json!({ "state": "working", "timestamp": time }), Version::V1_0).expect("sound");
        let written = with(&text);
        if let Some(time) = written.get("timestamp").and_then(Value::as_str) {
            prop_assert!(time.ends_with('Z') && time.len() <= 30, "{text:?} gave {time:?}");
            prop_assert_eq!(&with(time), &written);
        }
    }
}
