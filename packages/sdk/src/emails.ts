import { encodeEmail } from './encode.js';
import type { SendOptions, Transport } from './transport.js';
import type { BatchMode, Email, QueuedBatch, QueuedEmail } from './types.js';

/** `client.emails`; scope `send`. */
export class Emails {
  constructor(private readonly transport: Transport) {}

  /**
   * Queues one e-mail and its copies: once this resolves they are stored durably. Retries cannot send it twice.
   *
   * Throws an ApiError: 400 for a fault, a suppressed recipient, a sender that is not verified or the daily limit of
   * the key, 409 if the idempotency key was used for another send, 413 for files that are too large, 429 for the daily
   * limit of the account.
   */
  async send(email: Email, options?: SendOptions): Promise<QueuedEmail> {
    const body = await encodeEmail(email);
    return this.transport.send(
      (init) => this.transport.api.POST('/api/send/transactional', { ...init, body }),
      options,
    );
  }

  /**
   * Queues 1 to 500 e-mails, within 5 MB, in one transaction. With the mode `all`, the default, all of them are
   * accepted or none is, which is an ApiError as in `send`. With `valid` those without a fault for which there is room
   * are accepted: look for `error` in `results`, which are in the order of `emails`.
   */
  async sendBatch(emails: readonly Email[], options: SendOptions & { mode?: BatchMode } = {}): Promise<QueuedBatch> {
    const { mode = 'all' } = options;
    const body = { mode, messages: await Promise.all(emails.map(encodeEmail)) };
    return this.transport.send((init) => this.transport.api.POST('/api/send/batch', { ...init, body }), options);
  }
}
