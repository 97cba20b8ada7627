import { Sender } from '../domain/sender.js';

/** The columns of `senders` under the names of the class. */
export const SENDER_COLUMNS = `id, account_id AS "accountId", email, normalised_email AS "normalisedEmail", status,
  token_hash AS "tokenHash", token_expires_at AS "tokenExpiresAt", verified_at AS "verifiedAt", created_at AS "createdAt"`;

export const firstSender = ([row]: Sender[]): Sender | null => (row ? Object.assign(new Sender(), row) : null);
