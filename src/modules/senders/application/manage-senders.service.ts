import { Injectable } from '@nestjs/common';

import { DomainError } from '../../../shared/domain-error.js';
import { newId } from '../../../shared/ids.js';
import type { Page, PageRequest } from '../../../shared/page.js';
import { Clock } from '../../../shared/ports/clock.js';
import { TransactionRunner } from '../../../shared/ports/transaction-runner.js';
import { firstPollAt, Sender } from '../domain/sender.js';
import { expiryIfMailedAt, hashToken, newToken } from '../domain/verification-mail.js';
import { SenderRepository } from './ports/sender.repository.js';
import { VerificationMailLimits } from './ports/sender-verification.js';
import { SenderEligibility } from './sender-eligibility.service.js';
import { SenderVerification, type VerificationRoute } from './sender-verification.service.js';

@Injectable()
export class ManageSenders {
  constructor(
    private readonly senders: SenderRepository,
    private readonly eligibility: SenderEligibility,
    private readonly limits: VerificationMailLimits,
    private readonly verification: SenderVerification,
    private readonly transactions: TransactionRunner,
    private readonly clock: Clock,
  ) {}

  /**
   * Adds a pending sender and has its link mailed. If that fails, the sender is deleted again. An address that is
   * already verified in SES is verified at once, unless SES has it for another account.
   */
  async create(accountId: string, email: string): Promise<Sender> {
    await this.eligibility.require(accountId, email);
    const now = this.clock.now();
    const token = newToken();
    const route = await this.verification.chooseRoute(accountId);
    const sender = Sender.pending(newId(now), { accountId, email, ...route }, hashToken(token), now);
    await this.transactions.runInLane(accountId, async () => {
      if ((await this.senders.addIfAbsent(sender)) === 'exists') {
        throw DomainError.conflict(`${sender.email} is already a sender of this account`);
      }
      await this.limits.reserve(accountId, sender.normalisedEmail, now);
    });
    try {
      return await this.requestVerification(route, sender, token);
    } catch (error) {
      const removed = await this.senders.remove(accountId, sender.id);
      if (removed) await this.verification.release(removed);
      throw error;
    }
  }

  list(accountId: string, page: PageRequest): Promise<Page<Sender>> {
    return this.senders.list(accountId, page);
  }

  async remove(accountId: string, id: string): Promise<Sender> {
    const sender = found(await this.senders.remove(accountId, id));
    await this.verification.release(sender);
    return sender;
  }

  /**
   * Mails a new link, at most once a minute, and invalidates earlier ones. Also allowed for a sender that was verified
   * for a provider that the account no longer uses.
   */
  async resend(accountId: string, id: string): Promise<Sender> {
    const { email } = found(await this.senders.find(accountId, id));
    await this.eligibility.require(accountId, email);
    const now = this.clock.now();
    const token = newToken();
    const route = await this.verification.chooseRoute(accountId);
    const { providerKey, verificationProvider } = route;
    const replacement = {
      hash: hashToken(token),
      expiresAt: expiryIfMailedAt(now),
      providerKey,
      verificationProvider,
      nextCheckAt: firstPollAt(providerKey, now),
    };
    const sender = await this.transactions.runInLane(accountId, async () => {
      const replaced = await this.senders.replaceToken(accountId, id, replacement);
      if (!replaced) throw await this.whyNotReplaced(accountId, id);
      await this.limits.reserve(accountId, replaced.normalisedEmail, now);
      return replaced;
    });
    return this.requestVerification(route, sender, token);
  }

  /** After a failed mail, the next one is allowed at once. */
  private async requestVerification(route: VerificationRoute, sender: Sender, token: string): Promise<Sender> {
    const { accountId, id } = sender;
    try {
      if ((await this.verification.request(route, sender, token)) === 'requested') return sender;
    } catch (error) {
      await this.limits.allowNext(accountId, sender.normalisedEmail);
      throw error;
    }
    return found(await this.senders.verify(accountId, id, route.providerKey, this.clock.now()));
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
