"""Hints for the fuzzer: what a document cannot say, such as which agents are listed, and one more check.

Made-up ids never name an agent, so without hints most doors would only be seen refusing. In half
of the cases a hint puts in what is there; which half follows from the case itself, so that a seed
still repeats a run. Nothing is left out.
"""

import atexit
import json
import os
import zlib

import schemathesis

# The second one is the caller's own.
AGENTS = os.environ.get("INTEROP_AGENTS", "guildhall-echo,interop-caller").split(",")
OWN_KEY = os.environ.get("INTEROP_KEY_ID")
SPARED = "spared"
METHODS = ("SendMessage", "message/send", "GetTask", "tasks/cancel", "SendStreamingMessage", "ListTasks")
TRANSACTIONS: list[str] = []
SUCCEEDED: dict[str, bool] = {}


@schemathesis.hook
def before_call(context, case, kwargs):
    operation = case.operation.definition.raw.get("operationId")
    spare_the_key(case)
    digest = zlib.crc32(repr((case.path, case.path_parameters, case.query, case.body)).encode("utf-8", "replace"))
    if digest % 2:
        return
    choice = digest // 2
    withdraws = case.path == "/agents/{agent_id}" and case.method.upper() == "DELETE"
    if "agent_id" in case.path_parameters and not withdraws:
        own = operation.endswith(("_key", "_keys")) and choice % 4
        case.path_parameters["agent_id"] = AGENTS[1] if own else AGENTS[choice % len(AGENTS)]
    if "transaction_id" in case.path_parameters and TRANSACTIONS:
        case.path_parameters["transaction_id"] = TRANSACTIONS[choice % len(TRANSACTIONS)]
    if operation == "a2a_rpc":
        case.body = envelope(case.body, choice)
    elif isinstance(case.body, dict) and operation in HINTS:
        HINTS[operation](case.body, choice)


def spare_the_key(case):
    """Three requests would end the very key that all of this is done with; they get another target.

    The method is asked, not the operation: the fuzzer also sends methods that the document does not name.
    """
    deletes = case.method.upper() == "DELETE"
    if deletes and case.path == "/agents/{agent_id}" and case.path_parameters.get("agent_id") == AGENTS[1]:
        case.path_parameters["agent_id"] = SPARED
    if deletes and case.path_parameters.get("key_id") == OWN_KEY:
        case.path_parameters["key_id"] = SPARED
    if case.path == "/agents/{agent_id}/keys" and isinstance(case.body, dict) and case.body.get("rotate") is True:
        case.body["rotate"] = False


@schemathesis.hook
def after_call(context, case, response):
    known = response.headers.get("x-guildhall-transaction-id")
    if known and len(TRANSACTIONS) < 1000:
        TRANSACTIONS.append(known[0])
    operation = case.operation.definition.raw.get("operationId")
    SUCCEEDED[operation] = SUCCEEDED.get(operation, False) or response.status_code < 300


@schemathesis.check
def door_in_the_document(context, response, case):
    """A method that the document does not name is not answered: no door is missing there."""
    declared = {method.lower() for method in case.operation.schema[case.path]}
    method = response.request.method.lower()
    if method not in declared and response.status_code < 400:
        raise AssertionError(f"{method.upper()} {case.path} is answered with {response.status_code} but not in the document")


@atexit.register
def tell_what_was_not_reached():
    """Not a failure: a door whose success is never seen here has to be shown by other tests."""
    missed = sorted(operation for operation, succeeded in SUCCEEDED.items() if not succeeded)
    print(f"doors seen to succeed: {len(SUCCEEDED) - len(missed)} of {len(SUCCEEDED)}; not: {', '.join(missed) or 'none'}")


def envelope(body: object, choice: int) -> dict:
    """A JSON-RPC request around whatever was made up."""
    if not isinstance(body, (dict, list, str, int, float, bool, type(None))):
        body = None
    method = METHODS[choice % len(METHODS)]
    role = "user" if "/" in method else "ROLE_USER"
    parts = [{"kind": "text", "text": "hello"}, {"kind": "data", "data": {"made_up": body}}]
    message = {"messageId": str(choice), "role": role, "parts": parts}
    params = body if choice % 3 == 0 else {"message": message, "id": "task"}
    return {"jsonrpc": "2.0", "id": choice, "method": method, "params": params}


def call(body: dict, choice: int) -> None:
    body["agent_id"] = AGENTS[choice % len(AGENTS)]
    body.pop("caller_agent_id", None)
    if choice % 3:
        body.pop("payload", None)
        body["message"] = {"role": "user", "parts": [{"kind": "text", "text": json.dumps(body.get("skill"))}]}


def verify(body: dict, choice: int) -> None:
    body["agent_id"] = AGENTS[choice % len(AGENTS)]


def update(body: dict, choice: int) -> None:
    body.pop("agent_id", None)
    body.pop("revision", None)


def match(body: dict, choice: int) -> None:
    body["query"] = ("echo", "mirror generation", "interop")[choice % 3]
    body.pop("cursor", None)


def register(body: dict, choice: int) -> None:
    body["agent_id"] = f"made-up-{choice}"
    body["contact_email"] = "owner@example.org"


def import_agent(body: dict, choice: int) -> None:
    """A card that can be read, with made-up members over it."""
    made_up = body.get("card") if isinstance(body.get("card"), dict) else {}
    for other in ("card_url", "domain_url"):
        body.pop(other, None)
    card = {"name": f"Made up {choice}", "url": f"https://agent-{choice}.example.org/", "skills": []}
    body["card"] = {**card, **made_up}


HINTS = {
    "call_agent": call,
    "match_agents": match,
    "verify_agent": verify,
    "update_agent": update,
    "register_agent": register,
    "import_agent": import_agent,
}
