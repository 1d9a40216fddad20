"""An agent elsewhere is listed by its card and called through `/call`.

usage: through_call.py GATEWAY UPSTREAM SPOKEN

SPOKEN is the dialect that the gateway must use towards it: `a2a-1.0` or `a2a-0.3`. The last line
printed is `agent ID`, for whoever goes on with that agent.
"""

import sys
import uuid

import httpx

from listed import register

TEXT = "hello, grüße, 漢字, 🙂"


def wanted(response: httpx.Response, status: int) -> dict:
    assert response.status_code == status, f"{response.request.url}: {response.status_code} {response.text}"
    assert response.headers.get("x-request-id"), response.headers
    return response.json()


def main(gateway: str, upstream: str, spoken: str) -> None:
    with httpx.Client(base_url=gateway, timeout=30) as http:
        caller = register(http, f"interop-{uuid.uuid4().hex[:12]}")
        key = {"Authorization": f"Bearer {caller['api_key']}"}

        import_body = {"card_url": f"{upstream}/.well-known/agent-card.json", "register": True}
        listed = wanted(http.post("/import-agent", json=import_body), 201)
        assert listed["registered"] and listed["created"], listed
        agent = listed["agent"]
        assert agent["state"] == "unclaimed" and agent["callable"], agent
        assert agent["a2a_versions"] == [spoken.removeprefix("a2a-")], agent
        assert upstream not in str({k: v for k, v in agent.items() if k != "card_url"}), agent

        again = wanted(http.post("/import-agent", json=import_body), 200)
        assert not again["created"] and again["agent"]["agent_id"] == agent["agent_id"], again

        body = {
            "agent_id": agent["agent_id"],
            "caller_agent_id": caller["agent_id"],
            "message": {"role": "user", "parts": [{"kind": "text", "text": TEXT}]},
        }
        refused = wanted(http.post("/call", json=body), 401)
        assert refused["code"] == "unauthorized", refused
        response = http.post("/call", json=body, headers=key)
        answer = wanted(response, 200)
        assert answer["status_code"] == 200 and answer["spoken"] == spoken, answer
        assert response.headers["x-guildhall-transaction-id"] == answer["transaction_id"], response.headers
        # The question was put in 0.3, and so the answer is, whatever the agent speaks.
        message = answer["body"]["result"]
        assert message["parts"][0]["text"] == TEXT, answer
        body["message"] = {"role": "ROLE_USER", "parts": [{"text": TEXT}]}
        newer = wanted(http.post("/call", json=body, headers=key), 200)
        assert newer["body"]["result"]["message"]["parts"][0]["text"] == TEXT, newer

        # Records are written behind, so only that the call is known is asked, not when.
        record = wanted(http.get(f"/calls/{answer['transaction_id']}", headers=key), 200)
        assert record["agent_id"] == agent["agent_id"], record
        wanted(http.get(f"/calls/{answer['transaction_id']}"), 401)
    print(f"ok: {spoken}: {upstream} was listed by its card and answered through /call")
    print(f"agent {agent['agent_id']}")


if __name__ == "__main__":
    main(*sys.argv[1:4])
