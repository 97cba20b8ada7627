import { personAddress } from './addresses.js';
import { ACCOUNT, type Changeable, copiesOf, copy, email, repeat, row } from './gapless-evidence.js';

/** What is not as it should be, how the evidence looks then, and the gap that is found. */
export const FALSIFIED: [what: string, falsify: (evidence: Changeable) => void, gap: RegExp][] = [
  ['a 201 whose message does not exist', ({ messages }) => messages.shift(), /m0 was answered 201 and does not exist/],
  [
    'a message that was never received',
    (evidence) => (evidence.copies = copiesOf([1, 2, 5, 6, 7])),
    /m0 is sent and was never received/,
  ],
  ['a message without its content', ({ copies }) => copies.add(copy(7, { hasContent: false })), /without its content/],
  [
    'an SMS that was never received',
    (evidence) => (evidence.copies = copiesOf([0, 1, 2, 6, 7])),
    /m5 is delivered and was never received/,
  ],
  [
    'an unanswered send that is stored and was never received',
    (evidence) => (evidence.copies = copiesOf([0, 1, 5, 6, 7])),
    /m2 .* never received/,
  ],
  [
    'a copy of another message to the same recipient',
    ({ copies }) => copies.add(copy(0, { messageId: 'm9' })),
    /m9 was received but does not exist/,
  ],
  [
    'two messages for one send',
    ({ messages }) => messages.push(row(0, { id: 'm9' })),
    /recipient-0@.* has 2 messages instead of one/,
  ],
  [
    'two messages for one SMS',
    ({ messages }) => messages.push(row(5, { id: 'm9' })),
    /\+49151.* has 2 messages instead of one/,
  ],
  ['a message that was never requested', ({ messages }) => messages.push(row(9)), /m9 exists, but/],
  [
    'a message to an address that is not from the run',
    ({ messages }) => messages.push(row(9, { recipient: 'somebody@example.org' })),
    /m9 exists, but/,
  ],
  ['a message of a refused send', ({ messages }) => messages.push(row(4)), /m4 exists, but was refused/],
  [
    'a message to another recipient',
    ({ messages }) => (messages[0]!.recipient = email(3)),
    /m0 went to recipient-3@example.org instead of recipient-0/,
  ],
  [
    'two messages for one Idempotency-Key',
    ({ messages }) => messages.push(row(6, { id: 'm9' })),
    /recipient-6@.* was retried and has 2 messages/,
  ],
  [
    'two ids for one Idempotency-Key',
    ({ sends }) => {
      sends.answer(6, { status: 201, messageId: 'm0' });
    },
    /recipient-6@.* several messages: m6, m0/,
  ],
  [
    'a send that was retried, stored, and never answered 201',
    ({ sends, messages }) => (sends.add({ channel: 'email', isRetriedUntilAccepted: true }), messages.push(row(9))),
    /recipient-9@.* never accepted: 0/,
  ],
  [
    'a send that was retried and has no message',
    ({ messages }) => messages.pop(),
    /recipient-6@.* was retried and has 0 messages/,
  ],
  [
    'a message that was received before its time',
    ({ schedules }) => {
      schedules.add(0, 100_001);
    },
    /m0 was received 1 ms before its time/,
  ],
  [
    'a canceled message that was received',
    ({ schedules, messages }) => (schedules.canceled.add(0), (messages[0]!.status = 'canceled')),
    /m0 was canceled and received/,
  ],
  [
    'a message that was received, and was canceled by a request that had no response',
    ({ schedules, messages }) => (schedules.possiblyCanceled.add(0), (messages[0]!.status = 'canceled')),
    /m0 was canceled and received/,
  ],
  [
    'a message that was sent although it was canceled',
    ({ schedules }) => schedules.canceled.add(0),
    /m0 was canceled and is sent/,
  ],
  [
    'a message that is canceled although the client was refused',
    ({ messages }) => (messages[0]!.status = 'canceled'),
    /m0 is canceled, but its cancellation was refused/,
  ],
  ['a message without a final status', ({ messages }) => (messages[0]!.status = 'queued'), /m0 is still queued/],
  ['a message that failed', ({ messages }) => (messages[0]!.status = 'failed'), /m0 is still failed/],
  ['a message that was suppressed', ({ messages }) => (messages[0]!.status = 'suppressed'), /m0 is still suppressed/],
  [
    'an SMS that was suppressed without a reason',
    ({ messages }) => (messages[3]!.status = 'suppressed'),
    /m5 is still suppressed/,
  ],
  [
    'a second copy that its timeline knows nothing of',
    (evidence) => {
      repeat(evidence, []);
    },
    /m0 was received 2 times; its timeline has 0/,
  ],
  [
    'a second copy after a refusal',
    (evidence) => {
      repeat(evidence, ['refused']);
    },
    /m0 was received 2 times; its timeline has 0/,
  ],
  [
    'a third copy after one crash',
    (evidence) => {
      evidence.disruptions.push({ kind: 'worker_killed', process: 'worker 1', from: 100_005, to: 100_006 });
      repeat(evidence, ['worker_lost']);
      evidence.copies.add(copy(0, { from: 150_000, to: 150_010 }));
    },
    /m0 was received 3 times; its timeline has 1/,
  ],
  [
    'a second copy by a worker that took over although nobody was lost',
    (evidence) => {
      repeat(evidence, ['worker_lost']);
    },
    /m0 was received 2 times .* 0 of the replaced ones were in flight/,
  ],
  [
    'a second copy of what was recorded long before a worker was killed',
    (evidence) => {
      evidence.disruptions.push({ kind: 'worker_killed', process: 'worker 1', from: 110_000, to: 110_001 });
      repeat(evidence, ['worker_lost']);
    },
    /m0 was received 2 times .* 0 of the replaced ones were in flight/,
  ],
  [
    'a copy that a stopped worker only began when it went on',
    (evidence) => {
      evidence.copies = copiesOf([1, 2, 5, 6, 7]);
      evidence.copies.add(copy(0, { from: 131_000, to: 131_010 })); // by who took over
      evidence.disruptions.push({ kind: 'worker_stopped', process: 'worker 1', from: 100_000, to: 100_000 });
      repeat(evidence, ['worker_lost'], 145_000);
    },
    /m0 was received 2 times .* 0 of the replaced ones were in flight/,
  ],
  [
    'a second copy of what another worker had in flight than the one that was killed',
    (evidence) => {
      evidence.disruptions.push({ kind: 'worker_killed', process: 'worker 2', from: 100_005, to: 100_006 });
      repeat(evidence, ['worker_lost']);
    },
    /m0 was received 2 times .* 0 of the replaced ones were in flight/,
  ],
  [
    'a copy of what was taken over from a worker that lives, by one that was then killed',
    (evidence) => {
      evidence.disruptions.push({ kind: 'worker_killed', process: 'worker 2', from: 140_005, to: 140_006 });
      repeat(evidence, ['worker_lost'], 140_000, 'worker 2');
    },
    /m0 was received 2 times .* 0 of the replaced ones were in flight/,
  ],
  [
    'a second copy of an SMS without a reason',
    ({ copies }) => copies.add(copy(5, { from: 140_000, to: 140_010 })),
    /m5 was received 2 times/,
  ],
  ['a copy of no message', ({ copies }) => copies.add(copy(3)), /m3 was received but does not exist/],
  [
    'a copy for somebody who is not a recipient',
    ({ copies }) => copies.add(copy(0, { recipient: 'somebody@example.org' })),
    /somebody@example.org received a message/,
  ],
  ['an exceeded cap', ({ caps }) => (caps[0]!.limit = 4), /key k1 has 5 messages, 4 are allowed/],
  [
    'an exceeded cap of the account',
    ({ caps }) => caps.push({ subject: 'account', id: ACCOUNT, limit: 4, used: 5 }),
    /account a1 has 6/,
  ],
  ['a message that was not counted', ({ caps }) => (caps[0]!.used = 4), /k1 has 5 messages, 4 are counted/],
  ['a lost event', ({ messages }) => (messages[1]!.recorded = {}), /m1 bounced is recorded 0 times/],
  ['a lost receipt', ({ messages }) => (messages[3]!.recorded = {}), /m5 delivered is recorded 0 times/],
  [
    'a receipt of another SMS',
    ({ messages }) => (messages[3]!.providerMessageId = 'another id'),
    /m5 delivered is recorded but was not reported/,
  ],
  [
    'an event applied twice',
    ({ messages }) => (messages[2]!.recorded.delivered = 2),
    /m2 delivered is recorded 2 times/,
  ],
  [
    'an event that was not reported',
    ({ messages }) => (messages[0]!.recorded = { delivered: 1 }),
    /m0 delivered is recorded but was not reported/,
  ],
  [
    'a status that an event did not change',
    ({ messages }) => (messages[1]!.status = 'sent'),
    /m1 bounced, but is sent/,
  ],
  ['an open counted twice', ({ messages }) => (messages[2]!.opens = 2), /m2 counts 2 opens/],
  ['a lost suppression', ({ suppressions }) => suppressions.shift(), /recipient-1@.* of a1 has 0 suppressions/],
  ['a lost opt-out', ({ suppressions }) => suppressions.pop(), /\+49151.* of a1 has 0 suppressions/],
  [
    'a suppression without a cause',
    ({ suppressionCauses }) => suppressionCauses.splice(1, 1),
    /recipient-4@.* suppressed without a cause/,
  ],
  [
    'a send to a suppressed address',
    ({ suppressedSends }) => (suppressedSends[0]!.status = 201),
    /recipient-4@.* was suppressed, yet answered 201/,
  ],
  [
    'a suppression without a webhook delivery',
    ({ deliveries }) => deliveries.shift(),
    /recipient-1@.* at e1 has no delivery/,
  ],
  [
    'a webhook delivery without a final state',
    ({ deliveries }) => (deliveries[0]!.state = 'retrying'),
    /recipient-1@.* at e1 is retrying/,
  ],
  [
    'a duplicate webhook delivery',
    ({ deliveries }) => deliveries.push({ ...deliveries[0]! }),
    /recipient-1@.* has 2 deliveries/,
  ],
  ['a webhook that was never received', ({ posts }) => posts.shift(), /recipient-1@.* at e1 was never received/],
  [
    'a webhook that was received twice without a reason',
    ({ posts }) => (posts[0]!.count = 2),
    /recipient-1@.* received 2 times, though only 0/,
  ],
  [
    'a webhook without a suppression',
    ({ deliveries }) => (deliveries[1]!.address = email(9)),
    /recipient-9@.* delivery without a suppression/,
  ],
  ['a webhook signed with another secret', ({ posts }) => (posts[0]!.unsigned = 1), /1 posts of .* are not signed/],
  ['a 5xx while PostgreSQL was running', ({ outages }) => outages.pop(), /send answered 503, 1 times/],
  [
    'a 5xx while PostgreSQL was only locked',
    ({ outages, locks }) => locks.push(...outages.splice(0)),
    /send answered 503, 1 times/,
  ],
  [
    'a 5xx long after PostgreSQL was running again',
    ({ answers }) => (answers.failures[0]!.from = 2_156),
    /send answered 503, 1 times/,
  ],
  ['a process that ended by itself', ({ exits }) => exits.push({ name: 'api 1', from: 120, to: 130 }), /api 1 ended/],
  [
    'a message to an erased person',
    ({ erasures }) => Object.assign(erasures, { mails: [{ recipient: personAddress(0), from: 101_001 }] }),
    /person-0@.* got a message 1001 ms after the erasure/,
  ],
  [
    'a message that names an erased person',
    ({ messages }) => messages.push(row(9, { keyId: null, recipient: personAddress(0) })),
    /m9 still names person-0@/,
  ],
  [
    'a message to an erased person that waits',
    ({ messages }) => (messages.find(({ id }) => id === 'm10')!.status = 'queued'),
    /m10 to an erased person is queued/,
  ],
  [
    'a table that names an erased person',
    ({ erasures }) => Object.assign(erasures, { traces: ['email_events: 1 rows'] }),
    /email_events: 1 rows names/,
  ],
  [
    'an erased person who is not suppressed',
    ({ erasures }) => Object.assign(erasures, { hashes: 0 }),
    /1 people are erased, 0 stay suppressed/,
  ],
  [
    'a person who was never erased',
    ({ erasures }) => Object.assign(erasures.people[0]!, { erasedAt: null }),
    /person-0@.* was not erased/,
  ],
  ['a process with too much memory', ({ memory }) => (memory[0]!.mostMb = 513), /api 1: 513 MB/],
  ['a process whose memory was not sampled', ({ memory }) => (memory[0]!.mostMb = 0), /api 1: 0 MB/],
  ['work that was left', ({ unfinished }) => unfinished.push('1 message'), /1 message/],
];
