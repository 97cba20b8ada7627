type CheckStatus = 'pending' | 'verified' | 'failed';

/** A domain that an account may send from with any address, once all three of its DNS checks have passed. */
export class Domain {
  id!: string;
  accountId!: string;
  /** Lower-cased, in punycode. */
  name!: string;
  dkimStatus!: CheckStatus;
  spfStatus!: CheckStatus;
  mailFromStatus!: CheckStatus;
  createdAt!: Date;

  get isVerified(): boolean {
    return [this.dkimStatus, this.spfStatus, this.mailFromStatus].every((status) => status === 'verified');
  }
}
