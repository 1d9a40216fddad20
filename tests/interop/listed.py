"""Puts agents into a gateway for whoever tries its doors.

usage: listed.py GATEWAY UPSTREAM UPSTREAM_03

Prints three lines: a caller's key, the id of that key, and the ids of all agents with commas.
"""

import sys

import httpx


def post(http: httpx.Client, path: str, body: dict) -> dict:
    response = http.post(path, json=body)
    assert response.status_code == 201, f"{path}: {response.status_code} {response.text}"
    return response.json()


def register(http: httpx.Client, agent_id: str, **declared: object) -> dict:
    """The answer of `/register`; it holds the key."""
    body = {"agent_id": agent_id, "contact_email": "owner@example.org", "name": agent_id, **declared}
    return post(http, "/register", body)


def list_by_card(http: httpx.Client, upstream: str) -> dict:
    """The answer of `/import-agent` for an agent elsewhere."""
    return post(http, "/import-agent", {"card_url": f"{upstream}/.well-known/agent-card.json", "register": True})


def main(gateway: str, upstream: str, upstream_03: str) -> None:
    with httpx.Client(base_url=gateway, timeout=30) as http:
        caller = register(http, "interop-caller")
        plain = register(http, "interop-plain", endpoint_url=f"{upstream}/rpc", message_protocol="raw")
        cards = [list_by_card(http, at) for at in (upstream, upstream_03)]
    ids = [caller["agent_id"], plain["agent_id"], *(card["agent"]["agent_id"] for card in cards)]
    print(caller["api_key"])
    print(caller["key_id"])
    print(",".join(["guildhall-echo", *ids]))


if __name__ == "__main__":
    main(*sys.argv[1:4])
