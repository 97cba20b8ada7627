import type { StoredSettings } from '../shared/account-settings.js';
import type { Channel } from '../shared/channel.js';
import { DomainError } from '../shared/domain-error.js';
import type { Seal, SettingsSection } from './capabilities/settings.js';
import { SECTIONS } from './registration.js';

type Sections = typeof SECTIONS;
type SectionName = keyof Sections;
type AnySection = SettingsSection<object, unknown, string>;
const LIST = Object.entries(SECTIONS) as unknown as [SectionName, AnySection][];

/** Absent sections are kept, null clears. */
export type SectionChanges = {
  [Name in SectionName]?: Parameters<Sections[Name]['change']>[1] | null;
};

/** Changes the sections of the settings. Returns the affected channels. Throws `invalid`. */
export function changeSections(settings: StoredSettings, change: SectionChanges, seal: Seal): Channel[] {
  const changed = LIST.filter(([name]) => change[name] !== undefined);
  for (const [name, section] of changed) {
    const wanted = change[name];
    Object.assign(settings, { [name]: wanted && section.change(settings[name], wanted, seal) });
  }
  const fault = LIST.map(([, section]) => section.faultOf?.(settings)).find((found) => typeof found === 'string');
  if (fault) throw DomainError.invalid(fault);
  return changed.flatMap(([, { channels }]) => channels);
}

/** Identifies the account at the SMS provider that the settings select, whose status is recorded. */
export const smsAccountOf = (settings: StoredSettings): string => SECTIONS.sms.accountOf(settings);

/** The sealed fields of all sections. */
export const SEALED_FIELDS = Object.entries(SECTIONS).flatMap(([section, { secrets }]) =>
  secrets.map((field) => ({ section, field })),
);
