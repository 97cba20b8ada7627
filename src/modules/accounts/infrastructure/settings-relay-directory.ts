import { Injectable } from '@nestjs/common';

import { Config } from '../../../config/config.js';
import { SecretBox } from '../../../shared/ports/secret-box.js';
import { relayFromUrl, type SmtpRelay } from '../../../shared/smtp-relay.js';
import { AccountRepository } from '../application/ports/account.repository.js';
import { RelayDirectory } from '../application/ports/relay-directory.js';

/** A change of settings reaches the workers after this long. */
const FRESH_FOR_MS = 1_000;
const MAX_REMEMBERED = 1_000;

@Injectable()
export class SettingsRelayDirectory extends RelayDirectory {
  private readonly installationRelay: SmtpRelay | null;
  private readonly remembered = new Map<string, { relay: Promise<SmtpRelay | null>; until: number }>();

  constructor(
    private readonly accounts: AccountRepository,
    private readonly secrets: SecretBox,
    config: Config,
  ) {
    super();
    this.installationRelay = config.smtpUrl === undefined ? null : relayFromUrl(config.smtpUrl);
  }

  find(accountId: string): Promise<SmtpRelay | null> {
    const now = performance.now();
    const known = this.remembered.get(accountId);
    if (known && known.until > now) return known.relay;
    if (this.remembered.size >= MAX_REMEMBERED) this.remembered.clear();
    const relay = this.read(accountId);
    relay.catch(() => this.remembered.delete(accountId));
    this.remembered.set(accountId, { relay, until: now + FRESH_FOR_MS });
    return relay;
  }

  private async read(accountId: string): Promise<SmtpRelay | null> {
    const smtp = (await this.accounts.find(accountId))?.smtp;
    if (!smtp) return this.installationRelay;
    const { sealedPassword, ...relay } = smtp;
    return { ...relay, password: sealedPassword === null ? null : this.secrets.open(sealedPassword) };
  }
}
