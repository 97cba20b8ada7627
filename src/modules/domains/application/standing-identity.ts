import { DomainError } from '../../../shared/domain-error.js';

/** What stands in SES already, and not for this account, may be another tenant's. */
export const standingIdentity = (name: string): DomainError =>
  DomainError.conflict(`${name} is already an identity in SES; remove it there first`);
