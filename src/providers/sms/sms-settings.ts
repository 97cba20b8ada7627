import type { SmsSettings, StoredSettings } from '../../shared/account-settings.js';
import { DomainError } from '../../shared/domain-error.js';
import { normaliseSmsSender } from '../../shared/phone-number.js';
import { isTimeZone, type QuietHours } from '../../shared/quiet-hours.js';
import type { Seal, SettingsSection, SmsProviderSettings } from '../capabilities/settings.js';
import { distinctStopWords, stopWordFault } from '../events/sms-reply.js';

/** Absent fields are kept, null clears. */
export interface SmsChange {
  /** The name of the provider. */
  provider?: string;
  enabled?: boolean;
  originationNumber?: string | null;
  twoWay?: boolean;
  maxSendRate?: number;
  stopWords?: readonly string[] | null;
  quietHours?: QuietHours | null;
}

/** The settings of the SMS providers in the section of the channel, by provider name. */
export type SmsProviders<Change> = Readonly<Record<string, SmsProviderSettings<SmsSettings, Change> | undefined>>;

const CHANNEL_FIELDS: ReadonlySet<string> = new Set<keyof SmsChange>([
  'provider',
  'enabled',
  'originationNumber',
  'twoWay',
  'maxSendRate',
  'stopWords',
  'quietHours',
]);

/** The fields of the channel, and those of each provider. `defaultName` is the provider of settings that name none. */
export class SmsSection<Change extends SmsChange> implements SettingsSection<SmsSettings, Change, string> {
  readonly channels = ['sms'] as const;

  constructor(
    private readonly providers: SmsProviders<Change>,
    private readonly defaultName: string,
  ) {}

  get secrets(): readonly string[] {
    return Object.values(this.providers).flatMap((provider) => provider?.secrets ?? []);
  }

  /** Fields of a provider that this version does not have are kept as they are. */
  change(current: SmsSettings | null, change: Change, seal: Seal): SmsSettings {
    const name = change.provider ?? current?.provider;
    const provider = this.providers[name ?? this.defaultName];
    requireOwnFields(change, provider?.fields ?? [], name ?? this.defaultName);
    // The limit is that of a number, and another provider has other numbers.
    const keptRate =
      (name ?? this.defaultName) === (current?.provider ?? this.defaultName) ? current?.maxSendRate : undefined;
    const fields = provider?.change(current, change, seal);
    const settings = {
      ...current,
      ...fields,
      ...(name !== undefined && { provider: name }),
      enabled: change.enabled ?? current?.enabled ?? false,
      originationNumber:
        change.originationNumber === undefined
          ? (current?.originationNumber ?? null)
          : parseNumber(change.originationNumber),
      twoWay: change.twoWay ?? current?.twoWay ?? false,
      ...(change.stopWords !== undefined && { stopWords: readStopWords(change.stopWords) }),
      ...(change.quietHours !== undefined && { quietHours: readQuietHours(change.quietHours) }),
      maxSendRate: change.maxSendRate ?? keptRate ?? provider?.initialRate ?? 1,
    };
    const fault = provider?.faultOf?.(settings) ?? null;
    if (fault !== null) throw DomainError.invalid(fault);
    return settings;
  }

  /** Identifies the account at the provider that the settings select, whose status is recorded. */
  accountOf(settings: StoredSettings): string {
    const name = settings.sms?.provider ?? this.defaultName;
    return `${name} ${this.providers[name]?.accountOf(settings) ?? ''}`;
  }
}

/** Refuses fields of another provider, or of one that this version does not have: they would be lost silently. */
function requireOwnFields(change: SmsChange, fields: readonly string[], name: string): void {
  const isForeign = ([field, value]: [string, unknown]) =>
    value !== undefined && !CHANNEL_FIELDS.has(field) && !fields.includes(field);
  const [field] = Object.entries(change).find(isForeign) ?? [];
  if (field !== undefined) throw DomainError.invalid(`sms.${field} is no setting of the provider ${name}`);
}

function readStopWords(texts: readonly string[] | null): readonly string[] {
  for (const [i, text] of (texts ?? []).entries()) {
    const fault = stopWordFault(text);
    if (fault !== null) throw DomainError.invalid(`sms.stopWords[${i}] ${fault}`);
  }
  return distinctStopWords(texts ?? []);
}

function readQuietHours(hours: QuietHours | null): QuietHours | null {
  if (hours === null) return null;
  const { from, to, timeZone } = hours;
  if (from === to) throw DomainError.invalid('sms.quietHours.to must not be the same as sms.quietHours.from');
  if (!isTimeZone(timeZone))
    throw DomainError.invalid('sms.quietHours.timeZone must be an IANA time zone such as Europe/Berlin');
  return { from, to, timeZone };
}

function parseNumber(text: string | null): string | null {
  if (text === null) return null;
  const number = normaliseSmsSender(text);
  if (number !== null) return number;
  throw DomainError.invalid(
    'sms.originationNumber must be a phone number in E.164 format or of 10 digits (US), or a short code',
  );
}
