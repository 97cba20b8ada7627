/** Encrypts what is stored and must be read again (relay passwords, signing secrets), with a key derived from APP_SECRET. */
export abstract class SecretBox {
  abstract seal(plain: string): string;

  /** Throws if the text was sealed with another key or altered. */
  abstract open(sealed: string): string;
}
