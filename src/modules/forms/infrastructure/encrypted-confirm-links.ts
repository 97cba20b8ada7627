import { Injectable } from '@nestjs/common';

import { Config } from '../../../config/config.js';
import { LinkTokens } from '../../../platform/crypto/link-tokens.js';
import { ConfirmLinks, type ConfirmTarget } from '../application/ports/confirm-links.js';

const ID_LENGTH = 25;

/** `{base_url}/confirm/` followed by the ids of the account and the sign-up, encrypted and authenticated. */
@Injectable()
export class EncryptedConfirmLinks extends ConfirmLinks {
  private readonly tokens: LinkTokens;
  private readonly prefix: string;

  constructor(config: Config) {
    super();
    this.tokens = new LinkTokens(config, 'confirm-links');
    this.prefix = `${config.baseUrl}/confirm/`;
  }

  linkTo({ accountId, signupId }: ConfirmTarget): string {
    return this.prefix + this.tokens.seal(accountId + signupId);
  }

  read(token: string): ConfirmTarget | null {
    const plain = this.tokens.open(token);
    return plain === null ? null : { accountId: plain.slice(0, ID_LENGTH), signupId: plain.slice(ID_LENGTH) };
  }
}
