import { DomainError } from '../../../shared/domain-error.js';

/** Another account of the installation has verified the domain. */
export class DomainTakenError extends DomainError {
  constructor(name: string) {
    super('conflict', 'conflict', `${name} belongs to another account of this installation`);
  }
}

/** An identity that the provider already has, and that this account did not create, may belong to another tenant. */
export const identityExists = (name: string, { label }: { label: string }): DomainError =>
  DomainError.conflict(`${name} is already an identity in ${label}; remove it there first`);
