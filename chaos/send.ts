import type { ChaosAccount, ChaosKey } from './accounts.js';
import { type Exchange, exchangeOf, type Reply } from './clients.js';
import type { Send } from './evidence.js';

export const sendOf = ({ sender }: ChaosAccount, key: ChaosKey | undefined, to: string, headers = {}): Exchange =>
  exchangeOf(
    'POST',
    '/api/send/transactional',
    { 'x-api-key': key?.secret ?? '', ...headers },
    { to, fromEmail: sender, subject: 'Your order', html: '<p>It is on its way.</p>' },
  );

/** The client does not wait for the answer any longer than this. */
export const hangingUp =
  (exchange: Exchange, afterMs: number): Exchange =>
  (url, signal) =>
    exchange(url, AbortSignal.any([signal, AbortSignal.timeout(Math.round(afterMs))]));

/** What the reply says of the send. */
export function take(send: Send, reply: Reply | null): void {
  if (!reply) return;
  send.status = reply.status;
  if (reply.status !== 201) return;
  const { messageLogId } = JSON.parse(reply.body) as { messageLogId: string };
  send.accepted.push({ messageId: messageLogId, isReplayed: reply.isReplayed ?? false });
}
