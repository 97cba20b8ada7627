import { Injectable } from '@nestjs/common';

import { Config } from '../../../config/config.js';
import { SecretBox } from '../../../shared/ports/secret-box.js';
import { relayFromUrl, type SmtpRelay } from '../../../shared/smtp-relay.js';
import { AccountRepository } from '../application/ports/account.repository.js';
import { RelayDirectory } from '../application/ports/relay-directory.js';

@Injectable()
export class SettingsRelayDirectory extends RelayDirectory {
  private readonly installationRelay: SmtpRelay | null;

  constructor(
    private readonly accounts: AccountRepository,
    private readonly secrets: SecretBox,
    config: Config,
  ) {
    super();
    this.installationRelay = config.smtpUrl === undefined ? null : relayFromUrl(config.smtpUrl);
  }

  async find(accountId: string): Promise<SmtpRelay | null> {
    const smtp = (await this.accounts.find(accountId))?.smtp;
    if (!smtp) return this.installationRelay;
    const { sealedPassword, ...relay } = smtp;
    return { ...relay, password: sealedPassword === null ? null : this.secrets.open(sealedPassword) };
  }
}
