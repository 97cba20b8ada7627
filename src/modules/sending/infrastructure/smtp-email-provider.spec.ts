import { describe, expect, it } from '@jest/globals';

import type { RawMail } from '../../../platform/smtp/mail-content.js';
import type { SmtpTransports } from '../../../platform/smtp/smtp-transports.js';
import type { SmtpProvider } from '../../../shared/account-provider.js';
import { LeaseEndedError, type SubmissionCheck } from '../../../shared/submission-check.js';
import type { ClaimedMessage } from '../../messages/index.js';
import { RecipientSuppressedError, SubmissionNotCheckedError } from '../domain/submission-refused.js';
import { SmtpEmailProvider } from './smtp-email-provider.js';

const MESSAGE = {
  id: 'm',
  accountId: 'a',
  recipient: 'ada@example.org',
  sender: 'shop@example.com',
  senderName: null,
  replyTo: null,
  subject: 'Hi',
  html: null,
  text: 'Hi',
  unsubscribeUrl: null,
  campaignId: null,
  acceptedAt: new Date(0),
} as unknown as ClaimedMessage;

/** Runs the check, as the connection does. */
const TRANSPORTS = {
  submit: async (_relay: unknown, _mail: RawMail, check: SubmissionCheck) => check.confirm(),
} as unknown as SmtpTransports;

describe('SmtpEmailProvider', () => {
  it.each([
    new SubmissionNotCheckedError(new Error('connect ECONNREFUSED 10.0.0.5:5432')),
    new RecipientSuppressedError('ada@example.org is suppressed'),
    new LeaseEndedError(),
  ])('does not classify an error of the check as a reply of the relay: %p', async (error) => {
    const provider = new SmtpEmailProvider(TRANSPORTS, { find: () => Promise.resolve(null) });
    const check = { confirm: () => Promise.reject(error) } as unknown as SubmissionCheck;
    const sent = provider.send(MESSAGE, { vendor: 'generic' } as unknown as SmtpProvider, check);
    await expect(sent).rejects.toBe(error);
  });
});
