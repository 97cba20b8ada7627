import { describe, expect, it } from '@jest/globals';

import { nextIteration } from '../../../../test/support/event-loop.js';
import type {
  CampaignContents,
  ClaimedMessage,
  MessageGroups,
  PendingDeliveryRepository,
} from '../../messages/index.js';
import { RenderTemplate } from '../../templates/index.js';
import type { CheckSubmission } from './check-submission.service.js';
import { CompleteMessage } from './complete-message.service.js';
import type { MessageProvider, OutgoingMessage } from './ports/message-provider.js';
import { RenderCampaign } from './render-campaign.service.js';
import { SubmitMessage } from './submit-message.service.js';

const RECEIPT = { provider: 'smtp', providerMessageId: 'p1', response: '250' };

/** `rows` become sections of 100 characters each. */
function submitterOf(rows: number) {
  const content = {
    ...{ subject: 'Hi {{name}}', html: `{{#rows}}${'é'.repeat(100)}{{/rows}}{{name}}`, text: 'Hi' },
    variables: { rows: Array.from({ length: rows }, () => true) },
  };
  const contents = { find: () => Promise.resolve(content) } as unknown as CampaignContents;
  const campaigns = new RenderCampaign(contents, new RenderTemplate(undefined as never));
  const sending: { message: OutgoingMessage; finish: () => void }[] = [];
  const provider = {
    send: (message: OutgoingMessage) =>
      new Promise((resolve) => {
        sending.push({
          message,
          finish: () => {
            resolve(RECEIPT);
          },
        });
      }),
  } as unknown as MessageProvider;
  const complete = new CompleteMessage(
    undefined as unknown as MessageGroups,
    undefined as unknown as PendingDeliveryRepository,
    campaigns,
  );
  const checks = { forMessage: () => undefined } as unknown as CheckSubmission;
  return { submitter: new SubmitMessage(campaigns, complete, checks, provider), sending };
}

const messageOf = (accountId: string, name: string) =>
  ({
    ...{ id: name, accountId, campaignId: 'c1', groupId: null, hasAttachments: null, unreadBytes: 0 },
    ...{ subject: null, html: null, text: null, placeholders: { name }, unsubscribeUrl: null },
  }) as unknown as ClaimedMessage;
const { signal } = new AbortController();

describe('SubmitMessage', () => {
  it('holds large bodies of campaigns within the memory of their account', async () => {
    const { submitter, sending } = submitterOf(5_000);
    const submit = (accountId: string, name: string) => submitter.submit(messageOf(accountId, name), signal);
    const submissions = Array.from({ length: 40 }, (_, i) => submit('a1', `Ada ${i}`));
    await nextIteration();
    const held = sending.length;
    expect(held).toBeGreaterThan(0);
    expect(held).toBeLessThanOrEqual(10);
    submissions.push(submit('a2', 'Eve'));
    await nextIteration();
    expect(sending.map(({ message }) => message.accountId).slice(held)).toEqual(['a2']);
    expect(sending[0]?.message).toMatchObject({ subject: 'Hi Ada 0', html: `${'é'.repeat(500_000)}Ada 0`, text: 'Hi' });
    for (const { finish } of sending) {
      finish();
      await nextIteration();
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
