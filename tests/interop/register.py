"""Registers an agent that only calls, and prints its key.

usage: register.py GATEWAY
"""

import sys
import uuid

import httpx


def register(http: httpx.Client) -> dict:
    """The answer of `/register` for an agent with a new id."""
    body = {"agent_id": f"interop-{uuid.uuid4().hex[:12]}", "contact_email": "owner@example.org", "name": "Interop"}
    response = http.post("/register", json=body)
    assert response.status_code == 201, f"{response.status_code} {response.text}"
    return response.json()


if __name__ == "__main__":
    with httpx.Client(base_url=sys.argv[1], timeout=30) as client:
        print(register(client)["api_key"])
