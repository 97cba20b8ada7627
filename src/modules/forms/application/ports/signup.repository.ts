import type { AccountProfile } from '../../../accounts/index.js';
import type { Form } from '../../domain/form.js';
import type { Signup, WordedSignup } from '../../domain/signup.js';

/** A sign-up whose link was used. */
export interface OpenSignup extends WordedSignup {
  /** The message that had the link. */
  messageLogId: string | null;
  account: AccountProfile;
  form: Pick<Form, 'name' | 'listIds' | 'welcomeTemplateId' | 'confirmedUrl'> & {
    /** Those of the form when it was submitted. Null if it had none: then the person agrees to every topic. */
    topicIds: string[] | null;
  };
}

export abstract class SignupRepository {
  /**
   * Stores a submission, which is due at once; with the current version of the form if it never had the given one. Takes
   * the same time whatever is known about the address.
   */
  abstract add(signup: Signup): Promise<void>;

  /**
   * Claims sign-ups that are due: of each of some accounts, taken at random, those that are longest overdue. Other
   * calls get them in a minute, unless a method below is called until then.
   */
  abstract claimDueAcrossAccounts(now: Date, limits: { accounts: number; perAccount: number }): Promise<WordedSignup[]>;

  // The following do nothing if the state of the sign-up has changed since it was read.

  /** In the current transaction: the sign-up is due in its new state, and counts as submitted. */
  abstract admit(signup: WordedSignup): Promise<void>;

  /** In the current transaction: removes a sign-up that gets no mail, and counts it as submitted. */
  abstract drop(signup: WordedSignup): Promise<void>;

  /** The mail with the link was accepted: nothing is due until it is used. */
  abstract recordMailed(signup: WordedSignup, messageLogId: string | null): Promise<void>;

  /** Nothing is due any more. */
  abstract finish(signup: WordedSignup): Promise<void>;

  abstract postpone(signup: WordedSignup, until: Date): Promise<void>;

  /** The same for all sign-ups of the account that are due, also for those that are claimed. */
  abstract postponeAll(accountId: string, now: Date, until: Date): Promise<void>;

  abstract remove(signup: WordedSignup): Promise<void>;

  /** Whatever their state. With `lock`, nobody else changes them until the transaction ends. */
  abstract findByIds(accountId: string, ids: readonly string[], lock?: 'lock'): Promise<OpenSignup[]>;

  /** In the current transaction: confirms them and counts them; those with a welcome mail are due. */
  abstract recordConfirmed(accountId: string, signups: readonly OpenSignup[], now: Date): Promise<void>;

  /** Deletes all that were made before this time, and those of removed forms. */
  abstract purgeAcrossAccounts(before: Date): Promise<void>;
}
