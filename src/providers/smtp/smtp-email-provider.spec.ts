import { describe, expect, it } from '@jest/globals';

import type { Config } from '../../config/config.js';
import type { RawMail } from '../../mail/writing/mail-content.js';
import type { SmtpRelays } from '../../platform/smtp/smtp-relays.js';
import type { SecretBox } from '../../shared/ports/secret-box.js';
import {
  LeaseEndedError,
  NotSubmittedError,
  RecipientSuppressedError,
  type SubmissionCheck,
} from '../../shared/submission-check.js';
import type { SmtpConnection } from './smtp-connection.js';
import { SmtpEmailProvider } from './smtp-email-provider.js';

const EMAIL = { id: 'm', accountId: 'a', mail: {} as RawMail, isBulk: false };

/** Runs the check, as the connection does. */
const RELAYS = {
  get: () => ({ submit: async (_mail: RawMail, check: SubmissionCheck) => check.confirm() }),
} as unknown as SmtpRelays;

describe('SmtpEmailProvider', () => {
  it.each([
    new NotSubmittedError('connect ECONNREFUSED 10.0.0.5:5432'),
    new RecipientSuppressedError('ada@example.org is suppressed'),
    new LeaseEndedError(),
  ])('does not classify an error of the check as a reply of the relay: %p', async (error) => {
    const provider = new SmtpEmailProvider(RELAYS, {} as SecretBox, {} as Config);
    const check = { confirm: () => Promise.reject(error) } as unknown as SubmissionCheck;
    await expect(provider.sendEmail(EMAIL, {} as SmtpConnection, check)).rejects.toBe(error);
  });
});
