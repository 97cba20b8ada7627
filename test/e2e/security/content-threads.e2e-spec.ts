import { Worker } from 'node:worker_threads';

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';

import { SweepDeliveries } from '../../../src/modules/messages/application/sweep-deliveries.service.js';
import { RelayFixture, type SendingAccount } from '../../support/relay-fixture.js';
import { waitFor } from '../../support/wait-for.js';

/** Takes 21,000 steps to render. */
const COSTLY = {
  html: '{{#items}}{{a}} {{b}}{{/items}}',
  variables: { items: Array.from({ length: 3_000 }, () => ({ a: 1, b: 2 })) },
};
/** `next` passes the job on. */
function interceptJobs(intercept: (job: { name?: string; input?: unknown }, worker: Worker, next: () => void) => void) {
  const post = Reflect.get(Worker.prototype, 'postMessage') as (this: Worker, ...given: unknown[]) => void;
  jest.spyOn(Worker.prototype, 'postMessage').mockImplementation(function (this: Worker, ...given) {
    intercept(given[0] as { name?: string }, this, () => {
      post.apply(this, given);
    });
  });
}

/** Ends the thread of the next job of that name while it has it. */
function loseNext(name: string): void {
  let isLost = false;
  interceptJobs((job, worker, next) => {
    next();
    if (isLost || job.name !== name) return;
    isLost = true;
    void worker.terminate();
  });
}

describe('Content that a thread works on', () => {
  let fixture: RelayFixture;
  let shop: SendingAccount;

  beforeAll(async () => {
    fixture = await RelayFixture.start();
  });
  afterAll(() => fixture.stop());
  beforeEach(async () => {
    fixture.relay.reset();
    shop = await fixture.open();
  });
  afterEach(() => {
    jest.restoreAllMocks();
  });

  const sweep = () => fixture.service.app.get(SweepDeliveries, { strict: false }).sweep();

  it('is not accepted if the thread is lost, and is when the client tries again', async () => {
    loseNext('render');
    const { body, headers } = await shop.post(COSTLY).expect(503);
    expect(body).toMatchObject({ message: 'The content could not be processed now' });
    expect(headers['retry-after']).toBe('1');
    const id = await shop.send(COSTLY);
    await waitFor('the mail', () => fixture.relay.received().length === 1);
    expect((await shop.read(id)).id).toBe(id);
  });

  it('is refused by its field', async () => {
    const template = { name: 'Long', subject: 'Hi', html: `${'{{a}}'.repeat(5_000)}{{#b}}` };
    const { body } = await shop.account.asAdmin('post', '/api/templates').send(template).expect(400);
    expect(body.message).toBe('html: Unclosed section "b" at 25006');
    const long = { name: 'Long', subject: 'Hi', html: '{{a}}'.repeat(5_000) };
    const { body: saved } = await shop.account.asAdmin('post', '/api/templates').send(long).expect(201);
    expect(saved.variables).toEqual(['a']);
  });

  it('gets the links that the event loop would give it', async () => {
    await shop.account.asAdmin('patch', '/api/settings').send({ tracking: 'native' }).expect(200);
    const htmlOf = (words: number) => `<a href="https://a.example/">a</a><p>${'word '.repeat(words)}</p>`;
    for (const words of [1, 20_000]) await shop.send({ html: htmlOf(words) });
    await waitFor('both', () => fixture.relay.received().length === 2);
    const links = fixture.relay.received().map(({ parsed }) => {
      const html = parsed.html as string;
      expect(parsed.text).toMatch(/^a \[https:\/\/a\.example\/\]/);
      return /<a href="[^"?]*\/r\/c[a-z0-9]{24}\?u=([^&]*)&amp;s=[\w-]{43}">.*<img src="[^"]*open\.gif/s.exec(
        html,
      )?.[1];
    });
    expect(links).toEqual(Array.from({ length: 2 }, () => encodeURIComponent('https://a.example/')));
  });

  it('is delivered once if the thread is lost that composes the mail, and that is no attempt', async () => {
    loseNext('compose');
    const html = `<p>${'word '.repeat(20_000)}</p>`;
    const id = await shop.send({ html });
    await waitFor('the mail', async () => {
      await sweep(); // what was released is due
      return fixture.relay.received().length > 0;
    });
    expect((await shop.reaches(id, 'sent', 1)).events).toMatchObject([{ type: 'sent' }]);
    expect(fixture.relay.received().map(({ parsed }) => (parsed.html as string).trimEnd())).toEqual([html]);
  });

  it('does not wait for what other accounts have in threads', async () => {
    const noisy = await fixture.open();
    // Both have a thread then.
    await Promise.all([noisy.send(COSTLY), shop.send(COSTLY)]);
    const held: (() => void)[] = [];
    interceptJobs((job, _, next) => {
      if (JSON.stringify(job.input ?? null).includes('"Held"')) held.push(next);
      else next();
    });
    let finished = 0;
    const posts = Array.from({ length: 6 }, () =>
      noisy.send({ ...COSTLY, subject: 'Held' }).then((id) => {
        finished += 1;
        return id;
      }),
    );
    await waitFor('a job of the other account', () => held.length > 0);
    await shop.send(COSTLY);
    expect(finished).toBe(0);
    jest.restoreAllMocks();
    for (const next of held) next();
    expect(new Set(await Promise.all(posts)).size).toBe(6);
  });
});
