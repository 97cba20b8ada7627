import { Injectable } from '@nestjs/common';

import { KeyedBatcher } from '../../../shared/keyed-batcher.js';
import { POSTGRES_FAULTS } from '../../../platform/database/postgres-faults.js';
import { SuppressionIntake } from '../application/ports/suppression-intake.js';
import { WriteSuppressions } from '../application/write-suppressions.service.js';
import type { AddressToSuppress, Suppression } from '../domain/suppression.js';

const MAX_ADDRESSES = 1_000;
/** Each batch takes a connection. */
const ACCOUNTS_AT_ONCE = 4;

/** However many people unsubscribe from an account at once, they take one connection. */
@Injectable()
export class BatchedSuppressionIntake extends SuppressionIntake {
  private readonly lines: KeyedBatcher<readonly AddressToSuppress[], Suppression[]>;

  constructor(private readonly writeSuppressions: WriteSuppressions) {
    super();
    this.lines = new KeyedBatcher((calls) => this.write(calls), {
      maxSize: MAX_ADDRESSES,
      sizeOf: (addresses) => addresses.length,
      atOnce: ACCOUNTS_AT_ONCE,
      faults: POSTGRES_FAULTS,
    });
  }

  take(accountId: string, addresses: readonly AddressToSuppress[]): Promise<Suppression[]> {
    return this.lines.add(accountId, addresses);
  }

  private async write(calls: readonly (readonly AddressToSuppress[])[]): Promise<Suppression[][]> {
    const added = await this.writeSuppressions.write(calls.flat());
    return calls.map((causes) => causes.flatMap((cause) => added.get(cause) ?? []));
  }
}
