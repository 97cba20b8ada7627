import type { Database } from '../../../platform/database/database.js';

/**
 * After a restore, for all accounts: sends none of the mails that sign-ups wait for, whose links go on to work if they
 * were sent. Returns how many there were.
 */
export const dropSignupMails = (database: Database): Promise<number> =>
  database.changeInBatches('form_signups', 'UPDATE form_signups SET due_at = NULL', 'due_at IS NOT NULL', []);
