import type { StoredSettings } from '../../shared/account-settings.js';
import type { Channel } from '../../shared/channel.js';

export type Seal = (plain: string) => string;

/** A section of an account's settings, which is also a column of its row. */
export interface SettingsSection<Stored extends object, Change, Secret extends string = keyof Stored & string> {
  /** The fields that hold a secret, sealed by the SecretBox. They are never returned, nor logged. */
  readonly secrets: readonly Secret[];

  /** A change ends the pauses of these channels, because it may remove their cause. */
  readonly channels: readonly Channel[];

  /** The changed settings: absent fields are kept, null clears. Throws `invalid`. */
  change(current: Stored | null, change: Change, seal: Seal): Stored;

  /** The fault of the settings as a whole; null if there is none. */
  faultOf?(settings: StoredSettings): string | null;
}

/** The fields of a provider in the section of its channel, which several providers share. */
export interface SmsProviderSettings<Stored extends object, Change> {
  /** The fields of a change that are of this provider alone. */
  readonly fields: readonly string[];

  /** The fields that hold a secret, as in a SettingsSection. */
  readonly secrets: readonly string[];

  /** Messages per second, unless the account sets a limit. */
  readonly initialRate: number;

  /** The changed fields of this provider alone. Throws `invalid`. */
  change(current: Stored | null, change: Change, seal: Seal): object;

  /** The fault of the section as a whole; null if there is none. */
  faultOf?(settings: Stored): string | null;

  /** Identifies the account at the provider that the settings select. Opens no secrets. */
  accountOf(settings: StoredSettings): string;
}
