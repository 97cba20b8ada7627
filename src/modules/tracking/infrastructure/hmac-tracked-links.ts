import { createHmac } from 'node:crypto';

import { Injectable } from '@nestjs/common';

import { Config } from '../../../config/config.js';
import { deriveKey } from '../../../platform/crypto/aes-secret-box.js';
import { isSame } from '../../../platform/crypto/is-same.js';
import { TrackedLinks } from '../application/ports/tracked-links.js';

const OWN_PATHS = ['r', 'u'];

/** HMAC-SHA256 with a separate key. Signatures of clicks and opens differ, and each is valid for one message only. */
@Injectable()
export class HmacTrackedLinks extends TrackedLinks {
  private readonly key: Buffer;
  private readonly redirects: string;
  private readonly own: readonly string[];

  constructor({ appSecret, baseUrl }: Config) {
    super();
    this.key = deriveKey(appSecret, 'tracked-links');
    this.redirects = `${baseUrl}/r`;
    this.own = OWN_PATHS.map((path) => new URL(`${baseUrl}/${path}/`).href);
  }

  click(messageId: string, target: string): string {
    const signature = this.sign('click', messageId, target);
    return `${this.redirects}/${messageId}?u=${encode(target)}&s=${signature}`;
  }

  open(messageId: string): string {
    return `${this.redirects}/${messageId}/open.gif?s=${this.sign('open', messageId)}`;
  }

  isClick(messageId: string, target: string, signature: string): boolean {
    return isSame(signature, this.sign('click', messageId, target));
  }

  isOpen(messageId: string, signature: string): boolean {
    return isSame(signature, this.sign('open', messageId));
  }

  isOwn(url: URL): boolean {
    return this.own.some((address) => url.href.startsWith(address));
  }

  /** Compared as text: the last base64url character has unused bits, so several texts decode to the same bytes. */
  private sign(...parts: readonly string[]): string {
    return createHmac('sha256', this.key).update(JSON.stringify(parts)).digest('base64url');
  }
}

/** Also encodes quotes and brackets, where mail clients that detect links in text may end the link. */
const encode = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);
