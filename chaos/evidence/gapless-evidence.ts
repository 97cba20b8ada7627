import { personAddress } from './addresses.js';
import { AnswerRecords } from './answers.js';
import { CopyRecords, type ReceivedCopy } from './copies.js';
import type { Evidence, MessageRow, SuppressedSend } from './evidence.js';
import { ReportedRecords } from './reported.js';
import { ScheduleRecords } from './schedules.js';
import { SendRecords } from './sends.js';

export const ACCOUNT = 'a1';
const SMS_ID = 'an id of SNS';

export const email = (index: number) => `recipient-${index}@example.org`;
const PHONE = '+4915100000005';

export const row = (index: number, changes: Partial<MessageRow> = {}): MessageRow => ({
  id: `m${index}`,
  accountId: ACCOUNT,
  keyId: 'k1',
  campaignId: null,
  recipient: index === 5 ? PHONE : email(index),
  status: 'sent',
  createdAt: 90_000,
  opens: 0,
  providerMessageId: index === 5 ? SMS_ID : null,
  interruptions: [],
  recorded: {},
  ...changes,
});

export const copy = (index: number, changes: Partial<ReceivedCopy> = {}): ReceivedCopy => ({
  recipient: index === 5 ? PHONE : email(index),
  messageId: index === 5 ? null : `m${index}`,
  from: 100_000,
  to: 100_010,
  hasContent: true,
  isAnswerLost: false,
  worker: 'worker 1',
  ...changes,
});

type Contents = {
  messages: MessageRow[];
  suppressedSends: SuppressedSend[];
  deletedContacts: Map<string, string>;
};
export type Changeable = Evidence & Contents;

/** A message of the campaign of `gapless`. */
export const bulk = (index: number, changes: Partial<MessageRow> = {}): MessageRow =>
  row(index, { keyId: null, campaignId: 'c1', ...changes });

/**
 * Evidence without gaps, of seven sends: accepted; accepted and bounced; unanswered but stored; unanswered and not
 * stored; refused, because its address was suppressed manually; an SMS whose recipient replied STOP; and one that was
 * retried and answered twice. And a campaign with two recipients, one of whom has unsubscribed.
 */
export function gapless(): Changeable {
  const sends = new SendRecords();
  for (let index = 0; index < 7; index++)
    sends.add({ channel: index === 5 ? 'sms' : 'email', isRetriedUntilAccepted: index === 6 });
  for (let index = 7; index < 9; index++)
    sends.add({ channel: 'email', isRetriedUntilAccepted: false, isOfCampaign: true });
  for (const index of [0, 1, 5, 6, 6]) sends.answer(index, { status: 201, messageId: `m${index}` });
  sends.answer(4, { status: 400 });
  const copies = new CopyRecords(0);
  for (const index of [0, 1, 2, 5, 6, 7]) copies.add(copy(index));
  const reported = new ReportedRecords();
  reported.add(1, 'bounced');
  reported.add(2, 'delivered');
  reported.add(2, 'opened');
  reported.add(5, 'delivered', SMS_ID);
  const answers = new AnswerRecords(0);
  answers.add({ what: 'send', status: 503, isRetryable: true, from: 2_100, to: 2_200 });
  const suppressed = [email(1), email(4), email(8), PHONE].map((address) => ({ accountId: ACCOUNT, address }));
  return {
    sends,
    schedules: new ScheduleRecords(),
    copies,
    reported,
    answers,
    suppressedSends: [email(4), PHONE].map((recipient) => ({ recipient, status: 400 })),
    messages: [
      row(0),
      row(1, { status: 'bounced', recorded: { bounced: 1 } }),
      row(2, { status: 'delivered', opens: 1, recorded: { delivered: 1, opened: 1 } }),
      row(5, { status: 'delivered', recorded: { delivered: 1 } }),
      bulk(7),
      row(10, { accountId: 'a2', keyId: null, recipient: 'erased', status: 'suppressed' }),
      row(6),
    ],
    outages: [{ from: 100, to: 155 }],
    locks: [],
    overloads: [],
    awsOutages: [],
    disruptions: [],
    processLosses: [],
    campaigns: [
      {
        id: 'c1',
        name: 'News',
        status: 'completed',
        progress: {
          recipients: 2,
          waiting: 0,
          accepted: 1,
          skipped: { suppressed: 1, no_consent: 0, out_of_topic: 0, deleted: 0, failed: 0 },
        },
        recipients: [
          { contactId: 'contact-7', email: email(7), messageLogId: 'm7', outcome: 'accepted', reason: null },
          { contactId: 'contact-8', email: email(8), messageLogId: 'm8', outcome: 'skipped', reason: 'suppressed' },
        ],
        audience: [email(7), email(8)],
        stops: [{ from: 101_000, to: 102_000, before: 1, after: 1 }],
      },
    ],
    deletedContacts: new Map(),
    erasures: {
      people: [{ address: personAddress(0), erasedAt: 100_000 }],
      mails: [{ recipient: personAddress(0), from: 99_000 }],
      traces: [],
      hashes: 1,
    },
    caps: [{ subject: 'key', id: 'k1', limit: 5, used: 5 }],
    suppressionCauses: suppressed.slice(),
    suppressions: suppressed.slice(),
    endpoints: [{ id: 'e1', accountId: ACCOUNT }],
    deliveries: suppressed.map((cause) => ({ ...cause, endpointId: 'e1', state: 'delivered', failedAttempts: 0 })),
    posts: suppressed.map(({ address }) => ({ endpointId: 'e1', address, count: 1, unsigned: 0 })),
    memory: [{ name: 'api 1', mostMb: 200, lastMb: 150, starts: 1 }],
    exits: [],
    unfinished: [],
  };
}

export function copiesOf(indexes: readonly number[]): CopyRecords {
  const copies = new CopyRecords(0);
  for (const index of indexes) copies.add(copy(index));
  return copies;
}

/** The message was taken over and received a second time at `from`. */
export function repeat(
  { copies, messages }: Changeable,
  reasons: MessageRow['interruptions'],
  from = 140_000,
  worker: ReceivedCopy['worker'] = 'worker 1',
): void {
  copies.add(copy(0, { from, to: from + 10, worker }));
  messages[0]!.interruptions = reasons;
}
