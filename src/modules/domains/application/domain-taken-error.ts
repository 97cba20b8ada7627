import { DomainError } from '../../../shared/domain-error.js';

/** Another account of the installation has the domain verified. */
export class DomainTakenError extends DomainError {
  constructor(name: string) {
    super('conflict', 'domain_taken', `${name} belongs to another account of this installation`);
  }
}
