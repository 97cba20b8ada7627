import type { AccountProfile } from '../../../accounts/index.js';
import type { Form } from '../../domain/form.js';
import type { Signup, WordedSignup } from '../../domain/signup.js';

/** A sign-up whose link was used. */
export interface OpenSignup extends WordedSignup {
  /** The message that contained the link. */
  messageLogId: string | null;
  account: AccountProfile;
  form: Pick<Form, 'name' | 'listIds' | 'welcomeTemplateId' | 'confirmedUrl'> & {
    /** The topics of the form when it was submitted. Null if it had none: then the person agrees to every topic. */
    topicIds: string[] | null;
  };
}

export abstract class SignupRepository {
  /**
   * Stores a submission, which is due at once; with the current version of the form if it never had the given one.
   * Takes the same time whatever is known about the address.
   */
  abstract add(signup: Signup): Promise<void>;

  /**
   * Claims due sign-ups: for each of some accounts, chosen at random, those that are longest overdue. Other calls get
   * them after a minute, unless a method below is called before that.
   */
  abstract claimDueAcrossAccounts(now: Date, limits: { accounts: number; perAccount: number }): Promise<WordedSignup[]>;

  // The following do nothing if the state of the sign-up has changed since it was read.

  /** In the current transaction: makes the sign-up due in its new state, and counts it as submitted. */
  abstract admit(signup: WordedSignup): Promise<void>;

  /** In the current transaction: removes a sign-up that gets no mail, and counts it as submitted. */
  abstract drop(signup: WordedSignup): Promise<void>;

  /** Records that the mail with the link was accepted: nothing is due until the link is used. */
  abstract recordMailed(signup: WordedSignup, messageLogId: string | null): Promise<void>;

  /** Records that nothing is due any more. */
  abstract finish(signup: WordedSignup): Promise<void>;

  abstract postpone(signup: WordedSignup, until: Date): Promise<void>;

  /** Postpones all sign-ups of the account that are due, including claimed ones. */
  abstract postponeAll(accountId: string, now: Date, until: Date): Promise<void>;

  abstract remove(signup: WordedSignup): Promise<void>;

  /** Finds sign-ups in any state. With `lock`, nobody else changes them until the transaction ends. */
  abstract findByIds(accountId: string, ids: readonly string[], lock?: 'lock'): Promise<OpenSignup[]>;

  /** In the current transaction: confirms and counts the sign-ups; those with a welcome mail become due. */
  abstract recordConfirmed(accountId: string, signups: readonly OpenSignup[], now: Date): Promise<void>;

  /** Deletes all that were made before this time, and those of removed forms. */
  abstract purgeAcrossAccounts(before: Date): Promise<void>;
}
