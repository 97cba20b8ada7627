import { Injectable } from '@nestjs/common';

import { ConsentContacts } from '../../consent/index.js';
import { SuppressedContacts, SuppressionList } from '../../suppression/index.js';
import { ContactLocks } from './ports/contact-locks.js';

@Injectable()
export class ContactsOfConsents extends ConsentContacts {
  constructor(
    private readonly contacts: SuppressedContacts,
    private readonly locks: ContactLocks,
    private readonly suppressions: SuppressionList,
  ) {
    super();
  }

  async findIdsAcrossAccounts(addresses: readonly { accountId: string; email: string }[]): Promise<(string | null)[]> {
    const found = await this.contacts.findAcrossAccounts(addresses);
    return found.map((contact) => contact?.contactId ?? null);
  }

  async keepUnerased(accountId: string, email: string): Promise<boolean> {
    await this.locks.lockSuppressionsShared(accountId);
    return (await this.suppressions.findReasons(accountId, [email])).get(email) !== 'erased';
  }
}
