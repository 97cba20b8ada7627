import type { Channel } from '../src/shared/channel.js';
import type { ChaosAccount, ChaosKey } from './accounts.js';
import { type Exchange, exchangeOf, type Reply } from './clients.js';
import { CONTENT } from './evidence/copies.js';
import type { SendRecords } from './evidence/sends.js';

export function sendRequest(
  { sender }: ChaosAccount,
  key: ChaosKey,
  channel: Channel,
  to: string,
  { headers = {}, scheduledAt }: { headers?: Record<string, string>; scheduledAt?: string } = {},
): Exchange {
  const withKey = { 'x-api-key': key.secret, ...headers };
  if (channel === 'sms')
    return exchangeOf('POST', '/api/send/sms', withKey, { to, body: `Your order is ${CONTENT.single}.`, scheduledAt });
  const mail = { to, fromEmail: sender, subject: 'Your order', html: `<p>It is ${CONTENT.single}.</p>`, scheduledAt };
  return exchangeOf('POST', '/api/send/transactional', withKey, mail);
}

/** Records the reply to a send. */
export function recordReply(sends: SendRecords, index: number, reply: Reply | null): void {
  if (!reply) return;
  const { status, isReplayed } = reply;
  if (status !== 201) sends.answer(index, { status });
  else {
    const { messageLogId } = JSON.parse(reply.body) as { messageLogId: string };
    sends.answer(index, { status, messageId: messageLogId, isReplayed });
  }
}
