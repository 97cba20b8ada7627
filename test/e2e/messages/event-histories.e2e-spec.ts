import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';

import { PendingDeliveryRepository, eventKey, TimelineRepository } from '../../../src/modules/messages/index.js';
import { UnsubscribeLinks } from '../../../src/modules/suppression/index.js';
import { chunk } from '../../../src/shared/collections.js';
import { budget } from '../../support/budget.js';
import type { TestAccount } from '../../support/account.js';
import { insertMessages } from '../../support/message-rows.js';
import { ProviderEvents } from '../../support/provider-events.js';
import { KEYS, SIGN } from '../../support/vendor-posts.js';
import { waitFor } from '../../support/wait-for.js';

const RECIPIENTS = ['ada@example.org', 'grace@example.org', 'ada@example.org'];
const START = Date.parse('2026-11-21T07:00:00Z');

/** The event types of SES; the generic format uses those of the timeline. */
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
  clicked: { eventType: 'Click', click: { link: 'https://a.example/0' } },
} as const;
const OF_GENERIC = {
  sent: { type: 'sent' },
  delivered: { type: 'delivered' },
  hard: { type: 'bounced', data: { bounceType: 'Hard' } },
  soft: { type: 'bounced', data: { bounceType: 'soft' } },
  complained: { type: 'complained' },
  harmless: { type: 'complained', data: { feedbackType: 'not-spam' } },
  unsubscribed: { type: 'delayed' },
  failed: { type: 'failed' },
  delayed: { type: 'delayed' },
  opened: { type: 'opened', data: { automated: true } },
  clicked: { type: 'clicked', data: { url: 'https://a.example/1' } },
} as const;

const fields = {
  message: fc.nat(RECIPIENTS.length - 1),
  kind: fc.constantFrom(...(Object.keys(OF_SES) as (keyof typeof OF_SES)[])),
  at: fc.nat(10).map((steps) => new Date(START + steps * 400)),
  /** Opens and clicks are reported by the tracked links of the message. */
  through: fc.constantFrom('ses', 'generic', 'link', 'link'),
  link: fc.nat(1),
  automated: fc.boolean(),
  named: fc.constantFrom('ours', 'theirs'),
};
const anyFact = fc.record(fields);
type Fact = typeof anyFact extends fc.Arbitrary<infer T> ? T : never;
/** Scanners are recognised by several clicks right at the delivery, which random times seldom produce. */
const visitOrDelivery = fc.record({
  ...fields,
  message: fc.constant(0),
  kind: fc.constantFrom('clicked', 'clicked', 'clicked', 'opened', 'sent', 'delivered'),
});

