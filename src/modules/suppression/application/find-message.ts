import type { ReportedMessage, TimelineRepository } from '../../messages/index.js';
import type { UnsubscribeTarget } from './ports/unsubscribe-links.js';

/** The message of a link; null if it is no longer stored. */
export async function findMessage(
  messages: TimelineRepository,
  { accountId, messageId }: UnsubscribeTarget,
): Promise<ReportedMessage | null> {
  const [found] = await messages.find([{ accountId, channel: 'email', messageId, providerMessageId: null }]);
  return found?.message ?? null;
}
