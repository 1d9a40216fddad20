"""An agent elsewhere, made with the stock Python server of A2A 0.3: it gives back what it got.

usage: upstream_03.py

Takes a free port of 127.0.0.1 and prints `listening on URL`.
"""

import socket

import uvicorn
from a2a.server.agent_execution import AgentExecutor
from a2a.server.apps import A2AStarletteApplication
from a2a.server.request_handlers import DefaultRequestHandler
from a2a.server.tasks import InMemoryTaskStore
from a2a.types import AgentCapabilities, AgentCard, AgentSkill
from a2a.utils.message import new_agent_parts_message


class Mirror(AgentExecutor):
    """Answers each message with a message of the same parts."""

    async def execute(self, context, event_queue):
        await event_queue.enqueue_event(new_agent_parts_message(context.message.parts))

    async def cancel(self, context, event_queue):
        raise NotImplementedError("a message is never a task here")


def card(url: str) -> AgentCard:
    modes = ["text/plain", "application/json"]
    skill = AgentSkill(id="mirror", name="Mirror", description="Gives back the parts of a message.", tags=["mirror"])
    return AgentCard(
        name="Mirror of the old generation",
        description="An agent elsewhere, behind the stock server of A2A 0.3.",
        version="1.0.0",
        url=url,
        capabilities=AgentCapabilities(streaming=False),
        default_input_modes=modes,
        default_output_modes=modes,
        skills=[skill],
    )


def main() -> None:
    listener = socket.socket()
    listener.bind(("127.0.0.1", 0))
    listener.listen(64)
    base = f"http://127.0.0.1:{listener.getsockname()[1]}"
    described = card(f"{base}/rpc")
    handler = DefaultRequestHandler(agent_executor=Mirror(), task_store=InMemoryTaskStore())
    app = A2AStarletteApplication(agent_card=described, http_handler=handler).build(rpc_url="/rpc")
    print(f"listening on {base}", flush=True)
    uvicorn.Server(uvicorn.Config(app, log_level="warning")).run(sockets=[listener])


if __name__ == "__main__":
    main()
