import type { Channel } from '../../../shared/channel.js';
import { DomainError } from '../../../shared/domain-error.js';
import { suppressedText } from '../../../shared/submission-check.js';
import { noSuchTopic, unsubscribedText } from '../../../shared/topic-texts.js';

interface Recipient {
  channel: Channel;
  recipient: string;
  topicId?: string | null | undefined;
}

/** The reason why a message is not accepted. `topic`: the name of the topic that the recipient is out of. */
export type RecipientRefusal = 'suppressed' | 'unknown_topic' | { topic: string };

export function refusalError(refusal: RecipientRefusal, { channel, recipient, topicId }: Recipient): DomainError {
  if (typeof refusal === 'object')
    return DomainError.invalid(unsubscribedText(recipient, refusal.topic), 'unsubscribed_from_topic');
  if (refusal === 'unknown_topic') return DomainError.invalid(noSuchTopic('topicId', topicId ?? ''));
  return DomainError.invalid(suppressedText(channel, recipient), channel === 'email' ? 'suppressed' : 'opted_out');
}
