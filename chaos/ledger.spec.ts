import { describe, expect, it } from '@jest/globals';

import type { Evidence, MessageRow, Send } from './evidence.js';
import { reconcile } from './ledger.js';

const ACCOUNT = 'a1';

const send = (n: number, changes: Partial<Send> = {}): Send => ({
  accountId: ACCOUNT,
  keyId: 'k1',
  recipient: `r${n}@example.org`,
  status: 201,
  accepted: [{ messageId: `m${n}`, isReplayed: false }],
  isInsisted: false,
  isSuppressed: false,
  ...changes,
});
const row = (n: number, changes: Partial<MessageRow> = {}): MessageRow => ({
  id: `m${n}`,
  accountId: ACCOUNT,
  keyId: 'k1',
  recipient: `r${n}@example.org`,
  status: 'sent',
  opens: 0,
  interruptions: [],
  ...changes,
});

/** Six sends: told, told and bounced, cut but stored, cut and not stored, refused, and one that was insisted on and told twice. */
const sound = (): Evidence => ({
  sends: [1, 2]
    .map((n) => send(n))
    .concat(
      [3, 4].map((n) => send(n, { status: 'cut', accepted: [] })),
      send(5, { status: 400, accepted: [], isSuppressed: true }),
      send(6, { isInsisted: true, accepted: [false, true].map((isReplayed) => ({ messageId: 'm6', isReplayed })) }),
    ),
  messages: [row(1), row(2, { status: 'bounced' }), row(3, { status: 'delivered', opens: 1 }), row(6)],
  received: ['m1', 'm2', 'm3', 'm6'],
  answers: [{ what: 'send', status: 503, from: 2_100, to: 2_200 }],
  outages: [{ from: 100, to: 155 }],
  locks: [],
  caps: [{ subject: 'key', id: 'k1', limit: 4, used: 4 }],
  reports: [
    { messageId: 'm2', accountId: ACCOUNT, recipient: 'r2@example.org', type: 'bounced' },
    { messageId: 'm3', accountId: ACCOUNT, recipient: 'r3@example.org', type: 'delivered' },
    { messageId: 'm3', accountId: ACCOUNT, recipient: 'r3@example.org', type: 'opened' },
  ],
  recorded: [
    { messageId: 'm2', type: 'bounced', count: 1 },
    { messageId: 'm3', type: 'delivered', count: 1 },
    { messageId: 'm3', type: 'opened', count: 1 },
  ],
  suppressedByHand: [{ accountId: ACCOUNT, address: 'r5@example.org' }],
  suppressions: ['r2', 'r5'].map((name) => ({ accountId: ACCOUNT, address: `${name}@example.org` })),
  endpoints: [{ id: 'e1', accountId: ACCOUNT }],
  deliveries: ['r2', 'r5'].map((name) => ({
    accountId: ACCOUNT,
    endpointId: 'e1',
    address: `${name}@example.org`,
    state: 'delivered',
    failedAttempts: 0,
  })),
  posts: ['r2', 'r5'].map((name) => ({ endpointId: 'e1', address: `${name}@example.org`, isSigned: true })),
  memory: [{ name: 'api 1', mostMb: 200, lastMb: 150, starts: 1 }],
  exits: [{ name: 'api 1', from: 120, to: 130 }],
  unfinished: [],
});

/** Every gap, after `falsify` has changed what was seen. */
function gapsAfter(falsify: (evidence: Evidence) => void): string[] {
  const evidence = sound();
  falsify(evidence);
  return reconcile(evidence).flatMap(({ gaps }) => gaps);
}

