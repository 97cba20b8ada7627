import { Injectable } from '@nestjs/common';

import { Database } from '../../../platform/database/database.js';
import { newId } from '../../../shared/ids.js';
import { ErasedSuppressions } from '../application/ports/suppression.repository.js';
import { AddressHashes } from '../../../platform/crypto/address-hashes.js';
import { ADD_ERASED, ERASE_ADDRESS, FIND_ERASED_CONTACT, REMOVE_ADDRESS } from './suppression.sql.js';

@Injectable()
export class SqlErasedSuppressions extends ErasedSuppressions {
  constructor(
    private readonly database: Database,
    private readonly hashes: AddressHashes,
  ) {
    super();
  }

  async suppress(accountId: string, email: string, contactId: string, now: Date): Promise<void> {
    const hash = this.hashes.hash(accountId, 'email', email);
    const erased = await this.database.query(ERASE_ADDRESS, [accountId, email, hash, contactId]);
    if (erased.length === 0) await this.database.query(ADD_ERASED, [newId(now), accountId, hash, contactId, now]);
  }

  async remove(accountId: string, email: string): Promise<void> {
    await this.database.query(REMOVE_ADDRESS, [accountId, email]);
  }

  async isErasedContact(accountId: string, contactId: string): Promise<boolean> {
    return (await this.database.query(FIND_ERASED_CONTACT, [accountId, contactId])).length > 0;
  }
}
