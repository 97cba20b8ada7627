import type { Database } from '../../../platform/database/database.js';

/**
 * Drops the mails that sign-ups wait for, of all accounts, after a restore; links of mails that were sent keep working.
 * Returns the number of sign-ups.
 */
export const dropSignupMails = (database: Database): Promise<number> =>
  database.changeInBatches('form_signups', 'UPDATE form_signups SET due_at = NULL', 'due_at IS NOT NULL', []);
