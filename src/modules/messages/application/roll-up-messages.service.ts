import { Injectable } from '@nestjs/common';

import { MessageRollup } from './ports/message-maintenance.js';

/** Keeps counts and search fast without slowing down writers. */
@Injectable()
export class RollUpMessages {
  constructor(private readonly rollup: MessageRollup) {}

  async rollUp(): Promise<void> {
    await this.rollup.rollUpCountsAcrossAccounts();
    await this.rollup.indexTextsAcrossAccounts();
  }
}
