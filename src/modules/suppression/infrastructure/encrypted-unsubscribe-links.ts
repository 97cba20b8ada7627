import { Injectable } from '@nestjs/common';

import { Config } from '../../../config/config.js';
import { LinkTokens } from '../../../platform/crypto/link-tokens.js';
import { UnsubscribeLinks, type UnsubscribeTarget } from '../application/ports/unsubscribe-links.js';

const ID_LENGTH = 25;

/**
 * `{base_url}/u/` followed by the ids of account and message, that of the topic if there is one, and the address,
 * encrypted and authenticated. What a link does must not depend on what is still stored of its message. Links with a
 * topic have a key of their own: to a release that does not know topics they are unknown.
 */
@Injectable()
export class EncryptedUnsubscribeLinks extends UnsubscribeLinks {
  private readonly tokens: LinkTokens;
  private readonly tokensWithTopic: LinkTokens;
  private readonly prefix: string;

  constructor(config: Config) {
    super();
    this.tokens = new LinkTokens(config, 'unsubscribe-links');
    this.tokensWithTopic = new LinkTokens(config, 'unsubscribe-links-with-topic');
    this.prefix = `${config.baseUrl}/u/`;
  }

  linkTo({ accountId, messageId, email, topicId }: UnsubscribeTarget): string {
    const tokens = topicId === null ? this.tokens : this.tokensWithTopic;
    return this.prefix + tokens.seal(accountId + messageId + (topicId ?? '') + email);
  }

  read(token: string): UnsubscribeTarget | null {
    const withTopic = this.tokensWithTopic.open(token);
    const plain = withTopic ?? this.tokens.open(token);
    if (plain === null) return null;
    const rest = plain.slice(2 * ID_LENGTH);
    return {
      accountId: plain.slice(0, ID_LENGTH),
      messageId: plain.slice(ID_LENGTH, 2 * ID_LENGTH),
      topicId: withTopic === null ? null : rest.slice(0, ID_LENGTH),
      email: withTopic === null ? rest : rest.slice(ID_LENGTH),
    };
  }
}
