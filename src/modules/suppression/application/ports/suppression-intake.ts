import type { AddressToSuppress, Suppression } from '../../domain/suppression.js';

/** Takes addresses to suppress, of one account and outside of transactions. */
export abstract class SuppressionIntake {
  /** Resolves when they are committed, with the entries that were added. Calls of an account that come at the same time share a transaction. */
  abstract take(accountId: string, addresses: readonly AddressToSuppress[]): Promise<Suppression[]>;
}
