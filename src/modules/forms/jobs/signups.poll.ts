import { Injectable } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';

import { Config } from '../../../config/config.js';
import { Poll } from '../../../platform/scheduling/poll.js';
import { ProcessSignups } from '../application/process-signups.service.js';

/** The longest that a submission waits in an idle system; a poll reads an index that is empty without any. */
const POLL_INTERVAL_MS = 500;

/** Every worker polls, which works without a queue and for submissions to any process. */
@Injectable()
export class SignupsPoll extends Poll {
  protected readonly failure = 'Sign-ups are not processed';

  constructor(
    private readonly processSignups: ProcessSignups,
    config: Config,
  ) {
    super(config);
  }

  @Interval(POLL_INTERVAL_MS)
  override poll(): void {
    super.poll();
  }

  protected run(stopping: AbortSignal): Promise<unknown> {
    return this.processSignups.processDue(stopping);
  }
}
