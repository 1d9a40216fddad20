//! Streams: how they begin, end and add up to a task.

use super::*;

fn update(state: &str) -> Value {
    json!({ "statusUpdate": { "taskId": "t", "contextId": "c", "status": { "state": state } } })
}

fn old_update(state: &str, last: bool) -> Value {
    json!({ "kind": "status-update", "taskId": "t", "contextId": "c", "final": last,
        "status": { "state": state } })
}

#[test]
fn a_stream_of_0_3_that_begins_with_an_update_begins_with_a_task_in_1_0() {
    let mut stream = StreamTranslation::new(Version::V1_0);
    let update = old_update("working", false);
    let out = stream.push(&update).expect("sound");
    assert_eq!(
        out[0],
        json!({ "task": { "id": "t", "contextId": "c", "status": { "state": "TASK_STATE_SUBMITTED" } } })
    );
    assert_eq!(
        out[1]["statusUpdate"]["status"]["state"],
        "TASK_STATE_WORKING"
    );
    assert!(out[1]["statusUpdate"].get("final").is_none() && !stream.ended());
    assert_eq!(stream.push(&update).expect("sound").len(), 1);
}

#[test]
fn who_attaches_is_told_the_task_as_it_stood() {
    let known = json!({ "id": "t", "contextId": "c", "status": { "state": "TASK_STATE_WORKING" },
        "history": [] });
    let mut stream = StreamTranslation::of_task(Version::V1_0, known.clone());
    let out = stream.push(&old_update("completed", true)).expect("sound");
    assert_eq!(out[0], json!({ "task": known }));
    assert_eq!(out.len(), 2);
    // An agent that begins with the task itself is believed.
    let task =
        json!({ "kind": "task", "id": "t", "contextId": "c", "status": { "state": "working" } });
    let mut stream = StreamTranslation::of_task(Version::V1_0, known.clone());
    assert_eq!(stream.push(&task).expect("sound").len(), 1);
    let mut stream = StreamTranslation::of_task(Version::V1_0, known);
    let other = json!({ "kind": "task", "id": "u", "status": { "state": "working" } });
    assert_eq!(
        stream.push(&other).expect_err("another task").pointer,
        "/id"
    );
}

#[test]
fn a_stream_is_about_one_task() {
    for to in BOTH {
        let mut stream = StreamTranslation::new(to);
        stream.push(&update("TASK_STATE_WORKING")).expect("sound");
        let other = json!({ "statusUpdate": { "taskId": "u", "contextId": "c",
            "status": { "state": "TASK_STATE_WORKING" } } });
        assert_eq!(stream.push(&other).expect_err("another").pointer, "/taskId");
    }
}

#[test]
fn an_update_that_leaves_out_its_conversation_is_told_it() {
    let mut stream = StreamTranslation::new(Version::V0_3);
    stream.push(&update("TASK_STATE_WORKING")).expect("sound");
    let short = json!({ "artifactUpdate": { "taskId": "t",
        "artifact": { "artifactId": "a", "parts": [{ "text": "x" }] } } });
    assert_eq!(stream.push(&short).expect("sound")[0]["contextId"], "c");
}

#[test]
fn only_the_last_status_is_final_in_0_3() {
    for (state, last) in [
        ("SUBMITTED", false),
        ("WORKING", false),
        ("UNSPECIFIED", false),
        ("INPUT_REQUIRED", true),
        ("AUTH_REQUIRED", true),
        ("COMPLETED", true),
        ("CANCELED", true),
        ("FAILED", true),
        ("REJECTED", true),
    ] {
        let mut stream = StreamTranslation::new(Version::V0_3);
        let out = stream
            .push(&update(&format!("TASK_STATE_{state}")))
            .expect("sound");
        assert_eq!(out[0]["final"], last, "{state}");
        assert_eq!(stream.ended(), last, "{state}");
        let ending = if last {
            Ending::Whole
        } else {
            Ending::BrokenOff
        };
        assert_eq!(stream.end(), ending, "{state}");
    }
}

#[test]
fn a_stream_of_0_3_ends_where_it_says_so_or_where_nothing_more_comes() {
    for (state, last, ends) in [
        ("working", false, false),
        ("working", true, true),
        ("completed", false, true),
        ("input-required", false, true),
    ] {
        let mut stream = StreamTranslation::new(Version::V1_0);
        stream.push(&old_update(state, last)).expect("sound");
        assert_eq!(stream.ended(), ends, "{state} {last}");
        let after = stream.push(&old_update("working", false)).expect("sound");
        assert_eq!(after.is_empty(), ends, "nothing is said after the end");
    }
    let odd = json!({ "kind": "status-update", "taskId": "t", "final": "yes",
        "status": { "state": "working" } });
    let error = StreamTranslation::new(Version::V1_0).push(&odd);
    assert_eq!(error.expect_err("no flag").pointer, "/final");
}

