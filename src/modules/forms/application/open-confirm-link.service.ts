import { Injectable } from '@nestjs/common';

import { isId } from '../../../shared/ids.js';
import { Clock } from '../../../shared/ports/clock.js';
import { cleanIp, cleanUserAgent, expiresAt } from '../domain/signup.js';
import { type ConfirmOutcome, ConfirmSignups } from './confirm-signups.service.js';
import { FormDirectory, type BrandedForm } from './form-directory.service.js';
import { ConfirmLinks } from './ports/confirm-links.js';
import { type OpenSignup, SignupRepository } from './ports/signup.repository.js';
import { SendFormMails } from './send-form-mails.service.js';

/** What the page of a link shows. */
export interface ConfirmRequest {
  signup: OpenSignup;
  form: BrandedForm;
}

/** What strangers can do with the link in a confirmation mail. */
@Injectable()
export class OpenConfirmLink {
  constructor(
    private readonly links: ConfirmLinks,
    private readonly signups: SignupRepository,
    private readonly forms: FormDirectory,
    private readonly confirmSignups: ConfirmSignups,
    private readonly mails: SendFormMails,
    private readonly clock: Clock,
  ) {}

  /** Changes nothing, because mail scanners open links. Null if the token is altered, expired or unknown. */
  async find(token: string): Promise<ConfirmRequest | null> {
    const target = this.links.read(token);
    if (!target || !isId(target.signupId)) return null;
    const [signup] = await this.signups.findByIds(target.accountId, [target.signupId]);
    if (!signup || expiresAt(signup) <= this.clock.now()) return null;
    const form = await this.forms.find(target.accountId, signup.formId);
    return form && { signup, form };
  }

  async confirm(
    { signup }: ConfirmRequest,
    { ip, userAgent }: { ip: string; userAgent: string | undefined },
  ): Promise<ConfirmOutcome> {
    const { accountId, id: signupId } = signup;
    // The person may be faster than the process that records that the mail was accepted.
    const messageLogId = signup.messageLogId ?? (await this.mails.findConfirmation(signup));
    const client = { ip: cleanIp(ip), userAgent: cleanUserAgent(userAgent) };
    return this.confirmSignups.confirm({ accountId, signupId, messageLogId, ...client });
  }
}
