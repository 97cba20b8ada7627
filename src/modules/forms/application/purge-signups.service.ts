import { Injectable } from '@nestjs/common';

import { Clock } from '../../../shared/ports/clock.js';
import { DAY_MS } from '../../../shared/utc.js';
import { SIGNUP_DAYS } from '../../../config/limits.js';
import { SignupRepository } from './ports/signup.repository.js';

@Injectable()
export class PurgeSignups {
  constructor(
    private readonly signups: SignupRepository,
    private readonly clock: Clock,
  ) {}

  /** Deletes sign-ups whose links do not work any more. */
  purge(): Promise<void> {
    return this.signups.purgeAcrossAccounts(new Date(this.clock.now().getTime() - SIGNUP_DAYS * DAY_MS));
  }
}
