import { Injectable } from '@nestjs/common';

import { isId } from '../../../shared/ids.js';
import { Clock } from '../../../shared/ports/clock.js';
import { AccountDirectory, type AccountProfile } from '../../accounts/index.js';
import { cleanIp, cleanUserAgent, expiresAt } from '../domain/signup.js';
import { type ConfirmOutcome, ConfirmSignups } from './confirm-signups.service.js';
import { ConfirmLinks, type ConfirmTarget } from './ports/confirm-links.js';
import { type OpenSignup, SignupRepository } from './ports/signup.repository.js';

/** A sign-up, and what people outside know its account by. */
export interface BrandedSignup {
  signup: OpenSignup;
  account: AccountProfile;
}

/** What strangers can do with the link in a confirmation mail. Null if its token is altered, expired or unknown. */
@Injectable()
export class OpenConfirmLink {
  constructor(
    private readonly links: ConfirmLinks,
    private readonly signups: SignupRepository,
    private readonly accounts: AccountDirectory,
    private readonly confirmSignups: ConfirmSignups,
    private readonly clock: Clock,
  ) {}

  /** Changes nothing, because mail scanners open links. */
  async find(token: string): Promise<BrandedSignup | null> {
    const target = this.targetOf(token);
    if (!target) return null;
    const [signup] = await this.signups.findByIds(target.accountId, [target.signupId]);
    if (!signup || expiresAt(signup) <= this.clock.now()) return null;
    const account = await this.accounts.findProfile(target.accountId);
    return account && { signup, account };
  }

  async confirm(
    token: string,
    { ip, userAgent }: { ip: string; userAgent: string | undefined },
  ): Promise<(ConfirmOutcome & BrandedSignup) | null> {
    const target = this.targetOf(token);
    if (!target) return null;
    const client = { ip: cleanIp(ip), userAgent: cleanUserAgent(userAgent) };
    const outcome = await this.confirmSignups.confirm({ ...target, ...client });
    const account = outcome && (await this.accounts.findProfile(target.accountId));
    return account && { ...outcome, account };
  }

  private targetOf(token: string): ConfirmTarget | null {
    const target = this.links.read(token);
    return target && isId(target.signupId) ? target : null;
  }
}
