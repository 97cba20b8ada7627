import type { KeyObject } from 'node:crypto';

/** With what a message is signed (DKIM, RSA). */
export interface SigningKey {
  domainName: string;
  selector: string;
  privateKey: KeyObject;
}

/** The keys of verified domains. Asked for every message that goes out. */
export abstract class SigningKeys {
  /**
   * Null unless the account has this very domain, its DKIM record is verified and we sign (SES signs by itself). A change
   * may take a minute to show. `domainName` is lower-cased, in punycode.
   */
  abstract find(accountId: string, domainName: string): Promise<SigningKey | null>;
}
