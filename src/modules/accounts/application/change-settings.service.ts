import { Injectable } from '@nestjs/common';

import { DomainError } from '../../../shared/domain-error.js';
import { Clock } from '../../../shared/ports/clock.js';
import { SecretBox } from '../../../shared/ports/secret-box.js';
import { TransactionRunner } from '../../../shared/ports/transaction-runner.js';
import type { Account } from '../domain/account.js';
import { changeSmtp, type SmtpChange } from '../domain/smtp-settings.js';
import { AccountRepository } from './ports/account.repository.js';

/** Absent fields are kept; `smtp: null` clears. */
export interface SettingsChange {
  accountName?: string;
  dailySendCap?: number;
  emailProvider?: 'smtp';
  smtp?: SmtpChange | null;
}

@Injectable()
export class ChangeSettings {
  constructor(
    private readonly transactions: TransactionRunner,
    private readonly accounts: AccountRepository,
    private readonly secrets: SecretBox,
    private readonly clock: Clock,
  ) {}

  /** Locks the account, so that of changes made at the same time none undoes another. */
  async change(accountId: string, change: SettingsChange): Promise<Account> {
    return this.transactions.run(async () => {
      const account = await this.accounts.findAndLock(accountId);
      if (!account) throw DomainError.notFound('Account');
      account.name = change.accountName ?? account.name;
      account.dailySendCap = change.dailySendCap ?? account.dailySendCap;
      account.emailProvider = change.emailProvider ?? account.emailProvider;
      if (change.smtp !== undefined) account.smtp = this.changeSmtp(account, change.smtp);
      account.updatedAt = this.clock.now();
      await this.accounts.save(account);
      return account;
    });
  }

  private changeSmtp({ smtp }: Account, change: SmtpChange | null) {
    return change && changeSmtp(smtp, change, (plain) => this.secrets.seal(plain));
  }
}
