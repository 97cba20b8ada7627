import { randomBytes } from 'node:crypto';

import { AwsError } from './aws-error.js';

export type CheckStatus = 'NOT_STARTED' | 'PENDING' | 'SUCCESS' | 'FAILED' | 'TEMPORARY_FAILURE';

export interface Identity {
  readonly name: string;
  readonly type: 'DOMAIN' | 'EMAIL_ADDRESS';
  /** Sending is allowed from `SUCCESS` on. */
  verificationStatus: CheckStatus;
  /** `HOST_NOT_FOUND` and so on: why the last check of the records failed. */
  verificationError: string | undefined;
  dkimStatus: CheckStatus;
  /** Three for a domain, none for an address. */
  dkimTokens: string[];
  keyLength: string;
  mailFrom: { domain: string; status: CheckStatus; onMxFailure: string } | undefined;
}

/** The identities of one account. DNS is not looked at: a test sets the statuses. */
export class Identities {
  private readonly byName = new Map<string, Identity>();

  create(name: string, keyLength = 'RSA_2048_BIT'): Identity {
    if (this.find(name)) throw new AwsError(400, 'AlreadyExistsException', `Email identity ${name} already exist.`);
    const type = name.includes('@') ? 'EMAIL_ADDRESS' : 'DOMAIN';
    const identity: Identity = {
      name,
      type,
      verificationStatus: 'PENDING',
      verificationError: undefined,
      dkimStatus: type === 'DOMAIN' ? 'PENDING' : 'NOT_STARTED',
      dkimTokens: type === 'DOMAIN' ? [newToken(), newToken(), newToken()] : [],
      keyLength,
      mailFrom: undefined,
    };
    this.byName.set(name.toLowerCase(), identity);
    return identity;
  }

  find(name: string): Identity | undefined {
    return this.byName.get(name.toLowerCase());
  }

  get(name: string): Identity {
    const identity = this.find(name);
    if (!identity) throw new AwsError(404, 'NotFoundException', `Email identity ${name} does not exist.`);
    return identity;
  }

  delete(name: string): void {
    this.byName.delete(this.get(name).name.toLowerCase());
  }

  /** Every check of the identity passed; creates it where it is missing. */
  verify(name: string): Identity {
    const identity = this.find(name) ?? this.create(name);
    identity.verificationStatus = 'SUCCESS';
    identity.verificationError = undefined;
    if (identity.type === 'DOMAIN') identity.dkimStatus = 'SUCCESS';
    if (identity.mailFrom) identity.mailFrom.status = 'SUCCESS';
    return identity;
  }

  /** The verified identity that lets an address send: itself, its domain or a parent of it. */
  covering(address: string): Identity | undefined {
    const labels = address.slice(address.lastIndexOf('@') + 1).split('.');
    const domains = labels.map((_, at) => labels.slice(at).join('.'));
    return [address, ...domains]
      .map((name) => this.find(name))
      .find((identity) => identity?.verificationStatus === 'SUCCESS');
  }
}

/** 32 lower-case letters and digits, as those of Easy DKIM. */
const newToken = () => Array.from(randomBytes(32), (byte) => (byte % 36).toString(36)).join('');
