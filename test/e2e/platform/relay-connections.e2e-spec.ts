import { afterAll, beforeAll, expect, it } from '@jest/globals';

import { RelayConnections } from '../../../src/platform/smtp/relay-connections.js';
import { relayFromUrl } from '../../../src/shared/smtp-relay.js';
import { SmtpSink } from '../../support/smtp-sink.js';
import { waitFor } from '../../support/wait-for.js';

let relay: SmtpSink;

beforeAll(async () => {
  relay = await SmtpSink.start();
});
afterAll(() => relay.stop());

it('Mails wait for a connection in the order in which they come: bulk mail takes no turns with others', async () => {
  const connections = new RelayConnections(relayFromUrl(relay.url), 1);
  const begun: string[] = [];
  let release: () => void = () => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  relay.answer = (stage, _session, address) => {
    if (stage === 'rcpt') begun.push(address);
    return stage === 'data' ? released.then(() => undefined) : undefined;
  };
  const submit = (name: string) => {
    const [from, to] = ['shop@example.com', `${name}@example.org`];
    const raw = Buffer.from('Subject: Hello\r\n\r\nHello\r\n');
    return connections.submit({ from, to, messageId: `${name}@example.com`, raw }, undefined, name.startsWith('bulk'));
  };
  const first = submit('first');
  await waitFor('the only connection to be used', () => begun.length > 0);
  const names = ['other-1', 'bulk-1', 'bulk-2', 'other-2', 'other-3', 'other-4'];
  const others = names.map(submit);
  release();
  await Promise.all([first, ...others]);
  connections.close();
  // Only one of the bulk mails may wait for a connection of all.
  const order = ['first', 'other-1', 'bulk-1', 'other-2', 'other-3', 'other-4', 'bulk-2'];
  expect(begun).toEqual(order.map((name) => `${name}@example.org`));
});
