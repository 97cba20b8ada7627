import { describe, expect, it } from '@jest/globals';

import { nextIteration } from '../../../../test/support/event-loop.js';
import type { ClaimedMessage, MessageGroups, PendingDeliveryRepository } from '../../messages/index.js';
import { StoppingError } from '../domain/submission-refused.js';
import { CompleteMessage } from './complete-message.service.js';
import type { RenderCampaign } from './render-campaign.service.js';

const MESSAGE = { id: 'm1', accountId: 'a1', groupId: null, hasAttachments: true, unreadBytes: 0 } as ClaimedMessage;
/** Encoded, two of them are more than an account's share. */
const BYTES = 12_000_000;

function fakeGroups({ missing = 0 } = {}) {
  const entry = { number: 1, filename: 'a.bin', contentType: 'application/octet-stream', contentId: null, size: BYTES };
  const groups = {
    reads: 0,
    files: () => Promise.resolve({ sourceSize: null, attachments: [entry] }),
    readAll: (_accountId: string, _groupId: string, onPart: (number: number, bytes: Buffer) => void) => {
      groups.reads += 1;
      onPart(1, Buffer.alloc(BYTES - missing));
      return Promise.resolve();
    },
  };
  return groups;
}

const withFiles = (groups: object) =>
  new CompleteMessage(
    groups as MessageGroups,
    undefined as unknown as PendingDeliveryRepository,
    undefined as unknown as RenderCampaign,
  );

describe('CompleteMessage', () => {
  it('ends the wait for memory when the process stops, and reads nothing', async () => {
    const groups = fakeGroups();
    const complete = withFiles(groups);
    const stop = new AbortController();
    let finish: () => void = () => undefined;
    const sending = complete.completed(MESSAGE, stop.signal, () => new Promise<void>((resolve) => (finish = resolve)));
    const waiting = complete.completed(MESSAGE, stop.signal, () => Promise.reject(new Error('It was sent')));
    await nextIteration();
    stop.abort();
    await expect(waiting).rejects.toThrow(StoppingError);
    expect(groups.reads).toBe(1);
    finish();
    await sending;
  });

  it('does not send files of which bytes are missing', async () => {
    const complete = withFiles(fakeGroups({ missing: 1 }));
    const sending = complete.completed(MESSAGE, new AbortController().signal, () => Promise.resolve('sent'));
    await expect(sending).rejects.toThrow('Its attachments are no longer kept');
  });

  it('gives the memory back after a failure', async () => {
    const complete = withFiles(fakeGroups());
    const { signal } = new AbortController();
    const failing = () => complete.completed(MESSAGE, signal, () => Promise.reject(new Error('451')));
    await expect(failing()).rejects.toThrow('451');
    await expect(failing()).rejects.toThrow('451');
    expect(await complete.completed(MESSAGE, signal, () => Promise.resolve('sent'))).toBe('sent');
  });

  describe('with texts that are too large to come with the claim', () => {
    const message = {
      ...{ id: 'm1', accountId: 'a1', groupId: null, hasAttachments: null },
      ...{ html: null, text: null, unreadBytes: 900_000 },
    } as ClaimedMessage;
    const { signal } = new AbortController();

    function completeWith(texts: object | null) {
      const deliveries = {
        reads: 0,
        texts: () => {
          deliveries.reads += 1;
          return Promise.resolve(texts);
        },
      };
      const complete = new CompleteMessage(
        undefined as unknown as MessageGroups,
        deliveries as unknown as PendingDeliveryRepository,
        undefined as unknown as RenderCampaign,
      );
      return { complete, deliveries };
    }

    it('reads them', async () => {
      const { complete } = completeWith({ html: '<p>Hi</p>', text: null });
      const sent = await complete.completed(message, signal, (outgoing) => Promise.resolve(outgoing));
      expect(sent).toMatchObject({ id: 'm1', html: '<p>Hi</p>', text: null, visible: null, attachments: [] });
    });

    it('does not send them if they are no longer kept', async () => {
      const { complete } = completeWith(null);
      const sending = complete.completed(message, signal, () => Promise.resolve('sent'));
      await expect(sending).rejects.toThrow('Its content is no longer kept');
    });

    it('reads more of an account only when earlier ones are sent', async () => {
      const { complete, deliveries } = completeWith({ html: '<p>Hi</p>', text: null });
      const finish: (() => void)[] = [];
      const sending = Array.from({ length: 30 }, () =>
        complete.completed(message, signal, () => new Promise<void>((resolve) => finish.push(resolve))),
      );
      await nextIteration();
      const { reads } = deliveries;
      expect(reads).toBeGreaterThan(0);
      expect(reads).toBeLessThanOrEqual(10);
      finish.shift()?.();
      await nextIteration();
      expect(deliveries.reads).toBe(reads + 1);
      while (deliveries.reads < sending.length || finish.length > 0) {
        finish.shift()?.();
        await nextIteration();
      }
      await Promise.all(sending);
    });
  });
});
