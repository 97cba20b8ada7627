import { Injectable } from '@nestjs/common';

import { DomainError } from '../../../shared/domain-error.js';
import { emailDomain } from '../../../shared/email-address.js';
import { newId } from '../../../shared/ids.js';
import type { Page, PageRequest } from '../../../shared/page.js';
import { Clock } from '../../../shared/ports/clock.js';
import { expiryIfMailedAMinuteBefore, firstPollAt, Sender } from '../domain/sender.js';
import { expiryIfMailedAt, hashToken, newToken } from '../domain/verification-token.js';
import { AskHolder } from './ask-holder.service.js';
import { DomainRepository } from './ports/domain.repository.js';
import { SenderRepository } from './ports/sender.repository.js';

@Injectable()
export class ManageSenders {
  constructor(
    private readonly senders: SenderRepository,
    private readonly domains: DomainRepository,
    private readonly askHolder: AskHolder,
    private readonly clock: Clock,
  ) {}

  /**
   * Adds a pending sender and has its link mailed. The sender stays when the mail fails: `resend` tries again. An address
   * that SES knows as verified is so at once, and one that it keeps for another account is refused.
   */
  async create(accountId: string, email: string): Promise<Sender> {
    await this.requireOpenDomain(accountId, email);
    const now = this.clock.now();
    const token = newToken();
    const setUpFor = await this.askHolder.presentSetUp(accountId);
    const sender = Sender.pending(newId(now), { accountId, email, setUpFor }, hashToken(token), now);
    if ((await this.senders.addIfAbsent(sender)) === 'stood') {
      throw DomainError.conflict(`${sender.email} is already a sender of this account`);
    }
    try {
      return await this.ask(sender, token);
    } catch (error) {
      if (error instanceof DomainError && error.kind === 'conflict') await this.senders.remove(accountId, sender.id);
      throw error;
    }
  }

  list(accountId: string, page: PageRequest): Promise<Page<Sender>> {
    return this.senders.list(accountId, page);
  }

  async remove(accountId: string, id: string): Promise<Sender> {
    const sender = found(await this.senders.remove(accountId, id));
    await this.askHolder.forget(sender);
    return sender;
  }

  /** Has a new link mailed, also where the sender was verified for what the account no longer sends through, which puts the earlier ones out of use; at most once a minute. */
  async resend(accountId: string, id: string): Promise<Sender> {
    const now = this.clock.now();
    const token = newToken();
    const setUpFor = await this.askHolder.presentSetUp(accountId);
    const replacement = {
      ...{ hash: hashToken(token), expiresAt: expiryIfMailedAt(now) },
      ...{ setUpFor, nextCheckAt: firstPollAt(setUpFor, now) },
    };
    const lately = expiryIfMailedAMinuteBefore(now);
    const sender = await this.senders.replaceToken(accountId, id, replacement, lately);
    if (!sender) throw await this.whyNotResent(accountId, id, now);
    return this.ask(sender, token);
  }

  /** A mail that fails does not count: the next may follow at once. Its link stays in use, as it may have arrived. */
  private async ask(sender: Sender, token: string): Promise<Sender> {
    const { accountId, id } = sender;
    try {
      if ((await this.askHolder.ask(sender, token)) === 'asked') return sender;
    } catch (error) {
      const expiresAt = expiryIfMailedAMinuteBefore(this.clock.now());
      await this.senders.setTokenExpiry(accountId, id, hashToken(token), expiresAt);
      throw error;
    }
    return found(await this.senders.verify(accountId, id, this.clock.now()));
  }

  /** Who has proved to own a domain decides who sends from it. */
  private async requireOpenDomain(accountId: string, email: string): Promise<void> {
    const domain = await this.domains.findByNameAcrossAccounts(emailDomain(email));
    if (!domain?.isVerified || domain.accountId === accountId) return;
    throw DomainError.conflict(`${domain.name} belongs to another account of this installation`);
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
