/** Encrypts secrets that must be read again, such as relay passwords, with a key derived from APP_SECRET. */
export abstract class SecretBox {
  abstract seal(plain: string): string;

  /** Throws if the text was sealed with another key or altered. */
  abstract open(sealed: string): string;
}
