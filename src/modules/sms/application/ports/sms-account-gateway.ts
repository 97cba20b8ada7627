import type { AwsAccess } from '../../../../shared/account-provider.js';
import type { SmsAccountStatus } from '../../../provider-settings/index.js';

export interface OptOutPage {
  /** As the provider writes them. */
  numbers: string[];
  /** The token of the next page; null: this is the last page. */
  nextToken: string | null;
}

/** The provider refused a request or did not answer it. */
export class SmsAccountFailure extends Error {
  constructor(
    message: string,
    /** `later`: throttled or no answer; `token`: the page token is no longer valid; `refused`: a retry is pointless. */
    readonly kind: 'later' | 'token' | 'refused',
  ) {
    super(message);
    this.name = 'SmsAccountFailure';
  }
}

/** Reads the state of an AWS account that sends SMS. */
export abstract class SmsAccountGateway {
  /** Throws if the provider does not answer or refuses the credentials. */
  abstract describe(access: AwsAccess): Promise<Omit<SmsAccountStatus, 'checkedAt'>>;

  /** A page of the numbers that have opted out; `token` null: the first page. Throws SmsAccountFailure. */
  abstract listOptedOut(access: AwsAccess, token: string | null): Promise<OptOutPage>;

  /** `number` is in E.164. Throws SmsAccountFailure. */
  abstract isOptedOut(access: AwsAccess, number: string): Promise<boolean>;
}

/**
 * Limits the requests about an opt-out list over all accounts and processes. A `source` names the AWS access that they
 * share.
 */
export abstract class SyncRate {
  /** The time between two requests for a page. */
  abstract readonly pageIntervalMs: number;

  /** Reserves a slot for a request. Returns the milliseconds until it begins. */
  abstract reserve(source: string, request: 'page' | 'number'): Promise<number>;
}
