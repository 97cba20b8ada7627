import { describe, expect, it } from '@jest/globals';

import { nextIteration } from '../../../../test/support/event-loop.js';
import { waitFor } from '../../../../test/support/wait-for.js';
import type {
  CampaignContents,
  ClaimedMessage,
  MessageGroups,
  PendingDeliveryRepository,
} from '../../messages/index.js';
import { RenderTemplate } from '../../templates/index.js';
import { StoppingError } from '../domain/submission-refused.js';
import type { CheckSubmission } from './check-submission.service.js';
import type { MessageProvider, OutgoingMessage, ProviderReceipt } from './ports/message-provider.js';
import { RenderCampaign } from './render-campaign.service.js';
import { SubmitMessage } from './submit-message.service.js';

const RECEIPT: ProviderReceipt = { provider: 'smtp', providerMessageId: 'p1', response: '250' };
const NOT_RENDERED = { fill: (message: ClaimedMessage) => Promise.resolve(message) } as RenderCampaign;
const { signal } = new AbortController();

interface Parts {
  groups?: object;
  deliveries?: object;
  campaigns?: RenderCampaign;
  /** Called with each message that is sent, in order; the receipt if not given. */
  send?: (message: OutgoingMessage) => Promise<unknown>;
}

/** Keeps each message that is sent, with a function that ends the submission. */
function submitterWith({ groups, deliveries, campaigns = NOT_RENDERED, send }: Parts) {
  const sending: { message: OutgoingMessage; finish: () => void }[] = [];
  const hold = (message: OutgoingMessage) =>
    new Promise((resolve) => {
      sending.push({
        message,
        finish: () => {
          resolve(RECEIPT);
        },
      });
    });
  const submitter = new SubmitMessage(
    groups as MessageGroups,
    deliveries as PendingDeliveryRepository,
    campaigns,
    { forMessage: () => undefined } as unknown as CheckSubmission,
    { send: send ?? hold } as unknown as MessageProvider,
  );
  return { submitter, sending };
}

describe('SubmitMessage, with a message of a campaign', () => {
  /** `rows` become sections of 100 characters each. */
  function submitterOf(rows: number) {
    const content = {
      ...{ subject: 'Hi {{name}}', html: `{{#rows}}${'é'.repeat(100)}{{/rows}}{{name}}`, text: 'Hi' },
      variables: { rows: Array.from({ length: rows }, () => true) },
    };
    const contents = { find: () => Promise.resolve(content) } as unknown as CampaignContents;
    const templates = new RenderTemplate(undefined as never);
    let rendering = 0;
    const renderParts = templates.renderParts.bind(templates);
    templates.renderParts = async (...given) => {
      rendering += 1;
      return renderParts(...given).finally(() => (rendering -= 1));
    };
    const submitter = submitterWith({ campaigns: new RenderCampaign(contents, templates) });
    return { ...submitter, isRendering: () => rendering > 0 };
  }

  const messageOf = (accountId: string, name: string) =>
    ({
      ...{ id: name, accountId, campaignId: 'c1', groupId: null, hasAttachments: null, unreadBytes: 0 },
      ...{ subject: null, html: null, text: null, placeholders: { name }, unsubscribeUrl: null },
    }) as unknown as ClaimedMessage;

  it('holds large bodies within the memory of their account', async () => {
    const { submitter, sending, isRendering } = submitterOf(5_000);
    const submit = (accountId: string, name: string) => submitter.submit(messageOf(accountId, name), signal);
    /** Until no more are submitted: threads render them. */
    const settle = async () => {
      for (let seen = -1; seen < sending.length || isRendering();) {
        seen = sending.length;
        await waitFor('the threads', () => !isRendering());
        for (let n = 0; n < 200; n++) await nextIteration();
      }
    };
    const submissions = Array.from({ length: 40 }, (_, i) => submit('a1', `Ada ${i}`));
    await settle();
    const held = sending.length;
    expect(held).toBeGreaterThan(0);
    expect(held).toBeLessThanOrEqual(10);
    submissions.push(submit('a2', 'Eve'));
    await settle();
    expect(sending.map(({ message }) => message.accountId).slice(held)).toEqual(['a2']);
    expect(sending[0]?.message).toMatchObject({ subject: 'Hi Ada 0', html: `${'é'.repeat(500_000)}Ada 0`, text: 'Hi' });
    for (const { finish } of sending) {
      finish();
      await settle();
    }
    expect(await Promise.all(submissions)).toHaveLength(41);
  });

  it('does not make small ones wait', async () => {
    const { submitter, sending } = submitterOf(10);
    const submissions = Array.from({ length: 40 }, (_, i) => submitter.submit(messageOf('a1', `Ada ${i}`), signal));
    await nextIteration();
    expect(sending).toHaveLength(40);
    for (const { finish } of sending) finish();
    expect(await Promise.all(submissions)).toHaveLength(40);
  });
});

