import { Injectable } from '@nestjs/common';

import { Clock } from '../../../shared/ports/clock.js';
import { ErasedSuppressions } from './ports/suppression.repository.js';
import { SuppressedContacts } from './ports/suppressed-contacts.js';

/** Keeps erased addresses suppressed. It writes no event, because an event would spread the address again. */
@Injectable()
export class ErasedAddresses {
  constructor(
    private readonly contacts: SuppressedContacts,
    private readonly erased: ErasedSuppressions,
    private readonly clock: Clock,
  ) {}

  /** Until the current transaction ends, nobody else suppresses addresses of the account or commits new contacts. */
  lock(accountId: string): Promise<void> {
    return this.contacts.lock([accountId], []);
  }

  /** Call it after `lock`, with a normalised address. */
  suppress(accountId: string, email: string, contactId: string): Promise<void> {
    return this.erased.suppress(accountId, email, contactId, this.clock.now());
  }

  /** Removes the entry of a normalised address, if there is one. */
  forget(accountId: string, email: string): Promise<void> {
    return this.erased.remove(accountId, email);
  }

  isErasedContact(accountId: string, contactId: string): Promise<boolean> {
    return this.erased.isErasedContact(accountId, contactId);
  }
}
