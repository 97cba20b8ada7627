import { describe, expect, it } from '@jest/globals';

import type { CampaignRecipient } from '../evidence/evidence.js';
import { ACCOUNT, bulk, type Changeable, copiesOf, email, gapless } from '../evidence/gapless-evidence.js';
import { reconcile } from '../reconcile.js';

/** Returns the gaps after `falsify` has changed the evidence. */
async function gapsAfter(falsify: (evidence: Changeable) => void): Promise<string[]> {
  const evidence = gapless();
  falsify(evidence);
  return (await reconcile(evidence)).flatMap(({ gaps }) => gaps.first);
}

const withoutAddress = (index: number): CampaignRecipient => ({
  contactId: `contact-${index}`,
  email: 'erased',
  messageLogId: `m${index}`,
  outcome: 'skipped',
  reason: 'deleted',
});

/** The message of the campaign begins at 100,000. */
const STOP = { from: 98_999, to: 100_000, before: 1, after: 1 };
const HALT = { kind: 'worker_stopped', process: 'worker 1', from: 99_500, to: 99_999 } as const;

const FALSIFIED: [what: string, falsify: (evidence: Changeable) => void, gap: RegExp][] = [
  [
    'a recipient of a campaign without a message',
    ({ messages }) =>
      messages.splice(
        messages.findIndex(({ id }) => id === 'm7'),
        1,
      ),
    /recipient-7@.* of News is accepted and has 0 messages/,
  ],
  [
    'two messages of a campaign to one recipient',
    ({ messages }) => messages.push(bulk(7, { id: 'm9' })),
    /recipient-7@.* of News is accepted and has 2 messages/,
  ],
  [
    'a message of a campaign under another id than its recipient has',
    ({ messages }) => (messages.find(({ id }) => id === 'm7')!.id = 'm9'),
    /m9 is to recipient-7@.*, who has m7/,
  ],
  [
    'a message of a campaign to somebody else',
    ({ messages }) => messages.push(bulk(9)),
    /m9 is of c1, which has no recipient recipient-9@/,
  ],
  [
    'a message to a recipient who was skipped',
    ({ messages }) => messages.push(bulk(8)),
    /recipient-8@.* of News is skipped and has 1 messages/,
  ],
  [
    'a recipient skipped without a cause',
    ({ campaigns }) => (campaigns[0]!.recipients[1]!.reason = 'deleted'),
    /recipient-8@.* of News was skipped without a cause: deleted/,
  ],
  [
    'a recipient without an address whose contact was not deleted',
    ({ campaigns }) => campaigns[0]!.recipients.push(withoutAddress(9)),
    /erased of News was skipped without a cause: deleted/,
  ],
  [
    'a recipient of a completed campaign who still waits',
    ({ campaigns }) => (campaigns[0]!.recipients[1]!.outcome = 'waiting'),
    /recipient-8@.* of News is waiting, though it is completed/,
  ],
  [
    'a contact that a campaign has left out',
    ({ campaigns }) => (campaigns[0]!.audience = [email(7), email(8), email(9)]),
    /recipient-9@.* of News is no recipient/,
  ],
  [
    'a recipient listed twice',
    ({ campaigns }) => campaigns[0]!.recipients.push(campaigns[0]!.recipients[1]!),
    /recipient-8@.* of News is listed 2 times/,
  ],
  ['a campaign that has not ended', ({ campaigns }) => (campaigns[0]!.status = 'running'), /News is still running/],
  [
    'progress that does not match the recipients',
    ({ campaigns }) => (campaigns[0]!.progress.accepted = 2),
    /News shows accepted 2, but 1 are/,
  ],
  [
    'a message that a campaign accepted after it was stopped',
    ({ campaigns }) => (campaigns[0]!.stops = [{ ...STOP, before: 0 }]),
    /News had 0 messages when it was stopped, and 1 later/,
  ],
  [
    'a message that left after its campaign was stopped',
    ({ campaigns }) => (campaigns[0]!.stops = [STOP]),
    /m7 left 1001 ms after News was stopped/,
  ],
  [
    'a message that left after its campaign was stopped, by another worker than the one that was halted',
    ({ campaigns, disruptions }) => {
      campaigns[0]!.stops = [STOP];
      disruptions.push({ ...HALT, process: 'worker 2' });
    },
    /m7 left 1001 ms after/,
  ],
  [
    'a message that left long after its worker continued, though its campaign was stopped before',
    ({ campaigns, disruptions }) => {
      campaigns[0]!.stops = [{ ...STOP, from: 98_000 }];
      disruptions.push({ ...HALT, from: 97_000, to: 98_900 });
    },
    /m7 left 2000 ms after/,
  ],
  [
    'a message that left after its campaign was stopped, by a worker that was halted later',
    ({ campaigns, disruptions }) => {
      campaigns[0]!.stops = [{ ...STOP, from: 98_000 }];
      disruptions.push({ ...HALT, from: 99_500 });
    },
    /m7 left 2000 ms after/,
  ],
  [
    'a message of a campaign that was suppressed without a cause',
    ({ messages }) => (messages.find(({ id }) => id === 'm7')!.status = 'suppressed'),
    /m7 is still suppressed/,
  ],
  [
    'a canceled message of a campaign that was not',
    ({ messages }) => (messages.find(({ campaignId }) => campaignId !== null)!.status = 'canceled'),
    /is canceled, but its cancellation was refused/,
  ],
];

