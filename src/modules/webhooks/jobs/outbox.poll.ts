import { Injectable } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';

import { Config } from '../../../config/config.js';
import { Poll } from '../../../platform/scheduling/poll.js';
import { OutboxDispatcher } from '../application/outbox-dispatcher.service.js';

/** The longest that an event waits in the outbox of an idle system; a poll reads one empty table. */
const POLL_INTERVAL_MS = 250;

/** Every worker polls the outbox, which works without a queue and for events of any process. */
@Injectable()
export class OutboxPoll extends Poll {
  protected readonly failure = 'Events are not dispatched';

  constructor(
    private readonly dispatcher: OutboxDispatcher,
    config: Config,
  ) {
    super(config);
  }

  @Interval(POLL_INTERVAL_MS)
  override poll(): void {
    super.poll();
  }

  protected run(stopping: AbortSignal): Promise<unknown> {
    return this.dispatcher.dispatch(stopping);
  }
}
