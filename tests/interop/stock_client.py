"""The stock Python client of A2A 1.0 reads an agent's card and sends it a message.

usage: stock_client.py BASE_URL [LABEL]

The agent must give back the parts it got. Nothing here knows our gateway: the address of the
calls comes from the card.
"""

import asyncio
import sys

from a2a.client import ClientConfig, ClientFactory
from a2a.helpers import new_message
from a2a.types.a2a_pb2 import Part, Role, SendMessageRequest
from google.protobuf.json_format import MessageToDict, ParseDict

TEXT = "hello, grüße, 漢字, 🙂"
# A deep value, since data must pass as it is. Numbers are doubles in this client.
DATA = {"a.b": [1, 2.5, None, True, {"": "empty name"}], "note": "x" * 1000}


async def main(base: str, label: str) -> None:
    # The client does not stream, so that every answer is one message.
    client = await ClientFactory(ClientConfig(streaming=False)).create_from_url(base)
    parts = [Part(text=TEXT), ParseDict({"data": DATA, "mediaType": "application/json"}, Part())]
    message = new_message(parts, role=Role.ROLE_USER)
    answers = [event async for event in client.send_message(SendMessageRequest(message=message))]
    await client.close()

    assert len(answers) == 1, answers
    assert answers[0].HasField("message"), answers[0]
    answer = answers[0].message
    assert answer.role == Role.ROLE_AGENT, answer
    assert answer.message_id and answer.message_id != message.message_id, answer
    assert answer.parts[0].text == TEXT, answer
    assert MessageToDict(answer.parts[1])["data"] == DATA, answer
    print(f"ok: {label}: a2a-sdk 1.3 sent a message to {base} and got its parts back")


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else "stock client"))
