import { afterEach, describe, expect, it, jest } from '@jest/globals';

import type { DeliveryPauses } from '../../provider-settings/index.js';
import type { ClaimedMessage, DeliveryOutcome, PendingDeliveryRepository } from '../../messages/index.js';
import { DeliverMessages, type DeliveryReport } from './deliver-messages.service.js';
import type { FailurePolicy } from './failure-policy.service.js';
import type { SendingRate } from './ports/sending-rate.js';
import type { RecordRefusedRecipient } from './record-refused-recipient.service.js';
import type { SubmitMessage } from './submit-message.service.js';

const WAIT_MS = 60_000;
const SUBMISSION_MS = 25;

describe('DeliverMessages', () => {
  afterEach(() => {
    jest.restoreAllMocks();
  });

  /** The clock advances with each wait for a permit and each submission. */
  async function deliver(changes: Partial<ClaimedMessage> = {}, { isPermitted = true } = {}) {
    let now = 0;
    let waits = 0;
    jest.spyOn(performance, 'now').mockImplementation(() => now);
    const message = {
      id: 'm',
      accountId: 'a',
      attempt: 1,
      recipient: 'ada@example.org',
      html: null,
      text: 'Hi',
      placeholders: null,
      unreadBytes: 0,
    };
    const lane = { channel: 'email', campaignId: null };
    const claimed = { ...message, ...lane, ...changes } as ClaimedMessage;
    const waitForPermit = () => {
      waits += 1;
      now += WAIT_MS;
      return Promise.resolve(isPermitted);
    };
    const send = () => {
      now += SUBMISSION_MS;
      return Promise.resolve({ provider: 'smtp', providerMessageId: 'p', response: '250 queued' });
    };
    const service = new DeliverMessages(
      {
        claim: () => Promise.resolve([claimed]),
        record: () => Promise.resolve(true),
      } as unknown as PendingDeliveryRepository,
      { submit: send, quietUntil: () => Promise.resolve(null) } as unknown as SubmitMessage,
      { waitForPermit } as unknown as SendingRate,
      { find: () => Promise.resolve(null) } as unknown as DeliveryPauses,
      { decide: () => Promise.reject(new Error('no attempt fails here')) } as unknown as FailurePolicy,
      { record: () => Promise.reject(new Error('no attempt fails here')) } as unknown as RecordRefusedRecipient,
    );
    const reports: DeliveryReport[] = [];
    await service.deliver('email', 'a', ['m'], new AbortController().signal, (report) => reports.push(report));
    return { waits, reports };
  }

  it('measures the attempt without the wait for a permit', async () => {
    const { reports } = await deliver();
    expect(reports).toEqual([
      { messageId: 'm', attempt: 1, outcome: 'sent', durationMs: SUBMISSION_MS, isSimulated: false },
    ]);
  });

  it('releases the message if it gets no permit', async () => {
    const { reports } = await deliver({}, { isPermitted: false });
    expect(reports).toEqual([{ messageId: 'm', attempt: 1, outcome: 'released', durationMs: 0, isSimulated: false }]);
  });

  it.each([{ attempt: 1_000 }, { text: null }])(
    'fails a message with %j without waiting for a permit',
    async (changes) => {
      expect(await deliver(changes)).toMatchObject({ waits: 0, reports: [{ outcome: 'failed', durationMs: 0 }] });
    },
  );

  describe('after a hard bounce', () => {
    const message = {
      ...{ id: 'm', accountId: 'a', channel: 'email', attempt: 1 },
      ...{ campaignId: null, html: null, text: 'Hi' },
    } as ClaimedMessage;
    const bounced = { kind: 'bounced', error: '550 5.1.1 no such user' } as const;
    const delayed = {
      kind: 'retry',
      error: 'Internal error',
      nextAttemptAt: new Date(0),
      outcomeUnknown: false,
    } as const;

    function serviceWith(recordBounce: () => Promise<boolean>) {
      const renewed: ClaimedMessage[][] = [];
      const recorded: DeliveryOutcome[] = [];
      const deliveries = {
        claim: () => Promise.resolve([message]),
        renew: (messages: ClaimedMessage[]) => Promise.resolve(void renewed.push(messages)),
        record: (_message: ClaimedMessage, outcome: DeliveryOutcome) => Promise.resolve(recorded.push(outcome) > 0),
      };
      const decide = (_message: ClaimedMessage, error: Error) =>
        Promise.resolve(error.message === bounced.error ? bounced : delayed);
      const service = new DeliverMessages(
        deliveries as unknown as PendingDeliveryRepository,
        {
          submit: () => Promise.reject(new Error(bounced.error)),
          quietUntil: () => Promise.resolve(null),
        } as unknown as SubmitMessage,
        { waitForPermit: () => Promise.resolve(true) } as unknown as SendingRate,
        { find: () => Promise.resolve(null) } as unknown as DeliveryPauses,
        { decide, retry: () => delayed } as unknown as FailurePolicy,
        { record: recordBounce } as unknown as RecordRefusedRecipient,
      );
      const reports: DeliveryReport['outcome'][] = [];
      const deliver = () =>
        service.deliver('email', 'a', ['m'], new AbortController().signal, ({ outcome }) => reports.push(outcome));
      return { service, deliver, renewed, recorded, reports };
    }

    it('renews the lease while the bounce is recorded', async () => {
      const { service, deliver, renewed, reports } = serviceWith(async () => {
        await service.renewLeases();
        return true;
      });
      await deliver();
      expect(renewed).toEqual([[message]]);
      expect(reports).toEqual(['bounced']);
    });

    it('retries the message if the bounce cannot be recorded', async () => {
      const { deliver, recorded, reports } = serviceWith(() => Promise.reject(new Error('deadlock detected')));
      await deliver();
      expect(recorded).toEqual([delayed]);
      expect(reports).toEqual(['retry']);
    });
  });
});
