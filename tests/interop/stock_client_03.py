"""The stock Python client of A2A 0.3 reads an agent's card and sends it a message.

usage: stock_client_03.py BASE_URL [LABEL]

As stock_client.py, one protocol generation earlier: it sends no version header at all.
"""

import asyncio
import sys
import uuid

import httpx
from a2a.client import ClientConfig, ClientFactory
from a2a.types import DataPart, Message, Part, Role, TextPart

TEXT = "hello, grüße, 漢字, 🙂"
DATA = {"a.b": [1, 2.5, None, True, {"": "empty name"}], "note": "x" * 1000}


async def main(base: str, label: str) -> None:
    async with httpx.AsyncClient(timeout=30) as http:
        config = ClientConfig(streaming=False, httpx_client=http)
        client = await ClientFactory.connect(base, client_config=config)
        parts = [Part(root=TextPart(text=TEXT)), Part(root=DataPart(data=DATA))]
        message = Message(role=Role.user, parts=parts, message_id=str(uuid.uuid4()))
        answers = [event async for event in client.send_message(message)]

    assert len(answers) == 1, answers
    answer = answers[0]
    assert isinstance(answer, Message), answer
    assert answer.role == Role.agent, answer
    assert answer.message_id and answer.message_id != message.message_id, answer
    assert answer.parts[0].root.text == TEXT, answer
    assert answer.parts[1].root.data == DATA, answer
    print(f"ok: {label}: a2a-sdk 0.3 sent a message to {base} and got its parts back")


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else "stock client"))