/** The indexes of the events in random order, each one to three times, and the size of concurrent groups. */
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
    // As after their submission: an event about a message that was never attempted changes nothing.
    await events.service.query('UPDATE message_logs SET sent_at = created_at WHERE id = ANY ($1)', [messages]);
    const [first = '', other = '', last = ''] = messages;
    return { account, messages: first < last ? messages : [last, other, first] };
  }

  const isVisit = ({ kind, through }: Fact) => through === 'link' && (kind === 'opened' || kind === 'clicked');

  async function visit({ kind, at, link, automated }: Fact, messageId: string, id: string): Promise<void> {
    const type = kind === 'opened' ? 'opened' : 'clicked';
    const data = { url: `https://a.example/${link}`, ...(automated ? { automated } : {}) };
    const visits = events.service.app.get(TimelineRepository, { strict: false });
    await waitFor('the message to be unlocked', async () => {
      const visit = { id: eventKey(id), messageId, type, occurredAt: at, data } as const;
      return !(await visits.recordVisitsAcrossAccounts([visit])).includes('locked');
    });
  }

  async function unsubscribe({ id: accountId }: TestAccount, messageId: string, email: string): Promise<void> {
    const links = events.service.app.get(UnsubscribeLinks, { strict: false });
    const { pathname } = new URL(links.linkTo({ accountId, messageId, email, topicId: null }));
    expect((await fetch(events.service.url + pathname, { method: 'POST' })).status).toBe(200);
  }

  async function post(account: TestAccount, messages: string[], fact: Fact, id: string) {
    const { kind, message, at, through, named } = fact;
    const ours = named === 'ours' ? messages[message] : undefined;
    const now = events.service.clock.now();
    if (isVisit(fact)) {
      await visit(fact, messages[message]!, id);
      return;
    }
    if (through === 'link' && kind === 'unsubscribed') {
      await unsubscribe(account, messages[message]!, RECIPIENTS[message]!);
      return;
    }
    if (through !== 'ses') {
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
    await Promise.all([events.match(), events.match()]);
    expect(await events.unmatched(account)).toEqual([]);
  }

  async function stateOf(account: TestAccount, messages: string[]) {
    const states = await Promise.all(messages.map((id) => events.state(account, id)));
    const suppressions = (await events.suppressions(account)) as { address: string; messageLogId: string }[];
    return {
      messages: states.map(({ events: timeline, ...state }) => ({
        ...state,
        timeline: timeline.map((event) => JSON.stringify({ ...event, id: '', messageLogId: '' })).sort(),
      })),
      suppressed: suppressions.map((entry) => ({ ...entry, messageLogId: messages.indexOf(entry.messageLogId) })),
    };
  }

  /** An address has at most one event per cause; the last is the cause of its suppression. */
  async function expectOneEventPerCause(account: TestAccount): Promise<void> {
    const outbox = await events.outbox(account);
    const causes = outbox.map(({ type, data }) => `${data.email as string} ${type}`);
    expect(new Set(causes).size).toBe(causes.length);
    const last = new Map(outbox.map(({ type, data }) => [data.email as string, type]));
    const suppressed = (await events.suppressions(account)) as { address: string; reason: string }[];
    const expected = suppressed.map(({ address, reason }): [string, string] => [
      address,
      reason === 'manual' ? 'contact.suppressed' : `contact.${reason}`,
    ]);
    expect(last).toEqual(new Map(expected));
  }

  it.each<[string, fc.Arbitrary<Fact>]>([
    ['of every kind', anyFact],
    ['of visits around a delivery', visitOrDelivery],
  ])(
    '%s has the same result in any order, with repeats, concurrently and before the messages are known',
    async (_, fact) => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(fact, { minLength: 1, maxLength: 12 }),
          disorder,
          fc.integer({ min: 1, max: 8 }),
          fc.nat(12),
          async (history, places, postsAtOnce, knownAfter) => {
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
            for (const [n, together] of chunk(posts, postsAtOnce).entries()) {
              if (n === knownAfter) await learnProviderIds(mixed.account, mixed.messages);
              await Promise.all(together.map(({ one, id }) => post(mixed.account, mixed.messages, one, id)));
            }
            await learnProviderIds(mixed.account, mixed.messages);

            const state = await stateOf(mixed.account, mixed.messages);
            expect(state).toEqual(await stateOf(inOrder.account, inOrder.messages));
            await expectOneEventPerCause(mixed.account);
            await expectOneEventPerCause(inOrder.account);
          },
        ),
        { numRuns: budget({ quick: 10, soak: 200 }), endOnFailure: true },
      );
    },
  );

  it('has the same result if a gateway visits before the submission is recorded', async () => {
    const account = await events.openAccount();
    const [id = ''] = await insertMessages(events.service, account.id, [{ status: 'queued' }]);
    const deliveries = events.service.app.get(PendingDeliveryRepository, { strict: false });
    const visits = events.service.app.get(TimelineRepository, { strict: false });
    const [claimed] = await deliveries.claim(account.id, [id]);
    const occurredAt = events.service.clock.now();
    const report = (url: string) =>
      ({ id: eventKey(id, url), messageId: id, type: 'clicked', occurredAt, data: { url } }) as const;
    await visits.recordVisitsAcrossAccounts([report('https://a.example'), report('https://b.example')]);
    expect(await events.state(account, id)).toMatchObject({ clicks: 2 });
    const outcome = { kind: 'sent', provider: 'smtp', providerMessageId: 'p', response: '250 OK' } as const;
    const faults: Error[] = [];
    const keep = (error: Error) => faults.push(error);
    expect(await deliveries.record(claimed!, outcome, { onRetry: keep, onUncheckedClicks: keep })).toBe(true);
    expect(faults).toEqual([]);
    expect(await events.state(account, id)).toMatchObject({ status: 'sent', clicks: 0 });
  });
});
