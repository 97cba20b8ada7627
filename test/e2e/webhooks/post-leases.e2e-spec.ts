import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

import { SafeWebhookClient } from '../../../src/modules/webhooks/infrastructure/safe-webhook-client.js';
import { LeaseEndedError } from '../../../src/shared/submission-check.js';
import { waitFor } from '../../support/wait-for.js';
import { WebhookReceiver } from '../../support/webhook-receiver.js';

describe('A webhook post whose lease ends', () => {
  let receiver: WebhookReceiver;
  let client: SafeWebhookClient;

  beforeAll(async () => {
    receiver = await WebhookReceiver.start();
  });
  beforeEach(() => {
    client = new SafeWebhookClient({ allowPrivate: true, lookup: () => Promise.resolve(['127.0.0.1']) });
  });
  afterEach(async () => {
    await client.onApplicationShutdown();
    await receiver.reset();
  });
  afterAll(() => receiver.stop());

  const postWhile = (from: SafeWebhookClient, isHeld: () => boolean) =>
    from.post({
      lane: 'a',
      headers: () => ({}),
      body: '',
      url: `http://hooks.example.com:${receiver.port}/in`,
      timeoutMs: 60_000,
      isHeld,
    });

  it('is not sent if that happens while its connection is opened', async () => {
    let resolve: ((addresses: string[]) => void) | undefined;
    const lookup = () => new Promise<string[]>((done) => (resolve = done));
    const slow = new SafeWebhookClient({ allowPrivate: true, lookup });
    let isHeld = true;
    const posting = postWhile(slow, () => isHeld);
    posting.catch(() => undefined);
    await waitFor('the connection', () => resolve !== undefined);
    isHeld = false;
    resolve?.(['127.0.0.1']);
    await expect(posting).rejects.toBeInstanceOf(LeaseEndedError);
    expect(await receiver.received()).toEqual([]);
    await slow.onApplicationShutdown();
  });

  it('is not sent on a connection that was used before', async () => {
    await postWhile(client, () => true);
    await expect(postWhile(client, () => false)).rejects.toBeInstanceOf(LeaseEndedError);
    expect(await receiver.received()).toHaveLength(1);
  });
});
