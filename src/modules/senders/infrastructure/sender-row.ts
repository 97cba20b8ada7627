import { Sender } from '../domain/sender.js';

/** The columns of `senders` under the names of the class. */
export const SENDER_COLUMNS = `id, account_id AS "accountId", email, normalised_email AS "normalisedEmail", status,
  set_up_for AS "setUpFor", link_carrier AS "linkCarrier", made_in AS "madeIn", token_hash AS "tokenHash", token_expires_at AS "tokenExpiresAt", next_check_at AS "nextCheckAt",
  verified_at AS "verifiedAt", created_at AS "createdAt"`;

export const toSender = (row: Sender): Sender => Object.assign(new Sender(), row);

export const firstSender = ([row]: Sender[]): Sender | null => (row ? toSender(row) : null);
