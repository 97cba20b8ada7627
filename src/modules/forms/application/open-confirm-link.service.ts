import { Injectable } from '@nestjs/common';

import { isId } from '../../../shared/ids.js';
import { Clock } from '../../../shared/ports/clock.js';
import { cleanIp, cleanUserAgent, expiresAt } from '../domain/signup.js';
import { type ConfirmOutcome, ConfirmSignups } from './confirm-signups.service.js';
import { ConfirmLinks, type ConfirmTarget } from './ports/confirm-links.js';
import { type OpenSignup, SignupRepository } from './ports/signup.repository.js';

/**
 * The use of the link in a confirmation mail by anybody who has it. Methods return null if the token is altered,
 * expired or unknown.
 */
@Injectable()
export class OpenConfirmLink {
  constructor(
    private readonly links: ConfirmLinks,
    private readonly signups: SignupRepository,
    private readonly confirmSignups: ConfirmSignups,
    private readonly clock: Clock,
  ) {}

  /** Changes nothing, because mail scanners open links. */
  async find(token: string): Promise<OpenSignup | null> {
    const target = this.targetOf(token);
    if (!target) return null;
    const [signup] = await this.signups.findByIds(target.accountId, [target.signupId]);
    return signup && expiresAt(signup) > this.clock.now() ? signup : null;
  }

  async confirm(
    token: string,
    { ip, userAgent }: { ip: string; userAgent: string | undefined },
  ): Promise<ConfirmOutcome | null> {
    const target = this.targetOf(token);
    return target && this.confirmSignups.confirm({ ...target, ip: cleanIp(ip), userAgent: cleanUserAgent(userAgent) });
  }

  private targetOf(token: string): ConfirmTarget | null {
    const target = this.links.read(token);
    return target && isId(target.signupId) ? target : null;
  }
}