#[test]
fn a_message_is_the_whole_stream_and_silence_is_none() {
    let message = json!({ "message": { "role": "ROLE_AGENT", "messageId": "m", "parts": [{ "text": "x" }] } });
    for to in BOTH {
        let mut stream = StreamTranslation::new(to);
        assert_eq!(stream.end(), Ending::Empty);
        assert_eq!(stream.push(&message).expect("sound").len(), 1);
        assert!(stream.ended() && stream.end() == Ending::Whole);
    }
}

#[test]
fn a_task_that_waits_leaves_the_stream_open_but_whole() {
    let task = json!({ "task": { "id": "t", "contextId": "c", "status": { "state": "TASK_STATE_INPUT_REQUIRED" } } });
    let mut stream = StreamTranslation::new(Version::V0_3);
    stream.push(&task).expect("sound");
    assert!(!stream.ended() && stream.end() == Ending::Whole);
    // A piece of work that comes late changes nothing about that.
    let late = json!({ "artifactUpdate": { "taskId": "t", "contextId": "c",
        "artifact": { "artifactId": "a", "parts": [{ "text": "x" }] } } });
    stream.push(&late).expect("sound");
    assert_eq!(stream.end(), Ending::Whole);
    let mut silent = StreamTranslation::new(Version::V0_3);
    silent.push(&late).expect("sound");
    assert_eq!(silent.end(), Ending::BrokenOff);
}

/// One step of an agent's work.
#[derive(Debug, Clone)]
enum Step {
    Status(Value),
    Piece(Value, bool),
}

fn work() -> impl Strategy<Value = (Vec<Step>, Value)> {
    let step = prop_oneof![
        status_of_states(&["SUBMITTED", "WORKING", "UNSPECIFIED"]).prop_map(Step::Status),
        (artifact_1_0(), any::<bool>()).prop_map(|(piece, append)| Step::Piece(piece, append)),
    ];
    let last = status_of_states(&[
        "COMPLETED",
        "CANCELED",
        "FAILED",
        "REJECTED",
        "INPUT_REQUIRED",
    ]);
    (prop::collection::vec(step, 0..8), last)
}

/// The task as an agent that did the steps would show it at the end.
fn done(steps: &[Step]) -> Value {
    let mut said: Vec<Value> = Vec::new();
    let mut artifacts: Vec<Value> = Vec::new();
    let mut status = json!({ "state": "TASK_STATE_SUBMITTED" });
    for step in steps {
        match step {
            Step::Status(new) => {
                said.extend(status.get("message").cloned());
                status = new.clone();
            }
            Step::Piece(piece, append) => {
                let id = &piece["artifactId"];
                match artifacts.iter_mut().find(|one| &one["artifactId"] == id) {
                    Some(known) if *append => {
                        let parts = piece["parts"].as_array().expect("parts").clone();
                        known["parts"].as_array_mut().expect("parts").extend(parts);
                        let more = piece["metadata"].as_object().cloned().unwrap_or_default();
                        for (name, value) in more {
                            known["metadata"][name] = value;
                        }
                    }
                    Some(known) => *known = piece.clone(),
                    None => artifacts.push(piece.clone()),
                }
            }
        }
    }
    let lists = [("history", said), ("artifacts", artifacts)];
    let lists = lists.into_iter().filter(|(_, list)| !list.is_empty());
    let task = json!({ "id": "t", "contextId": "c", "status": status });
    with(
        task,
        lists.map(|(name, list)| (name.to_owned(), list.into())),
    )
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_events_of_a_stream_add_up_to_its_task((mut steps, last) in work()) {
        steps.push(Step::Status(last));
        // Through 0.3 and back, so that each translation has a part in it.
        let mut there = StreamTranslation::new(Version::V0_3);
        let mut back = StreamTranslation::new(Version::V1_0);
        let (mut task, mut straight) = (Value::Null, Value::Null);
        for step in &steps {
            let event = match step {
                Step::Status(status) => json!({ "statusUpdate": { "taskId": "t", "contextId": "c", "status": status } }),
                Step::Piece(piece, append) => json!({ "artifactUpdate": { "taskId": "t", "contextId": "c",
                    "artifact": piece, "append": append, "lastChunk": !append } }),
            };
            apply(&mut straight, &Item::read(&event).expect("sound"));
            for old in there.push(&event).expect("sound") {
                for new in back.push(&old).expect("sound") {
                    apply(&mut task, &Item::read(&new).expect("sound"));
                }
            }
        }
        prop_assert!(there.ended() && back.ended());
        prop_assert_eq!(&task, &done(&steps));
        prop_assert_eq!(task, straight);
    }
}