describe('The reconciliation of campaigns', () => {
  it('accepts a message of a campaign whose recipient unsubscribed before the submission', async () => {
    const gaps = await gapsAfter((evidence) => {
      evidence.messages.find(({ id }) => id === 'm7')!.status = 'suppressed';
      evidence.copies = copiesOf([0, 1, 2, 5, 6]);
      const unsubscribed = { accountId: ACCOUNT, address: email(7) };
      evidence.suppressionCauses.push(unsubscribed);
      evidence.suppressions.push(unsubscribed);
      evidence.deliveries.push({ ...unsubscribed, endpointId: 'e1', state: 'delivered', failedAttempts: 0 });
      evidence.posts.push({ endpointId: 'e1', address: email(7), count: 1, unsigned: 0 });
    });
    expect(gaps).toEqual([]);
  });

  it('accepts that a contact was deleted before the campaign began', async () => {
    const gaps = await gapsAfter(({ campaigns, deletedContacts }) => {
      campaigns[0]!.audience = [email(7), email(8), email(9)];
      deletedContacts.set('contact-9', email(9));
    });
    expect(gaps).toEqual([]);
  });

  it('accepts contacts that were deleted after they were selected, before they became recipients', async () => {
    const gaps = await gapsAfter(({ campaigns, deletedContacts }) => {
      const [campaign] = campaigns;
      for (const index of [9, 10]) {
        deletedContacts.set(`contact-${index}`, email(index));
        campaign!.recipients.push(withoutAddress(index));
      }
      campaign!.audience = [7, 8, 9, 10].map(email);
      Object.assign(campaign!.progress, { recipients: 4, skipped: { suppressed: 1, deleted: 2, failed: 0 } });
    });
    expect(gaps).toEqual([]);
  });

  it.each<[what: string, falsify: (evidence: Changeable) => void]>([
    ['just after', ({ campaigns }) => (campaigns[0]!.stops = [{ ...STOP, from: 99_000 }])],
    ['after it was resumed', ({ campaigns }) => (campaigns[0]!.stops = [{ ...STOP, to: 99_999 }])],
    [
      'by a worker that was halted at that time',
      ({ campaigns, disruptions }) => {
        campaigns[0]!.stops = [STOP];
        disruptions.push(HALT);
      },
    ],
    [
      'on a machine that was overloaded at that time',
      ({ campaigns, overloads }) => {
        campaigns[0]!.stops = [STOP];
        overloads.push(HALT);
      },
    ],
  ])('accepts a message that left when its campaign was stopped: %s', async (_, falsify) => {
    expect(await gapsAfter(falsify)).toEqual([]);
  });

  it.each(FALSIFIED)('finds %s', async (_, falsify, gap) => {
    expect(await gapsAfter(falsify)).toContainEqual(expect.stringMatching(gap));
  });
});
