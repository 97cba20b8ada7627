import type { AwsAccess } from '../../../../shared/account-provider.js';
import type { SmsAccountStatus } from '../../../provider-settings/index.js';

export interface OptOutPage {
  /** As the provider writes them. */
  numbers: string[];
  /** Of the next page; null: this is the last one. */
  nextToken: string | null;
}

/** The provider's answer, or that there was none. */
export class SmsAccountFailure extends Error {
  constructor(
    message: string,
    /** `later`: it throttles, or did not answer; `token`: it knows the page's token no more; `refused`: it will say the same again. */
    readonly kind: 'later' | 'token' | 'refused',
  ) {
    super(message);
    this.name = 'SmsAccountFailure';
  }
}

/** What the SMS provider says of the AWS account that an account's SMS leave through. */
export abstract class SmsAccountGateway {
  /** Throws where it cannot be asked, or may not be with these credentials. */
  abstract describe(access: AwsAccess): Promise<Omit<SmsAccountStatus, 'checkedAt'>>;

  /** A page of the numbers that have opted out; null: the first one. Throws an SmsAccountFailure. */
  abstract listOptedOut(access: AwsAccess, token: string | null): Promise<OptOutPage>;

  /** Of a number in E.164. Throws an SmsAccountFailure. */
  abstract isOptedOut(access: AwsAccess, number: string): Promise<boolean>;
}
