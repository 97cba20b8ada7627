import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';

import { MatchEvents } from '../../src/modules/provider-events/application/match-events.service.js';
import { chunk } from '../../src/shared/chunk.js';
import type { TestAccount } from '../support/account.js';
import { ProviderEvents } from '../support/provider-events.js';
import { KEYS, SIGN } from '../support/vendor-posts.js';

const RECIPIENTS = ['ada@example.org', 'grace@example.org', 'ada@example.org'];
const START = Date.parse('2026-11-21T07:00:00Z');

/** How SES words each kind; the generic form has the kinds of the timeline. */
const OF_SES = {
  sent: { eventType: 'Send' },
  delivered: { eventType: 'Delivery', delivery: { recipients: ['x@example.org', 'y@example.org'] } },
  hard: {
    eventType: 'Bounce',
    bounce: { bounceType: 'Permanent', bouncedRecipients: [{ emailAddress: 'x@b.example' }] },
  },
  soft: { eventType: 'Bounce', bounce: { bounceType: 'Transient' } },
  complained: { eventType: 'Complaint', complaint: { complaintFeedbackType: 'abuse' } },
  harmless: { eventType: 'Complaint', complaint: { complaintFeedbackType: 'not-spam' } },
  unsubscribed: { eventType: 'Subscription', subscription: { newTopicPreferences: { unsubscribeAll: true } } },
  failed: { eventType: 'Reject', reject: { reason: 'Bad content' } },
  delayed: { eventType: 'DeliveryDelay', deliveryDelay: { delayType: 'General' } },
  opened: { eventType: 'Open', open: { userAgent: 'x' } },
  clicked: { eventType: 'Click', click: { link: 'https://a.example' } },
} as const;
const OF_GENERIC = {
  sent: { type: 'sent' },
  delivered: { type: 'delivered' },
  hard: { type: 'bounced' },
  soft: { type: 'bounced', data: { bounceType: 'soft' } },
  complained: { type: 'complained' },
  harmless: { type: 'complained', data: { feedbackType: 'not-spam' } },
  unsubscribed: { type: 'delayed' },
  failed: { type: 'failed' },
  delayed: { type: 'delayed' },
  opened: { type: 'opened', data: { automated: true } },
  clicked: { type: 'clicked' },
} as const;

const fact = fc.record({
  message: fc.nat(RECIPIENTS.length - 1),
  kind: fc.constantFrom(...(Object.keys(OF_SES) as (keyof typeof OF_SES)[])),
  at: fc.nat(20).map((seconds) => new Date(START + seconds * 1_000)),
  through: fc.constantFrom('ses', 'generic'),
  named: fc.constantFrom('ours', 'theirs'),
});
type Fact = typeof fact extends fc.Arbitrary<infer T> ? T : never;

/** The places of the facts in a history, in random order, each one to three times; and how many go out at once. */
const disorder = fc.array(fc.record({ order: fc.nat(), times: fc.integer({ min: 1, max: 3 }) }), {
  minLength: 12,
  maxLength: 12,
});

describe('A history of events', () => {
  let events: ProviderEvents;

  beforeAll(async () => {
    events = await ProviderEvents.start();
  });
  afterAll(() => events.stop());

  async function open(): Promise<{ account: TestAccount; messages: string[] }> {
    const account = await events.openAccount();
    const smtp = { host: 'relay.example', port: 25, eventSigningKey: KEYS.generic };
    await account.asAdmin('patch', '/api/settings').send({ smtp }).expect(200);
    const messages: string[] = [];
    for (const recipient of RECIPIENTS) messages.push(await events.addMessage(account, { recipient }));
    return { account, messages };
  }

  async function post(
    account: TestAccount,
    messages: string[],
    { kind, message, at, through, named }: Fact,
    id: string,
  ) {
    const ours = named === 'ours' ? messages[message] : undefined;
    const now = events.service.clock.now();
    if (through === 'generic') {
      const event = {
        ...OF_GENERIC[kind],
        id,
        messageLogId: ours,
        providerMessageId: `theirs-${message}`,
        occurredAt: at,
      };
      const { body, headers } = SIGN.generic(event, now);
      expect((await events.postSmtp(account, body, headers)).status).toBe(200);
      return;
    }
    const tags = ours === undefined ? undefined : { message_id: [ours] };
    const mail = { timestamp: at, messageId: `theirs-${message}`, destination: ['x@example.org'], tags };
    expect((await events.postSes(account, { ...OF_SES[kind], mail }, { timestamp: now })).status).toBe(200);
  }

  async function learnProviderIds(account: TestAccount, messages: string[]): Promise<void> {
    for (const [i, id] of messages.entries()) await events.provide(id, `theirs-${i}`);
    events.service.clock.advance({ seconds: 10 });
    const matchEvents = events.service.app.get(MatchEvents, { strict: false });
    await Promise.all([matchEvents.match(), matchEvents.match()]);
    expect(await events.unmatched(account)).toEqual([]);
  }

  /** Of several causes for one address the first that comes counts, so the reasons may differ. */
  async function stateOf(account: TestAccount, messages: string[]) {
    const states = await Promise.all(messages.map((id) => events.state(account, id)));
    const suppressions = (await events.suppressions(account)) as { address: string }[];
    const outbox = await events.outbox(account);
    return {
      messages: states.map(({ events: timeline, ...state }) => ({
        ...state,
        timeline: timeline.map((event) => JSON.stringify({ ...event, id: '', messageLogId: '' })).sort(),
      })),
      suppressed: suppressions.map(({ address }) => address),
      told: outbox.map(({ data }) => data.email as string).sort(),
    };
  }

  it('ends in the same state in any order, with repeats, at once and before the messages are known', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fact, { minLength: 1, maxLength: 12 }),
        disorder,
        fc.integer({ min: 1, max: 8 }),
        fc.nat(12),
        async (history, places, atOnce, knownAfter) => {
          const inOrder = await open();
          await learnProviderIds(inOrder.account, inOrder.messages);
          const byTime = history.map((one, i) => ({ one, id: `fact ${i}` })).sort((a, b) => +a.one.at - +b.one.at);
          for (const { one, id } of byTime) await post(inOrder.account, inOrder.messages, one, id);

          const mixed = await open();
          const posts = history
            .flatMap((one, i) =>
              Array.from({ length: places[i]!.times }, (_, n) => ({
                one,
                id: `fact ${i}`,
                order: (places[i]!.order * (n + 7)) % 101,
              })),
            )
            .sort((a, b) => a.order - b.order);
          for (const [n, together] of chunk(posts, atOnce).entries()) {
            if (n === knownAfter) await learnProviderIds(mixed.account, mixed.messages);
            await Promise.all(together.map(({ one, id }) => post(mixed.account, mixed.messages, one, id)));
          }
          await learnProviderIds(mixed.account, mixed.messages);

          const state = await stateOf(mixed.account, mixed.messages);
          expect(state).toEqual(await stateOf(inOrder.account, inOrder.messages));
          expect(state.told).toEqual(state.suppressed);
        },
      ),
      { numRuns: 30, endOnFailure: true },
    );
  });
});
