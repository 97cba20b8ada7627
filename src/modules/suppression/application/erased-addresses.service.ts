import { Injectable } from '@nestjs/common';

import { Clock } from '../../../shared/ports/clock.js';
import { ErasedSuppressions } from './ports/erased-suppressions.js';
import { SuppressedContacts } from './ports/suppressed-contacts.js';

/** Addresses that stay blocked although nothing is kept of them. No event tells of it: it would spread them once more. */
@Injectable()
export class ErasedAddresses {
  constructor(
    private readonly contacts: SuppressedContacts,
    private readonly erased: ErasedSuppressions,
    private readonly clock: Clock,
  ) {}

  /** Within the running transaction: until it ends nobody else suppresses addresses of the account or commits new contacts. */
  hold(accountId: string): Promise<void> {
    return this.contacts.hold([accountId], []);
  }

  /** After `hold`, of a normalised address. */
  suppress(accountId: string, email: string, contactId: string): Promise<void> {
    return this.erased.suppress(accountId, email, contactId, this.clock.now());
  }

  knowsContact(accountId: string, contactId: string): Promise<boolean> {
    return this.erased.knowsContact(accountId, contactId);
  }
}
