import { RELAY_PREFIX } from '../../../providers/index.js';
import { INSTALLATION } from '../../../shared/provider-key.js';
import { Sender } from '../domain/sender.js';
import { SenderSchema } from './sender.schema.js';

/** The columns of `senders`, named like the fields of the class. */
export const SENDER_COLUMNS = Object.entries(SenderSchema.options.columns)
  .map(([field, column]) => `${column.name ?? field} AS "${field}"`)
  .join(', ');

export const toSender = (row: Sender): Sender => Object.assign(new Sender(), row);

export const firstSender = ([row]: Sender[]): Sender | null => (row ? toSender(row) : null);

/**
 * SQL for whether a link that `verificationProvider` carried proves the sender for mail through `provider`. The
 * operator's relay proves it for every SMTP relay; all others prove it only for themselves.
 */
export const isProvenFor = (verificationProvider: string, provider: string): string =>
  `coalesce(${verificationProvider} = ${provider}
    OR ${verificationProvider} = '${INSTALLATION}' AND ${provider} LIKE '${RELAY_PREFIX}%', false)`;
