import type { OptOutSync } from '../application/ports/opt-out-sync.repository.js';

export class OptOutSyncResponse {
  /** Numbers suppressed by this sync. */
  added!: number;

  /** Numbers on the provider's list that this sync has read so far. */
  total!: number;

  /** When the list was last read completely; null: never, or this sync continues (202). */
  syncedAt!: Date | null;

  static from({ added, total, syncedAt }: OptOutSync): OptOutSyncResponse {
    return { added, total, syncedAt };
  }
}

export class OptOutSyncStateResponse extends OptOutSyncResponse {
  /** The provider's error if the list could not be read; null once it is read again. */
  error!: string | null;

  static override from(sync: OptOutSync): OptOutSyncStateResponse {
    return { ...OptOutSyncResponse.from(sync), error: sync.error };
  }
}
