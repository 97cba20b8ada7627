import { Injectable, Logger } from '@nestjs/common';

import { forEachConcurrently } from '../../../concurrency/for-each-concurrently.js';
import { LOCK_WAIT_MS } from '../../../concurrency/retry.js';
import { DomainError } from '../../../shared/domain-error.js';
import { Clock } from '../../../shared/ports/clock.js';
import { TransactionRunner } from '../../../shared/ports/transaction-runner.js';
import { MAIL_RETRY_MS, MAIL_WITHIN_MS, type WordedSignup } from '../domain/signup.js';
import { FormDirectory } from './form-directory.service.js';
import { SignupRepository } from './ports/signup.repository.js';
import { SendFormMails } from './send-form-mails.service.js';
import { SignupLimits } from './signup-limits.service.js';

/** Limits of one claim. */
const CLAIMED = { accounts: 10, perAccount: 10 };
const CONCURRENCY = 8;
/** The codes of refusals that stay, because of what the recipient has decided. */
const OF_RECIPIENT: ReadonlySet<string> = new Set(['suppressed', 'unsubscribed_from_topic']);

/** Does the work that submissions and confirmations leave to be done, so that response times do not reveal it. */
@Injectable()
export class ProcessSignups {
  private readonly logger = new Logger(ProcessSignups.name);

  constructor(
    private readonly transactions: TransactionRunner,
    private readonly signups: SignupRepository,
    private readonly forms: FormDirectory,
    private readonly mails: SendFormMails,
    private readonly limits: SignupLimits,
    private readonly clock: Clock,
  ) {}

  async processDue(stopping?: AbortSignal): Promise<void> {
    await this.clock.catchUp();
    while (await this.processSome()) if (stopping?.aborted) return;
  }

  /** Returns false if nothing could be done. */
  private async processSome(): Promise<boolean> {
    const due = await this.signups.claimDueAcrossAccounts(this.clock.now(), CLAIMED);
    const capped = new Set<string>();
    const processed: WordedSignup[] = [];
    await forEachConcurrently(due, CONCURRENCY, async (signup) => {
      if (await this.process(signup, capped)) processed.push(signup);
    });
    return processed.length > 0;
  }

  /**
   * Returns false after an unexpected error: the sign-up is due again when its claim ends. `capped` has the accounts of
   * which all sign-ups were postponed since they were claimed.
   */
  private async process(signup: WordedSignup, capped: Set<string>): Promise<boolean> {
    if (capped.has(signup.accountId)) return true;
    try {
      if (signup.state === 'confirmed') await this.sendWelcome(signup, capped);
      else if (signup.state === 'admitted' || (await this.admit(signup)))
        await this.sendConfirmation({ ...signup, state: 'admitted' }, capped);
      return true;
    } catch (error) {
      this.logger.error(`The sign-up ${signup.id} was not processed: ${(error as Error).message}`);
      return false;
    }
  }

  /**
   * Counts the mail under the limits of its address, in the transaction that decides to send it. While the form is
   * locked, its sign-ups wait, but not those of other accounts.
   */
  private async admit(signup: WordedSignup): Promise<boolean> {
    const isSuppressed = await this.limits.isSuppressed(signup);
    const admit = async () => {
      const isAdmitted = !isSuppressed && (await this.limits.allowMail(signup, this.clock.now()));
      await (isAdmitted ? this.signups.admit(signup) : this.signups.drop(signup));
      return isAdmitted;
    };
    return this.transactions.runInLane(signup.accountId, admit, { maxLockWaitMs: LOCK_WAIT_MS });
  }

  private async sendConfirmation(signup: WordedSignup, capped: Set<string>): Promise<void> {
    const form = await this.forms.find(signup.accountId, signup.formId);
    if (form?.status !== 'active' || this.isTooLate(signup, signup.createdAt)) return this.giveUp(signup);
    await this.orLater(
      { signup, capped },
      async () => this.signups.recordMailed(signup, await this.mails.confirmation(form, signup)),
      () => this.giveUp(signup),
    );
  }

  /** Keeps a sign-up whose mail was accepted before the process was lost: its link may be used. */
  private async giveUp(signup: WordedSignup): Promise<void> {
    const mailed = (await this.mails.findConfirmations(signup.accountId, [signup])).get(signup.id);
    await (mailed === undefined ? this.signups.remove(signup) : this.signups.recordMailed(signup, mailed));
  }

  private async sendWelcome(signup: WordedSignup, capped: Set<string>): Promise<void> {
    const form = await this.forms.find(signup.accountId, signup.formId);
    if (!form || this.isTooLate(signup, signup.confirmedAt ?? signup.createdAt)) return this.signups.finish(signup);
    await this.orLater(
      { signup, capped },
      async () => {
        await this.mails.welcome(form, signup, await this.forms.findOnlyTopic(form, signup));
        await this.signups.finish(signup);
      },
      () => this.signups.finish(signup),
    );
  }

  private isTooLate({ id }: WordedSignup, since: Date): boolean {
    const isTooLate = this.clock.now().getTime() - since.getTime() >= MAIL_WITHIN_MS;
    if (isTooLate) this.logger.warn(`A mail of the sign-up ${id} could not be accepted within 23 hours`);
    return isTooLate;
  }

  /**
   * A mail that is refused for another reason than its recipient may be accepted later. The daily limit refuses all
   * mail of the account.
   */
  private async orLater(
    { signup, capped }: { signup: WordedSignup; capped: Set<string> },
    send: () => Promise<void>,
    giveUp: () => Promise<void>,
  ): Promise<void> {
    try {
      await this.limits.requireRoom(signup.accountId);
      await send();
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      if (OF_RECIPIENT.has(error.code)) return giveUp();
      const now = this.clock.now();
      const later = new Date(now.getTime() + MAIL_RETRY_MS);
      await this.signups.postpone(signup, later);
      this.logger.warn(`A mail of the sign-up ${signup.id} is tried again: ${error.code}`);
      if (error.code !== 'daily_limit' || capped.has(signup.accountId)) return;
      capped.add(signup.accountId);
      await this.signups.postponeAll(signup.accountId, now, later);
    }
  }
}