describe('SubmitMessage, with attachments', () => {
  const MESSAGE = { id: 'm1', accountId: 'a1', groupId: null, hasAttachments: true, unreadBytes: 0 } as ClaimedMessage;
  /** Encoded, two of them are more than an account's share. */
  const BYTES = 12_000_000;

  function fakeGroups({ missing = 0 } = {}) {
    const file = { number: 1, filename: 'a.bin', contentType: 'application/octet-stream', contentId: null };
    const groups = {
      reads: 0,
      files: () => Promise.resolve({ sourceSize: null, attachments: [{ ...file, size: BYTES }] }),
      readAll: (_accountId: string, _groupId: string, onPart: (number: number, bytes: Buffer) => void) => {
        groups.reads += 1;
        onPart(1, Buffer.alloc(BYTES - missing));
        return Promise.resolve();
      },
    };
    return groups;
  }

  it('ends the wait for memory when the process stops, and reads nothing', async () => {
    const groups = fakeGroups();
    const { submitter, sending } = submitterWith({ groups });
    const stop = new AbortController();
    const first = submitter.submit(MESSAGE, stop.signal);
    const waiting = submitter.submit(MESSAGE, stop.signal);
    await nextIteration();
    stop.abort();
    await expect(waiting).rejects.toThrow(StoppingError);
    expect([groups.reads, sending.length]).toEqual([1, 1]);
    sending[0]?.finish();
    expect(await first).toEqual(RECEIPT);
  });

  it('does not send files of which bytes are missing', async () => {
    const { submitter, sending } = submitterWith({ groups: fakeGroups({ missing: 1 }) });
    await expect(submitter.submit(MESSAGE, signal)).rejects.toThrow('Its attachments are no longer kept');
    expect(sending).toEqual([]);
  });

  it('gives the memory back after a failure', async () => {
    const replies = [() => Promise.reject(new Error('451')), () => Promise.reject(new Error('451'))];
    const send = () => replies.shift()?.() ?? Promise.resolve(RECEIPT);
    const { submitter } = submitterWith({ groups: fakeGroups(), send });
    await expect(submitter.submit(MESSAGE, signal)).rejects.toThrow('451');
    await expect(submitter.submit(MESSAGE, signal)).rejects.toThrow('451');
    expect(await submitter.submit(MESSAGE, signal)).toEqual(RECEIPT);
  });
});

describe('SubmitMessage, with texts that are too large to come with the claim', () => {
  const MESSAGE = {
    ...{ id: 'm1', accountId: 'a1', groupId: null, hasAttachments: null },
    ...{ html: null, text: null, unreadBytes: 900_000 },
  } as ClaimedMessage;

  function submitterOf(texts: object | null) {
    const deliveries = {
      reads: 0,
      texts: () => {
        deliveries.reads += 1;
        return Promise.resolve(texts);
      },
    };
    return { ...submitterWith({ deliveries }), deliveries };
  }

  it('reads them', async () => {
    const { submitter, sending } = submitterOf({ html: '<p>Hi</p>', text: null });
    const submission = submitter.submit(MESSAGE, signal);
    await nextIteration();
    const [{ message, finish } = { message: null, finish: () => undefined }] = sending;
    expect(message).toMatchObject({ id: 'm1', html: '<p>Hi</p>', text: null, visible: null, attachments: [] });
    finish();
    expect(await submission).toEqual(RECEIPT);
  });

  it('does not send them if they are no longer kept', async () => {
    const { submitter } = submitterOf(null);
    await expect(submitter.submit(MESSAGE, signal)).rejects.toThrow('Its content is no longer kept');
  });

  it('reads more of an account only when earlier ones are sent', async () => {
    const { submitter, sending, deliveries } = submitterOf({ html: '<p>Hi</p>', text: null });
    const submissions = Array.from({ length: 30 }, () => submitter.submit(MESSAGE, signal));
    await nextIteration();
    const { reads } = deliveries;
    expect(reads).toBeGreaterThan(0);
    expect(reads).toBeLessThanOrEqual(10);
    sending[0]?.finish();
    await nextIteration();
    expect(deliveries.reads).toBe(reads + 1);
    for (let i = 1; i < submissions.length; i++) {
      sending[i]?.finish();
      await nextIteration();
    }
    expect(await Promise.all(submissions)).toHaveLength(30);
  });
});
