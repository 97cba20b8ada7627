import { setTimeout as pause } from 'node:timers/promises';

import type { ChaosAccount } from './accounts.js';
import { type Clients, exchangeOf } from './clients.js';
import type { AddressOfAccount } from './evidence/evidence.js';
import type { Load } from './load.js';
import type { Aws } from './providers/aws.js';
import { drawOf } from './random.js';

const SYNCS_EVERY_MS = 2_000;
/** Share of recipients of a delivered SMS. */
const ANSWERS_STOP = 0.05;
const COMPLETE = 200;

/** Recipients who reply STOP: AWS lists them, the service reads the list, and refuses further sends to them. */
export class OptOuts {
  /** Numbers that the service has read from the list. */
  readonly causes: AddressOfAccount[] = [];
  private waiting: string[] = [];
  private delivered = 0;
  private isBusy = false;
  private isStopped = false;

  constructor(
    private readonly clients: Clients,
    private readonly account: ChaosAccount,
    private readonly aws: Aws,
    private readonly load: Load,
    private readonly seed: number,
  ) {}

  get unfinished(): number {
    return this.waiting.length + (this.isBusy ? 1 : 0);
  }

  /** Called when a recipient has received an SMS. */
  receive(phoneNumber: string): void {
    if (drawOf(this.seed + 9, this.delivered++) < ANSWERS_STOP) this.waiting.push(phoneNumber);
  }

  async run(): Promise<void> {
    while (!this.isStopped) {
      await pause(SYNCS_EVERY_MS);
      if (this.waiting.length === 0) continue;
      this.isBusy = true;
      await this.optOut(this.waiting.splice(0));
      this.isBusy = false;
    }
  }

  stop(): void {
    this.isStopped = true;
  }

  /**
   * A sync may share the result of a running one, which may have read past the numbers already. Only a second sync is
   * sure to have read them.
   */
  private async optOut(phoneNumbers: readonly string[]): Promise<void> {
    for (const phoneNumber of phoneNumbers) this.aws.optOut(this.account.accessKeyId, phoneNumber);
    for (let complete = 0; complete < 2;) {
      const reply = await this.clients.retryUntilAccepted(
        'sync opt-outs',
        exchangeOf('POST', '/api/sms/sync-optouts', this.account.session),
      );
      if (!reply) return; // recorded as refused
      if (reply.status === COMPLETE) complete += 1;
    }
    for (const phoneNumber of new Set(phoneNumbers)) {
      this.causes.push({ accountId: this.account.id, address: phoneNumber });
      await this.load.sendToSuppressed(this.account, 'sms', phoneNumber);
    }
  }
}
