import { Injectable } from '@nestjs/common';

import { Batcher } from '../../../platform/batching/batcher.js';
import { Database } from '../../../platform/database/database.js';
import { isRowFault } from '../../../platform/database/postgres-errors.js';
import { type CapUsage, DailyCaps } from '../../accounts/index.js';
import { MessageIntake } from '../application/ports/message-intake.js';
import type { NewMessage } from '../domain/delivery.js';
import { ACCEPT } from './message.sql.js';

/** Without a job it is found by the sweep after this long. */
export const JOB_EXPECTED_WITHIN_MS = 60_000;
const MAX_BATCH = 200;

interface Intake {
  message: NewMessage;
  keyLimit: number | null;
}

/** Messages that arrive while a transaction commits share the next one. */
@Injectable()
export class BatchedMessageIntake extends MessageIntake {
  private readonly intakes = new Batcher<Intake, CapUsage>((batch) => this.acceptAll(batch), {
    maxSize: MAX_BATCH,
    isRowFault,
  });

  constructor(
    private readonly database: Database,
    private readonly caps: DailyCaps,
  ) {
    super();
  }

  accept(message: NewMessage, keyLimit: number | null): Promise<CapUsage> {
    return this.intakes.add({ message, keyLimit });
  }

  private acceptAll(batch: Intake[]): Promise<(CapUsage | Error)[]> {
    return this.database.run(async () => {
      const verdicts = await this.caps.reserve(
        batch.map(({ message, keyLimit }) => ({ accountId: message.accountId, apiKeyId: message.apiKeyId, keyLimit })),
      );
      const admitted = batch.filter((_, i) => !(verdicts[i] instanceof Error)).map(({ message }) => toRow(message));
      if (admitted.length > 0) await this.database.prepared('accept_messages', ACCEPT, [JSON.stringify(admitted)]);
      return verdicts;
    });
  }
}

const toRow = (message: NewMessage) => ({
  ...message,
  sweepAt: new Date(message.createdAt.getTime() + JOB_EXPECTED_WITHIN_MS),
});
