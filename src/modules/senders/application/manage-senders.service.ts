import { Injectable } from '@nestjs/common';

import { DomainError } from '../../../shared/domain-error.js';
import { newId } from '../../../shared/ids.js';
import type { Page, PageRequest } from '../../../shared/page.js';
import { Clock } from '../../../shared/ports/clock.js';
import { TransactionRunner } from '../../../shared/ports/transaction-runner.js';
import { firstPollAt, Sender } from '../domain/sender.js';
import { expiryIfMailedAt, hashToken, newToken } from '../domain/verification-token.js';
import { AdmitSender } from './admit-sender.service.js';
import { AskHolder, type LinkRoute } from './ask-holder.service.js';
import { SenderRepository } from './ports/sender.repository.js';
import { VerificationMailLimits } from './ports/verification-mail-limits.js';

@Injectable()
export class ManageSenders {
  constructor(
    private readonly senders: SenderRepository,
    private readonly admitSender: AdmitSender,
    private readonly limits: VerificationMailLimits,
    private readonly askHolder: AskHolder,
    private readonly transactions: TransactionRunner,
    private readonly clock: Clock,
  ) {}

  /**
   * Adds a pending sender and has its link mailed. Nothing is added where that fails. An address that SES knows as
   * verified is so at once, and one that it keeps for another account is refused.
   */
  async create(accountId: string, email: string): Promise<Sender> {
    await this.admitSender.require(accountId, email);
    const now = this.clock.now();
    const token = newToken();
    const route = await this.askHolder.route(accountId);
    const sender = Sender.pending(newId(now), { accountId, email, ...route }, hashToken(token), now);
    await this.transactions.runInLine(accountId, async () => {
      if ((await this.senders.addIfAbsent(sender)) === 'stood') {
        throw DomainError.conflict(`${sender.email} is already a sender of this account`);
      }
      await this.limits.reserve(accountId, sender.normalisedEmail, now);
    });
    try {
      return await this.ask(route, sender, token);
    } catch (error) {
      const removed = await this.senders.remove(accountId, sender.id);
      if (removed) await this.askHolder.forget(removed);
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

  /**
   * Mails a new link, which invalidates earlier ones; at most once a minute. Also for a sender that was verified for a
   * provider that the account no longer uses.
   */
  async resend(accountId: string, id: string): Promise<Sender> {
    const { email } = found(await this.senders.find(accountId, id));
    await this.admitSender.require(accountId, email);
    const now = this.clock.now();
    const token = newToken();
    const route = await this.askHolder.route(accountId);
    const { setUpFor, carrier } = route;
    const nextCheckAt = firstPollAt(setUpFor, now);
    const replacement = { hash: hashToken(token), expiresAt: expiryIfMailedAt(now), setUpFor, carrier, nextCheckAt };
    const sender = await this.transactions.runInLine(accountId, async () => {
      const replaced = await this.senders.replaceToken(accountId, id, replacement);
      if (!replaced) throw await this.whyNotReplaced(accountId, id);
      await this.limits.reserve(accountId, replaced.normalisedEmail, now);
      return replaced;
    });
    return this.ask(route, sender, token);
  }

  /** After a failed mail the next one may follow at once. */
  private async ask(route: LinkRoute, sender: Sender, token: string): Promise<Sender> {
    const { accountId, id } = sender;
    try {
      if ((await this.askHolder.ask(route, sender, token)) === 'asked') return sender;
    } catch (error) {
      await this.limits.allowNext(accountId, sender.normalisedEmail);
      throw error;
    }
    return found(await this.senders.verify(accountId, id, route.setUpFor, this.clock.now()));
  }

  private async whyNotReplaced(accountId: string, id: string): Promise<DomainError> {
    const { email } = found(await this.senders.find(accountId, id));
    return DomainError.conflict(`${email} is already verified`);
  }
}

function found(sender: Sender | null): Sender {
  if (!sender) throw DomainError.notFound('Sender');
  return sender;
}
