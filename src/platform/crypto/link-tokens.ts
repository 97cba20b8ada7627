import type { Config } from '../../config/config.js';
import { decryptWithAny, encrypt, type KeyPair } from './aes-gcm.js';
import { deriveKeys } from './aes-secret-box.js';

/** Tokens of links: texts that are encrypted and authenticated with a key for this purpose, in base64url. */
export class LinkTokens {
  private readonly keys: KeyPair;

  constructor(config: Config, purpose: string) {
    this.keys = deriveKeys(config, purpose);
  }

  seal(text: string): string {
    return encrypt(this.keys[0], text).toString('base64url');
  }

  /** Returns null for a token that was not sealed for this purpose, or that was altered in any character. */
  open(token: string): string | null {
    const bytes = Buffer.from(token, 'base64url');
    // Decoding ignores characters that are not base64url, and the spare bits of the last one.
    if (bytes.toString('base64url') !== token) return null;
    try {
      return decryptWithAny(this.keys, bytes);
    } catch {
      return null;
    }
  }
}
