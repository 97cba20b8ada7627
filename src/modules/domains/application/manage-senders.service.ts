import { Injectable } from '@nestjs/common';

import { DomainError } from '../../../shared/domain-error.js';
import { newId } from '../../../shared/ids.js';
import type { Page, PageRequest } from '../../../shared/page.js';
import { Clock } from '../../../shared/ports/clock.js';
import { expiryIfMailedAMinuteBefore, Sender } from '../domain/sender.js';
import { expiryIfMailedAt, hashToken, newToken } from '../domain/verification-token.js';
import { SenderRepository } from './ports/sender.repository.js';
import { VerificationMailer } from './ports/verification-mailer.js';

@Injectable()
export class ManageSenders {
  constructor(
    private readonly senders: SenderRepository,
    private readonly mailer: VerificationMailer,
    private readonly clock: Clock,
  ) {}

  /** Adds a pending sender and mails its link. The sender stays when the mail fails: `resend` tries again. */
  async create(accountId: string, email: string): Promise<Sender> {
    const now = this.clock.now();
    const token = newToken();
    const sender = Sender.pending(newId(now), accountId, email, hashToken(token), now);
    if ((await this.senders.addIfAbsent(sender)) === 'stood') {
      throw DomainError.conflict(`${sender.email} is already a sender of this account`);
    }
    await this.mail(sender, token);
    return sender;
  }

  list(accountId: string, page: PageRequest): Promise<Page<Sender>> {
    return this.senders.list(accountId, page);
  }

  async remove(accountId: string, id: string): Promise<Sender> {
    return found(await this.senders.remove(accountId, id));
  }

  /** Mails a new link, which puts the earlier ones out of use; at most once a minute. */
  async resend(accountId: string, id: string): Promise<Sender> {
    const now = this.clock.now();
    const token = newToken();
    const replacement = { hash: hashToken(token), expiresAt: expiryIfMailedAt(now) };
    const lately = expiryIfMailedAMinuteBefore(now);
    const sender = await this.senders.replaceToken(accountId, id, replacement, lately);
    if (!sender) throw await this.whyNotResent(accountId, id, now);
    await this.mail(sender, token);
    return sender;
  }

  /** A mail that fails does not count: the next may follow at once. Its link stays in use, as it may have arrived. */
  private async mail({ accountId, id, email }: Sender, token: string): Promise<void> {
    try {
      await this.mailer.mail(accountId, email, token);
    } catch (error) {
      const expiresAt = expiryIfMailedAMinuteBefore(this.clock.now());
      await this.senders.setTokenExpiry(accountId, id, hashToken(token), expiresAt);
      throw error;
    }
  }

  private async whyNotResent(accountId: string, id: string, now: Date): Promise<DomainError> {
    const sender = found(await this.senders.find(accountId, id));
    if (sender.status === 'verified') return DomainError.conflict(`${sender.email} is already verified`);
    const wait = Math.max(1, sender.secondsUntilNextMail(now));
    return new DomainError('limit_exceeded', 'mailed_lately', 'The last mail was sent less than a minute ago', wait);
  }
}

function found(sender: Sender | null): Sender {
  if (!sender) throw DomainError.notFound('Sender');
  return sender;
}
