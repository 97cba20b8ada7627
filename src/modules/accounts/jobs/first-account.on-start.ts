import { Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';

import { Config } from '../../../config/config.js';
import { CreateAccount } from '../application/create-account.service.js';

const HOW_TO_CREATE =
  'There is no account yet, so nobody can sign in. Create one: npm run account:create -- --name … --email … --password …, ' +
  'or set ADMIN_EMAIL and ADMIN_PASSWORD and start again.';

/**
 * Creates the account of ADMIN_EMAIL and ADMIN_PASSWORD in an empty installation, before the first request is served.
 */
@Injectable()
export class FirstAccountOnStart implements OnApplicationBootstrap {
  private readonly logger = new Logger(FirstAccountOnStart.name);

  constructor(
    private readonly config: Config,
    private readonly createAccount: CreateAccount,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    if (!this.config.admin) {
      if (await this.createAccount.isMissing()) this.logger.warn(HOW_TO_CREATE);
      return;
    }
    const { accountName: name, email, password } = this.config.admin;
    const account = await this.createAccount.createFirst({ name, email, password });
    if (account) this.logger.log(`Created the first account ${account.id}`);
  }
}
