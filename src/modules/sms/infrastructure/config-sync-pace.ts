import { Injectable } from '@nestjs/common';

import { Config } from '../../../config/config.js';
import { SyncPace } from '../application/ports/sync-pace.js';

@Injectable()
export class ConfigSyncPace extends SyncPace {
  readonly msPerPage: number;

  constructor(config: Config) {
    super();
    this.msPerPage = 1_000 / config.smsSyncPagesPerSecond;
  }
}
