import { Injectable } from '@nestjs/common';

import { type RecipientContact, RecipientContacts } from '../../messages/index.js';
import { ContactRepository } from '../application/ports/contact.repository.js';

@Injectable()
export class StoredRecipientContacts extends RecipientContacts {
  constructor(private readonly contacts: ContactRepository) {
    super();
  }

  find(accountId: string, contactId: string): Promise<RecipientContact | null> {
    return this.contacts.find(accountId, contactId);
  }
}
