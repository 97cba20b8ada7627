import { Injectable } from '@nestjs/common';

import { Config } from '../../../config/config.js';
import { decrypt, encrypt } from '../../../platform/crypto/aes-gcm.js';
import { deriveKey } from '../../../platform/crypto/aes-secret-box.js';
import { UnsubscribeLinks, type UnsubscribeTarget } from '../application/ports/unsubscribe-links.js';

const ID_LENGTH = 25;

/** `{base_url}/u/` followed by the two ids and the address, encrypted and authenticated. */
@Injectable()
export class EncryptedUnsubscribeLinks extends UnsubscribeLinks {
  private readonly key: Buffer;
  private readonly prefix: string;

  constructor({ appSecret, baseUrl }: Config) {
    super();
    this.key = deriveKey(appSecret, 'unsubscribe-links');
    this.prefix = `${baseUrl}/u/`;
  }

  linkTo({ accountId, messageId, email }: UnsubscribeTarget): string {
    return this.prefix + encrypt(this.key, accountId + messageId + email).toString('base64url');
  }

  read(token: string): UnsubscribeTarget | null {
    const plain = this.decryptToken(token);
    if (plain === null) return null;
    return {
      accountId: plain.slice(0, ID_LENGTH),
      messageId: plain.slice(ID_LENGTH, 2 * ID_LENGTH),
      email: plain.slice(2 * ID_LENGTH),
    };
  }

  private decryptToken(token: string): string | null {
    const bytes = Buffer.from(token, 'base64url');
    // Decoding ignores characters that are not base64url, and the spare bits of the last one.
    if (bytes.toString('base64url') !== token) return null;
    try {
      return decrypt(this.key, bytes);
    } catch {
      return null;
    }
  }
}
