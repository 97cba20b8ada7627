export interface OriginationNumber {
  phoneNumber: string;
  country: string;
  routeType: 'Transactional' | 'Promotional' | 'Premium';
  capabilities: ('SMS' | 'VOICE' | 'MMS')[];
}

/** The text messaging half of an account. */
export class SmsAccount {
  /** As with AWS, an opted-out number is accepted by Publish and gets nothing. */
  readonly optedOut = new Set<string>();
  sandbox = false;
  /** Only these receive in the sandbox, once verified. */
  readonly sandboxNumbers = new Map<string, 'Pending' | 'Verified'>();
  readonly originationNumbers: OriginationNumber[] = [];
}
