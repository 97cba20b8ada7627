import type { StoredSettings } from '../../shared/account-settings.js';
import type { KeepsIdentities, SendsForDomains } from './identities.js';
import type { DescribesAccount, ListsOptOuts } from './opt-outs.js';
import type { ReportsResults } from './reports.js';
import type {
  AddsHeaders,
  ChecksConnection,
  Connection,
  LimitsRate,
  MailConnection,
  RelaysMail,
  SendsEmail,
  SendsSms,
  TextConnection,
} from './sending.js';

/** The methods that every provider has for the settings of an account. */
interface Provider<C extends Connection> {
  /** The name of the provider in settings and with messages. */
  readonly kind: C['kind'];

  /** Opens the secrets. Returns null if the account has not configured the provider. */
  connect(settings: StoredSettings): C | null;

  /** Whether messages can be sent. Opens no secrets. */
  isConfigured(settings: StoredSettings): boolean;
}

/** The core asks for the optional capabilities, and never for the name of a provider. */
export interface EmailProvider<C extends MailConnection>
  extends
    Provider<C>,
    SendsEmail<C>,
    Partial<AddsHeaders<C>>,
    Partial<LimitsRate<C>>,
    Partial<ChecksConnection<C>>,
    Partial<KeepsIdentities<C>>,
    Partial<SendsForDomains<C>>,
    Partial<RelaysMail<C>>,
    Partial<ReportsResults> {
  /** Whether the provider signs mail. Otherwise the service does, with the key of its domain. */
  readonly signsMail: boolean;

  /** The names of hosts that nobody but the account may see. Opens no secrets. */
  hostsOf?(settings: StoredSettings): string[];
}

export interface SmsProvider<C extends TextConnection>
  extends
    Provider<C>,
    SendsSms<C>,
    Partial<LimitsRate<C>>,
    Partial<ListsOptOuts<C>>,
    Partial<DescribesAccount<C>>,
    Partial<ReportsResults> {}
