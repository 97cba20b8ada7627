import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import autocannon from 'autocannon';

import { Journal } from '../../test/support/fake-aws/journal.js';
import { Signing } from '../../test/support/fake-aws/signing.js';
import { composePost, TOPIC_ARN } from '../../test/support/fake-aws/sns-post.js';

export interface Post {
  headers: Record<string, string>;
  body: string;
}

/** Signed posts of SNS, and a server for their certificate. */
export class SesPosts {
  static readonly topicArn = TOPIC_ARN;

  private constructor(
    private readonly signing: Signing,
    private readonly origin: string,
    readonly stop: () => Promise<void>,
  ) {}

  static async start(): Promise<SesPosts> {
    const signing = await Signing.create();
    const server = createServer((request, response) => response.end(signing.certificates.get(request.url ?? '')));
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as AddressInfo;
    return new SesPosts(signing, `http://127.0.0.1:${port}`, async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    });
  }

  /** Composes a delivery event for each message. */
  ofDeliveries(accountId: string, messageIds: readonly string[]): Post[] {
    const timestamp = new Date().toISOString();
    return messageIds.map((id) => {
      const recipients = ['recipient@example.net'];
      const tags = { message_id: [id], account_id: [accountId] };
      const mail = { timestamp, messageId: `ses-${id}`, destination: recipients, tags };
      const delivery = { timestamp, processingTimeMillis: 500, recipients, smtpResponse: '250 2.6.0 Message received' };
      return composePost(
        { eventType: 'Delivery', mail, delivery },
        {},
        { origin: this.origin, signing: this.signing, journal: new Journal() },
      );
    });
  }
}

/** Posts each of them once, as fast as possible. */
export async function postAll(
  url: string,
  posts: readonly Post[],
  connections: number,
): Promise<{ perSecond: number; failed: number }> {
  let next = 0;
  const startedAt = performance.now();
  let lastAt = startedAt; // autocannon ends on whole seconds only
  const result = await new Promise<autocannon.Result>((resolve, reject) => {
    const load = autocannon(
      {
        url,
        connections,
        amount: posts.length,
        requests: [{ method: 'POST', setupRequest: (request) => ({ ...request, ...posts[next++ % posts.length] }) }],
      },
      (error: Error | null, done) => {
        if (error) reject(error);
        else resolve(done);
      },
    );
    load.on('response', () => {
      lastAt = performance.now();
    });
  });
  const seconds = (lastAt - startedAt) / 1_000;
  return { perSecond: posts.length / seconds, failed: result.non2xx + result.errors };
}
