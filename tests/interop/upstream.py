"""An agent elsewhere, made with the stock Python server of A2A 1.0: it gives back what it got.

usage: upstream.py

Takes a free port of 127.0.0.1 and prints `listening on URL`. It speaks 1.0 alone, so that a
request in the wrong dialect is seen.
"""

import socket

import uvicorn
from a2a.helpers import new_message
from a2a.server.agent_execution import AgentExecutor
from a2a.server.request_handlers import DefaultRequestHandler
from a2a.server.routes.agent_card_routes import create_agent_card_routes
from a2a.server.routes.jsonrpc_routes import create_jsonrpc_routes
from a2a.server.tasks import InMemoryTaskStore
from a2a.types.a2a_pb2 import AgentCapabilities, AgentCard, AgentInterface, AgentSkill, Role
from starlette.applications import Starlette


class Mirror(AgentExecutor):
    """Answers each message with a message of the same parts."""

    async def execute(self, context, event_queue):
        await event_queue.enqueue_event(new_message(list(context.message.parts), role=Role.ROLE_AGENT))

    async def cancel(self, context, event_queue):
        raise NotImplementedError("a message is never a task here")


def card(url: str) -> AgentCard:
    modes = ["text/plain", "application/json"]
    skill = AgentSkill(id="mirror", name="Mirror", description="Gives back the parts of a message.", tags=["mirror"])
    return AgentCard(
        name="Mirror of the new generation",
        description="An agent elsewhere, behind the stock server of A2A 1.0.",
        version="1.0.0",
        supported_interfaces=[AgentInterface(url=url, protocol_binding="JSONRPC", protocol_version="1.0")],
        capabilities=AgentCapabilities(streaming=False),
        default_input_modes=modes,
        default_output_modes=modes,
        skills=[skill],
    )


def main() -> None:
    # The socket is bound before the card is made, since the card names the port.
    listener = socket.socket()
    listener.bind(("127.0.0.1", 0))
    listener.listen(64)
    base = f"http://127.0.0.1:{listener.getsockname()[1]}"
    described = card(f"{base}/rpc")
    handler = DefaultRequestHandler(agent_executor=Mirror(), task_store=InMemoryTaskStore(), agent_card=described)
    app = Starlette(routes=[*create_agent_card_routes(described), *create_jsonrpc_routes(handler, "/rpc")])
    print(f"listening on {base}", flush=True)
    uvicorn.Server(uvicorn.Config(app, log_level="warning")).run(sockets=[listener])


if __name__ == "__main__":
    main()
