import { encodeSms } from './encode.js';
import type { CallOptions, SendOptions, Transport } from './transport.js';
import type { BatchMode, QueuedBatch, QueuedSms, Sms, SmsPreview } from './types.js';

/** `client.sms`; scope `sms:send`. */
export class SmsMessages {
  constructor(private readonly transport: Transport) {}

  /**
   * Queues one SMS, of at most ten segments: once this resolves it is stored durably. Retries cannot send it twice.
   *
   * Throws an ApiError: 400 for a fault, a number that has opted out, the sandbox of the provider or the daily limit of
   * the key, 409 if the idempotency key was used for another send, 429 for the daily limit of the account.
   */
  send(sms: Sms, options?: SendOptions): Promise<QueuedSms> {
    const body = encodeSms(sms);
    return this.transport.send((init) => this.transport.api.POST('/api/send/sms', { ...init, body }), options);
  }

  /** Queues 1 to 500 SMS in one transaction; `mode` and results as for `emails.sendBatch`. */
  sendBatch(messages: readonly Sms[], options: SendOptions & { mode?: BatchMode } = {}): Promise<QueuedBatch> {
    const body = { mode: options.mode ?? 'all', messages: messages.map(encodeSms) };
    return this.transport.send((init) => this.transport.api.POST('/api/send/sms/batch', { ...init, body }), options);
  }

  /** Counts the segments of a text, and lists the characters that make it longer. Sends nothing. */
  preview(text: string, options?: CallOptions): Promise<SmsPreview> {
    const body = { body: text };
    return this.transport.call((init) => this.transport.api.POST('/api/send/sms/preview', { ...init, body }), options);
  }
}
