import { Injectable } from '@nestjs/common';

import { Config } from '../../../config/config.js';
import { Retention } from '../application/ports/retention.js';

@Injectable()
export class ConfigRetention extends Retention {
  readonly contentDays: number;
  readonly messageMonths: number;

  constructor({ contentRetentionDays, messageRetentionMonths }: Config) {
    super();
    this.contentDays = contentRetentionDays;
    this.messageMonths = messageRetentionMonths;
  }
}
