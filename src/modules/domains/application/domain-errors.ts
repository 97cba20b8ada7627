import { DomainError } from '../../../shared/domain-error.js';

/** Another account of the installation has verified the domain. */
export class DomainTakenError extends DomainError {
  constructor(name: string) {
    super('conflict', 'domain_taken', `${name} belongs to another account of this installation`);
  }
}

/** An identity that already exists in SES, and that this account did not create, may belong to another tenant. */
export const sesIdentityExists = (name: string): DomainError =>
  DomainError.conflict(`${name} is already an identity in SES; remove it there first`);
