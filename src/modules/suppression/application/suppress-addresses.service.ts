import { Injectable } from '@nestjs/common';

import { newId } from '../../../shared/ids.js';
import { Clock } from '../../../shared/ports/clock.js';
import { Outbox } from '../../../shared/ports/outbox.js';
import { TransactionRunner } from '../../../shared/ports/transaction-runner.js';
import { type AddressToSuppress, Suppression } from '../domain/suppression.js';
import { suppressionEvent } from '../domain/suppression-event.js';
import { SuppressionRepository } from './ports/suppression.repository.js';

/** The one way onto the list, whatever the cause, so that every suppression is told to the systems of its account. */
@Injectable()
export class SuppressAddresses {
  constructor(
    private readonly transactions: TransactionRunner,
    private readonly suppressions: SuppressionRepository,
    private readonly outbox: Outbox,
    private readonly clock: Clock,
  ) {}

  /**
   * Adds an entry for each address that has none and writes one event for it, in the running transaction or one of its
   * own. An address that stood already keeps its entry, at most with a cause that tells more, and fires nothing; of
   * concurrent calls one adds. What is no address of its channel is left out: nothing can be sent to it.
   * Returns the entries that were added.
   */
  async suppress(addresses: readonly AddressToSuppress[]): Promise<Suppression[]> {
    const now = this.clock.now();
    const causes = new Map<string, AddressToSuppress>();
    const wanted = addresses.flatMap((cause) => {
      const suppression = Suppression.create(newId(now), cause, now);
      if (suppression) causes.set(suppression.id, cause);
      return suppression ?? [];
    });
    if (wanted.length === 0) return [];
    return this.transactions.run(async () => {
      const added = await this.suppressions.addAcrossAccounts(wanted);
      await this.outbox.add(
        added.flatMap((suppression) => {
          const cause = causes.get(suppression.id);
          return cause ? suppressionEvent(suppression, cause) : [];
        }),
      );
      return added;
    });
  }
}
