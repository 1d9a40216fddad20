"""Made-up agents and questions about them: the same for the same seed, written straight into a store.

The words are invented and fall off by Zipf's law, as in real text: few words are everywhere, most
are rare. The questions take their words from the agents' own texts, so common words come up often.
"""

import itertools
import json
import random
import sqlite3
from pathlib import Path

WORDS = 40_000
CAPABILITIES = 2_000
SEED = 8004
# When the first agent was listed, in milliseconds; a fixed time, so that the store is the same each time.
EPOCH = 1_764_547_200_000

ONSETS = "b br c ch d dr f fl g gr h k l m n p pl qu r s sh st t tr v w z".split()
VOWELS = "a e i o u ai ea io ou".split()
CODAS = ["", "l", "m", "n", "r", "s", "t", "x", "nd", "rk"]


class Corpus:
    """A source of agents and of questions."""

    def __init__(self) -> None:
        self.random = random.Random(SEED)
        self.words = self.invent(WORDS)
        self.weights = list(itertools.accumulate(1 / rank for rank in range(1, WORDS + 1)))
        self.capabilities = [f"{a}-{b}" for a, b in zip(self.words[100::7], self.words[101::7])][:CAPABILITIES]
        self.capability_weights = list(itertools.accumulate(1 / rank for rank in range(1, CAPABILITIES + 1)))

    def invent(self, count: int) -> list[str]:
        made: dict[str, None] = {}
        while len(made) < count:
            syllables = self.random.choices((1, 2, 3), (1, 5, 4))[0]
            pick = self.random.choice
            made["".join(pick(ONSETS) + pick(VOWELS) + pick(CODAS) for _ in range(syllables))] = None
        return list(made)

    def text(self, count: int) -> list[str]:
        return self.random.choices(self.words, cum_weights=self.weights, k=count)

    def profile(self, number: int) -> dict:
        """What an agent says of itself, as the store keeps it; members left out have their defaults."""
        chance = self.random
        names = dict.fromkeys(
            chance.choices(self.capabilities, cum_weights=self.capability_weights, k=chance.randint(1, 6))
        )
        description = self.text(chance.randint(15, 60))
        return {
            "name": " ".join(self.text(3)).title(),
            "description": " ".join(description),
            "specialty": " ".join(self.text(5)),
            "version": "1.0.0",
            "endpoint_url": f"https://agent-{number}.example.org/a2a",
            "message_protocol": chance.choices(("a2a", "mcp", "raw"), (7, 2, 1))[0],
            "settlement_rail": chance.choices((["x402"], ["stripe"], ["x402", "stripe"], []), (4, 2, 1, 3))[0],
            "capabilities": [{"name": name, "weight": 1} for name in names],
            "tags": self.text(2),
            "input_modes": ["text/plain"],
            "output_modes": ["application/json"],
        }

    def question(self, profile: dict) -> dict:
        """Three words of an agent's description and two filters."""
        words = list(dict.fromkeys(profile["description"].split()))
        return {
            "query": " ".join(self.random.sample(words, min(3, len(words)))),
            "message_protocol": "a2a",
            "settlement_rail": "x402",
            "limit": 20,
        }


def fill(database: Path, agents: int, questions: int) -> list[dict]:
    """Writes `agents` listings into an empty, migrated store; gives questions about some of them."""
    corpus = Corpus()
    asked = []
    every = max(1, agents // questions)
    store = sqlite3.connect(database)
    store.execute("PRAGMA synchronous = OFF")
    insert = (
        "INSERT INTO agents (id, state, tenant, profile, contact, revision, created_at, updated_at)"
        " VALUES (?, 'listed', 0, ?, '{}', 1, ?, ?)"
    )
    for first in range(0, agents, 10_000):
        rows = []
        for number in range(first, min(first + 10_000, agents)):
            profile = corpus.profile(number)
            if number % every == 0 and len(asked) < questions:
                asked.append(corpus.question(profile))
            at = EPOCH + number
            rows.append((f"agent-{number:06}", json.dumps(profile, separators=(",", ":")), at, at))
        with store:
            store.executemany(insert, rows)
    store.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    store.close()
    return asked
