import { Injectable } from '@nestjs/common';

import { isEmailAddress, normaliseEmail } from '../../../shared/email-address.js';
import { newId } from '../../../shared/ids.js';
import type { PageLanguage } from '../../../shared/page-language.js';
import { Clock } from '../../../shared/ports/clock.js';
import { cleanField, cleanIp, cleanUserAgent, readVersion, type Signup } from '../domain/signup.js';
import { FormDirectory, type BrandedForm } from './form-directory.service.js';
import { Challenges } from './ports/challenges.js';
import { SignupRepository } from './ports/signup.repository.js';
import { SignupLimits } from './signup-limits.service.js';

/** A submission as an anonymous client sends it. */
export interface Submission {
  email: unknown;
  firstName: unknown;
  lastName: unknown;
  company: unknown;
  challenge: unknown;
  /** The version of the wording that the person saw. */
  wordingVersion: unknown;
  /** A field of the page that people do not see. */
  trap: string | undefined;
  language: PageLanguage;
  ip: string;
  userAgent: string | undefined;
}

/** The faults that a person can correct; otherwise all submissions have the same result. */
export type SubmissionFault = 'invalid_email' | 'challenge_failed';

@Injectable()
export class SubmitForm {
  constructor(
    private readonly forms: FormDirectory,
    private readonly challenges: Challenges,
    private readonly limits: SignupLimits,
    private readonly signups: SignupRepository,
    private readonly clock: Clock,
  ) {}

  /** Null if it is unknown or disabled. */
  find(id: string): Promise<BrandedForm | null> {
    return this.forms.findActive(id);
  }

  createChallenge({ id }: BrandedForm): Promise<object> {
    return this.challenges.create(id);
  }

  /**
   * Stores the submission, but nothing of one that exceeds the limit of its client or that a program has filled in.
   * Data about the address is looked up later, so neither the result nor its time depends on it. A client is counted
   * before the challenge is verified, because verification takes work, also for a solution that was used before.
   */
  async submit(form: BrandedForm, submission: Submission): Promise<SubmissionFault | null> {
    const { email, challenge, trap } = submission;
    if (typeof email !== 'string' || !isEmailAddress(email)) return 'invalid_email';
    if (trap || !(await this.limits.allowSubmission(form.accountId, submission.ip, this.clock.now()))) return null;
    const solution = typeof challenge === 'string' ? challenge : '';
    if (form.challenge === 'altcha' && !(await this.challenges.redeem(form.id, solution))) return 'challenge_failed';
    await this.signups.add(toSignup(form, email, submission, this.clock.now()));
    return null;
  }
}

function toSignup(form: BrandedForm, email: string, submission: Submission, now: Date): Signup {
  const fieldOf = (name: 'firstName' | 'lastName' | 'company') =>
    form.fields.includes(name) ? cleanField(submission[name]) : null;
  return {
    id: newId(now),
    accountId: form.accountId,
    formId: form.id,
    wordingVersion: readVersion(submission.wordingVersion) ?? form.wordingVersion,
    email: email.trim(),
    normalisedEmail: normaliseEmail(email),
    ...{ firstName: fieldOf('firstName'), lastName: fieldOf('lastName'), company: fieldOf('company') },
    language: submission.language,
    ip: cleanIp(submission.ip),
    userAgent: cleanUserAgent(submission.userAgent),
    createdAt: now,
  };
}
