// The stock JavaScript client reads an agent's card and sends it a message, in 1.0 and as 0.3.
//
// usage: node stock_client.mjs NODE_FOLDER BASE_URL
//
// NODE_FOLDER holds node_modules. The agent must give back the parts it got.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { createRequire } from 'node:module';
import path from 'node:path';

const [folder, base] = process.argv.slice(2);
const stock = createRequire(path.join(path.resolve(folder), 'package.json'));
const { ClientFactory, ClientFactoryOptions, DefaultAgentCardResolver, JsonRpcTransportFactory } =
  stock('@a2a-js/sdk/client');
const { Role } = stock('@a2a-js/sdk');

const TEXT = 'hello, grüße, 漢字, 🙂';
const DATA = { 'a.b': [1, 2.5, null, true, { '': 'empty name' }], note: 'x'.repeat(1000) };

function question() {
  const part = (content) => ({ content, metadata: undefined, filename: '', mediaType: '' });
  return {
    tenant: '',
    message: {
      messageId: randomUUID(),
      contextId: '',
      taskId: '',
      role: Role.ROLE_USER,
      parts: [part({ $case: 'text', value: TEXT }), part({ $case: 'data', value: DATA })],
      metadata: undefined,
      extensions: [],
      referenceTaskIds: [],
    },
    configuration: undefined,
    metadata: undefined,
  };
}

async function ask(label, client) {
  const answer = await client.sendMessage(question());
  const said = (answer.parts ?? []).map((part) => part.content?.value);
  assert.deepEqual(said, [TEXT, DATA], `${label}: ${JSON.stringify(answer)}`);
  console.log(`ok: ${label}: @a2a-js/sdk sent a message to ${base} and got its parts back`);
}

const modern = new ClientFactory();
await ask('1.0', await modern.createFromUrl(base + '/'));

// The same agent as a 0.3 one: this client always asks for the 1.0 card, so it is given the other.
const legacyCompat = { enabled: true };
const fetchImpl = (url, options) => fetch(url, { ...options, headers: { 'A2A-Version': '0.3' } });
const legacy = new ClientFactory(
  ClientFactoryOptions.createFrom(ClientFactoryOptions.default, {
    transports: [new JsonRpcTransportFactory({ legacyCompat })],
    cardResolver: new DefaultAgentCardResolver({ legacyCompat, fetchImpl }),
  }),
);
await ask('0.3', await legacy.createFromUrl(base + '/'));
