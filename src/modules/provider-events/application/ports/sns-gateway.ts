import type { KeyObject } from 'node:crypto';

/** What Amazon SNS offers to its subscribers. */
export abstract class SnsGateway {
  /**
   * The key of the certificate at this address. Null where the address is not SNS's, or what is there no certificate in
   * force. Throws unavailable where it cannot be reached.
   */
  abstract findKey(certificateUrl: string, now: Date): Promise<KeyObject | null>;

  /** Confirms a subscription. Throws forbidden where the address is not SNS's, unavailable where that fails. */
  abstract confirm(subscribeUrl: string): Promise<void>;
}
