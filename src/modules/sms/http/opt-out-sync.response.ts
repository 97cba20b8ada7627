import type { OptOutSync } from '../application/ports/opt-out-progress.js';

export class OptOutSyncResponse {
  /** Numbers that this pass over the list suppressed. */
  added!: number;

  /** Numbers on the provider's list; of a pass under way those that it has read. */
  total!: number;

  /** When the list was read to its end last; null: never yet. */
  syncedAt!: Date | null;

  static from({ added, total, syncedAt }: OptOutSync): OptOutSyncResponse {
    return { added, total, syncedAt };
  }
}

export class OptOutSyncStateResponse extends OptOutSyncResponse {
  /** What the provider answered when the list could not be read last; null once it was read again. */
  error!: string | null;

  static override from(sync: OptOutSync): OptOutSyncStateResponse {
    return { ...OptOutSyncResponse.from(sync), error: sync.error };
  }
}
