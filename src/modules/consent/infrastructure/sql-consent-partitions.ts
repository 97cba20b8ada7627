import { Injectable } from '@nestjs/common';

import { Database } from '../../../platform/database/database.js';
import { MonthlyPartitions } from '../../../platform/database/monthly-partitions.js';
import { monthOf } from '../../../shared/utc.js';
import { ConsentPartitions } from '../application/ports/consent-partitions.js';

const TABLES = ['consent_records'];

/** Partitions are never dropped: a consent must be provable for as long as it is relied on. */
@Injectable()
export class SqlConsentPartitions extends ConsentPartitions {
  private readonly partitions: MonthlyPartitions;
  /** The beginnings of months whose partition exists. */
  private readonly known = new Set<number>();

  constructor(private readonly database: Database) {
    super();
    this.partitions = new MonthlyPartitions(database);
  }

  ensure(from: Date, months: number): Promise<void> {
    return this.partitions.ensure(TABLES, from, months);
  }

  async ensureFor(time: Date): Promise<void> {
    const month = monthOf(time).getTime();
    if (this.known.has(month)) return;
    await this.ensure(time, 1);
    this.database.afterCommit(() => this.known.add(month));
  }
}
