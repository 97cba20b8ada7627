import { Injectable } from '@nestjs/common';

import { AddressHashes } from '../../../platform/crypto/address-hashes.js';
import { Database } from '../../../platform/database/database.js';
import { type ErasedPart, RecipientErasure } from '../../../shared/ports/recipient-erasure.js';
import { ERASE, RENAME_STANDING } from './consent.sql.js';

const PART_SIZE = 1_000;
/** Erased records no longer have the address: the next part begins with those that are left. */
const MORE = 'more';

/** Replaces the address with its hash, in records and standing consents; times, wording and actions stay as proof. */
@Injectable()
export class ConsentErasure extends RecipientErasure {
  constructor(
    private readonly database: Database,
    private readonly hashes: AddressHashes,
  ) {
    super();
  }

  erasePart(accountId: string, email: string): Promise<ErasedPart> {
    const hash = this.hashes.hex(accountId, 'email', email);
    return this.database.runInLane(accountId, async () => {
      await this.database.query(RENAME_STANDING, [[accountId], ['email'], [email], [hash]]);
      const [part] = await this.database.query<{ erased: number }>(ERASE, [accountId, email, hash, PART_SIZE]);
      return { next: part?.erased === PART_SIZE ? MORE : null, hasSkipped: false };
    });
  }
}
