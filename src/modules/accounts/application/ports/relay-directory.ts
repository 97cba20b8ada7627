import type { SmtpRelay } from '../../../../shared/smtp-relay.js';

/** Which relay an account's mail goes through. */
export abstract class RelayDirectory {
  /** The account's own relay, else the installation's; null where neither is set. */
  abstract find(accountId: string): Promise<SmtpRelay | null>;
}