const FALSIFIED: [what: string, falsify: (evidence: Evidence) => void, gap: RegExp][] = [
  ['a 201 whose message is not there', ({ messages }) => messages.shift(), /m1 was answered 201 and is not there/],
  ['a message that was never received', ({ received }) => received.shift(), /m1 is sent and was never received/],
  ['a cut send that is stored and was never received', ({ received }) => received.splice(2, 1), /m3 .* never received/],
  [
    'two messages for one send',
    ({ messages, received }) => (messages.push(row(9, { recipient: 'r1@example.org' })), received.push('m9')),
    /r1@.* to get one message and has 2/,
  ],
  [
    'a message that nobody asked for',
    ({ messages, received }) => (messages.push(row(9)), received.push('m9')),
    /m9 is there, but/,
  ],
  [
    'a message of a refused send',
    ({ messages, received }) => (messages.push(row(5)), received.push('m5')),
    /m5 is there, but was refused/,
  ],
  ['a message to another recipient', ({ messages }) => (messages[0]!.recipient = 'r4@example.org'), /m1 went to r4/],
  [
    'two messages for one Idempotency-Key',
    ({ messages, received }) => (messages.push(row(9, { recipient: 'r6@example.org' })), received.push('m9')),
    /r6@.* insisted on and has 2 messages/,
  ],
  [
    'two ids for one Idempotency-Key',
    ({ sends }) => (sends[5]!.accepted[1]!.messageId = 'm1'),
    /r6@.* several messages: m6, m1/,
  ],
  [
    'a send that was insisted on, stored, and never answered 201',
    ({ sends }) => Object.assign(sends[5]!, { status: 'cut', accepted: [] }),
    /r6@.* never accepted: cut/,
  ],
  [
    'a send that was insisted on and left no message',
    ({ messages, received }) => (messages.pop(), received.pop()),
    /r6@.* insisted on and has 0 messages/,
  ],
  ['a message without an end', ({ messages }) => (messages[0]!.status = 'queued'), /m1 is left as queued/],
  ['a message that failed', ({ messages }) => (messages[0]!.status = 'failed'), /m1 is left as failed/],
  [
    'a second mail without a crash',
    ({ received }) => received.push('m1'),
    /m1 was received 2 times; its timeline tells of 0/,
  ],
  [
    'a second mail after a refusal',
    ({ received, messages }) => (received.push('m1'), (messages[0]!.interruptions = ['refused'])),
    /m1 was received 2 times/,
  ],
  [
    'a third mail after one crash',
    ({ received, messages }) => (received.push('m1', 'm1'), (messages[0]!.interruptions = ['worker_lost'])),
    /m1 was received 3 times/,
  ],
  ['a mail of no message', ({ received }) => received.push('m8'), /m8 was received and is not there/],
  ['an exceeded cap', ({ caps }) => (caps[0]!.limit = 3), /key k1 has 4 messages, 3 are allowed/],
  ['a message that was not counted', ({ caps }) => (caps[0]!.used = 3), /k1 has 4 messages, 3 are counted/],
  ['a lost event', ({ recorded }) => recorded.shift(), /m2 bounced is recorded 0 times/],
  ['an event applied twice', ({ recorded }) => (recorded[1]!.count = 2), /m3 delivered is recorded 2 times/],
  ['an event that was not reported', ({ reports }) => reports.pop(), /m3 opened is recorded and was not reported/],
  ['a status that an event did not move', ({ messages }) => (messages[1]!.status = 'sent'), /m2 bounced, but is sent/],
  ['an open counted twice', ({ messages }) => (messages[2]!.opens = 2), /m3 counts 2 opens/],
  ['a lost suppression', ({ suppressions }) => suppressions.shift(), /r2@example.org of a1 has 0 suppressions/],
  ['a suppression for no cause', ({ suppressedByHand }) => suppressedByHand.pop(), /r5@.* suppressed for no cause/],
  [
    'a send to a suppressed address',
    ({ sends }) => (sends[0]!.isSuppressed = true),
    /r1@.* was suppressed, yet answered 201/,
  ],
  [
    'a suppression that an endpoint is not told of',
    ({ deliveries }) => deliveries.shift(),
    /r2@.* at e1 has no delivery/,
  ],
  [
    'a webhook delivery that did not end',
    ({ deliveries }) => (deliveries[0]!.state = 'retrying'),
    /r2@.* at e1 is retrying/,
  ],
  [
    'a webhook delivery made twice',
    ({ deliveries }) => deliveries.push({ ...deliveries[0]! }),
    /r2@.* has 2 deliveries/,
  ],
  ['a webhook that never came', ({ posts }) => posts.shift(), /r2@.* at e1 was never received/],
  [
    'a webhook that came twice for no reason',
    ({ posts }) => posts.push({ ...posts[0]! }),
    /r2@.* received 2 times, though only 0/,
  ],
  [
    'a webhook for nothing',
    ({ deliveries }) => (deliveries[1]!.address = 'r7@example.org'),
    /r7@.* delivery without a suppression/,
  ],
  ['a webhook signed with another secret', ({ posts }) => (posts[0]!.isSigned = false), /not signed/],
  ['a 5xx while PostgreSQL was there', ({ outages }) => outages.pop(), /send answered 503, 1 times/],
  [
    'a 5xx while PostgreSQL was only locked',
    ({ outages, locks }) => locks.push(...outages.splice(0)),
    /send answered 503, 1 times/,
  ],
  [
    'a 5xx long after PostgreSQL was there again',
    ({ answers }) => (answers[0]!.from = 2_156),
    /send answered 503, 1 times/,
  ],
  ['a process that ended by itself', ({ outages }) => (outages[0]!.from = 140), /api 1 ended/],
  ['a process that ended long after its start', ({ exits }) => (exits[0]!.to = 50_000), /api 1 ended/],
  ['a process that grew', ({ memory }) => (memory[0]!.mostMb = 513), /api 1: 513 MB/],
  ['a process whose memory nobody saw', ({ memory }) => (memory[0]!.mostMb = 0), /api 1: 0 MB/],
  ['work that was left', ({ unfinished }) => unfinished.push('1 message'), /1 message/],
];

describe('The ledger', () => {
  it('finds nothing where everything adds up', () => {
    expect(gapsAfter(() => undefined)).toEqual([]);
  });

  it('takes a second mail for each crash or lost answer that the timeline tells of', () => {
    expect(
      gapsAfter(({ received, messages }) => {
        received.push('m1', 'm1');
        messages[0]!.interruptions = ['worker_lost', 'refused', 'answer_lost'];
      }),
    ).toEqual([]);
  });

  it('takes a second post of a webhook for each attempt that failed', () => {
    expect(
      gapsAfter(({ posts, deliveries }) => {
        posts.push({ ...posts[0]! });
        deliveries[0]!.failedAttempts = 1;
      }),
    ).toEqual([]);
  });

  it.each(FALSIFIED)('finds %s', (_, falsify, gap) => {
    expect(gapsAfter(falsify)).toContainEqual(expect.stringMatching(gap));
  });
});
