import { Injectable } from '@nestjs/common';

import { Config } from '../../../config/config.js';
import type { KeyPair } from '../../../platform/crypto/aes-gcm.js';
import { deriveKeys } from '../../../platform/crypto/aes-secret-box.js';
import { isSame } from '../../../platform/crypto/is-same.js';
import { clickUrl, type LinkSigning, openUrl, signatureOf } from '../domain/link-signing.js';
import { TrackedLinks } from '../application/ports/tracked-links.js';

const OWN_PATHS = ['r', 'u'];

/** HMAC-SHA256 with a separate key. Signatures of clicks and opens differ, and each is valid for one message only. */
@Injectable()
export class HmacTrackedLinks extends TrackedLinks {
  readonly signing: LinkSigning;
  private readonly keys: KeyPair;

  constructor(config: Config) {
    super();
    const { baseUrl } = config;
    this.keys = deriveKeys(config, 'tracked-links');
    this.signing = {
      key: this.keys[0],
      redirects: `${baseUrl}/r`,
      own: OWN_PATHS.map((path) => new URL(`${baseUrl}/${path}/`).href),
      confirmations: new URL(`${baseUrl}/confirm/`).href,
    };
  }

  click(messageId: string, target: string): string {
    return clickUrl(this.signing, messageId, target);
  }

  open(messageId: string): string {
    return openUrl(this.signing, messageId);
  }

  isClick(messageId: string, target: string, signature: string): boolean {
    return this.isSigned(signature, 'click', messageId, target);
  }

  isOpen(messageId: string, signature: string): boolean {
    return this.isSigned(signature, 'open', messageId);
  }

  /** Compared as text: the last base64url character has unused bits, so several texts decode to the same bytes. */
  private isSigned(signature: string, ...parts: readonly string[]): boolean {
    return this.keys.some((key) => key !== undefined && isSame(signature, signatureOf(key, parts)));
  }
}
