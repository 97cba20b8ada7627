import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Encrypts with AES-256-GCM; the result is nonce, tag and ciphertext. */
export function encrypt(key: Buffer, plain: string): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, nonce);
  const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), body]);
}

/** The current key, and the previous one while the secret is being changed. */
export type KeyPair = readonly [current: Buffer, previous?: Buffer];

/** Throws if the bytes were encrypted with neither key or altered. */
export function decryptWithAny([current, previous]: KeyPair, bytes: Buffer): string {
  try {
    return decrypt(current, bytes);
  } catch (error) {
    if (previous === undefined) throw error;
    return decrypt(previous, bytes);
  }
}

function decrypt(key: Buffer, bytes: Buffer): string {
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES });
  decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
  return decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES), undefined, 'utf8') + decipher.final('utf8');
}
