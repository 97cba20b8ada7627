import { type StoredSettings, trackingOf } from '../shared/account-settings.js';
import type { Channel } from '../shared/channel.js';
import { ProviderFailure } from '../shared/domain-error.js';
import type { ProviderKey } from '../shared/provider-key.js';
import type { SmtpRelay } from '../shared/smtp-relay.js';
import type { IdentityKeeper } from './capabilities/identities.js';
import type { ReportedResults } from './capabilities/reports.js';
import type { RegisteredEmail, RegisteredSms } from './registration.js';
import { DEFAULT_SMS_PROVIDER } from './sms/sms-providers.js';

/** The settings name a provider that this version of the service does not have. */
export class UnknownProviderError extends ProviderFailure {
  constructor(name: string, known: readonly string[]) {
    super(`the settings name the provider "${name}", and this version has ${known.join(', ')}`);
  }
}

const NOTHING: ReportedResults = { deliveries: false, opens: false, clicks: false };

/** All providers, by their names in settings and messages. */
export class Providers {
  private readonly emails: ReadonlyMap<string, RegisteredEmail>;
  private readonly texts: ReadonlyMap<string, RegisteredSms>;

  constructor(emails: readonly RegisteredEmail[], texts: readonly RegisteredSms[]) {
    this.emails = new Map(emails.map((provider) => [provider.kind, provider]));
    this.texts = new Map(texts.map((provider) => [provider.kind, provider]));
  }

  /** Throws UnknownProviderError. */
  email({ kind }: { kind: string }): RegisteredEmail {
    return found(this.emails, kind);
  }

  /** Throws UnknownProviderError. */
  sms({ kind }: { kind: string }): RegisteredSms {
    return found(this.texts, kind);
  }

  /** The provider that the account sends email through. Throws UnknownProviderError. */
  emailOf({ emailProvider }: StoredSettings): RegisteredEmail {
    return found(this.emails, emailProvider);
  }

  /** The provider that the account sends SMS through. Throws UnknownProviderError. */
  smsOf({ sms }: StoredSettings): RegisteredSms {
    return found(this.texts, sms?.provider ?? DEFAULT_SMS_PROVIDER);
  }

  /** The channel of the messages that the provider with this name sends. */
  channelOf(name: string): Channel {
    return this.texts.has(name) ? 'sms' : 'email';
  }

  /** Whether a provider is configured for email and for SMS. Opens no secrets. */
  configuredIn(settings: StoredSettings): { email: boolean; sms: boolean } {
    const isConfigured = (provider?: RegisteredEmail | RegisteredSms) => provider?.isConfigured(settings) ?? false;
    return {
      email: isConfigured(this.emails.get(settings.emailProvider)),
      sms: isConfigured(this.texts.get(settings.sms?.provider ?? DEFAULT_SMS_PROVIDER)),
    };
  }

  /**
   * The results of the account's messages that are reported, by its providers or, depending on `tracking`, by the
   * service. Opens no secrets.
   */
  resultsReportedTo(settings: StoredSettings): Record<Channel, ReportedResults> {
    const { emailProvider } = settings;
    const tracking = trackingOf(settings);
    const email = this.emails.get(emailProvider)?.resultsReportedBy?.(settings) ?? NOTHING;
    const isCounted = (byProvider: boolean) => tracking === 'native' || (tracking === 'provider' && byProvider);
    return {
      email: { ...email, opens: isCounted(email.opens), clicks: isCounted(email.clicks) },
      sms: this.texts.get(settings.sms?.provider ?? DEFAULT_SMS_PROVIDER)?.resultsReportedBy?.(settings) ?? NOTHING,
    };
  }

  /** The operator's relay, or null. */
  get installationRelay(): SmtpRelay | null {
    return [...this.emails.values()].find(({ installationRelay }) => installationRelay)?.installationRelay ?? null;
  }

  /** The provider that keeps the identities with this key by the settings, or null. */
  keeperOf(settings: StoredSettings, providerKey: ProviderKey): IdentityKeeper | null {
    for (const provider of this.emails.values()) {
      const connection = provider.identitiesOf ? provider.connect(settings) : null;
      const keeper = connection && provider.identitiesOf?.(connection);
      if (keeper?.key === providerKey) return keeper;
    }
    return null;
  }

  /** The names of hosts that nobody but the account may see. Opens no secrets. */
  hostsOf(settings: StoredSettings): string[] {
    return [...this.emails.values()].flatMap((provider) => provider.hostsOf?.(settings) ?? []);
  }
}

function found<T>(providers: ReadonlyMap<string, T>, name: string): T {
  const provider = providers.get(name);
  if (!provider) throw new UnknownProviderError(name, [...providers.keys()]);
  return provider;
}
