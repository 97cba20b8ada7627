import { expect } from '@jest/globals';
import type { Abstract, Type } from '@nestjs/common';

import { newId } from '../../src/shared/ids.js';
import type { TestAccount } from './account.js';
import { checksumsOf } from './account-rows.js';
import { TestService } from './service.js';

/** Two accounts of one service, whose data is the same as far as it can be. */
export class TwoAccounts {
  private constructor(
    readonly service: TestService,
    readonly own: TestAccount,
    readonly other: TestAccount,
  ) {}

  static async start(variables: Record<string, string> = {}): Promise<TwoAccounts> {
    const service = await TestService.start(variables);
    return new TwoAccounts(service, await service.createAccount(), await service.createAccount());
  }

  stop(): Promise<void> {
    return this.service.stop();
  }

  get both(): TestAccount[] {
    return [this.own, this.other];
  }

  get now(): Date {
    return this.service.clock.now();
  }

  newId(): string {
    return newId(this.now);
  }

  get<T>(port: Type<T> | Abstract<T>): T {
    return this.service.app.get<T>(port, { strict: false });
  }

  /**
   * Expects `call` to do nothing to the rows of the other account as long as it names the own account, and to result in
   * `nothing`; and then, for that to prove something, to have an effect or another result if it names the other one.
   */
  async expectClosed(call: (accountId: string) => Promise<unknown>, nothing?: unknown): Promise<void> {
    const before = await checksumsOf(this.service, this.other.id);
    const outcome = async (accountId: string) => ({
      result: await call(accountId).catch((error: unknown) => (error as Error).constructor.name),
      rows: await checksumsOf(this.service, this.other.id),
    });
    const untouched = { result: nothing, rows: before };
    expect(await outcome(this.own.id)).toEqual(untouched);
    expect(await outcome(this.other.id)).not.toEqual(untouched);
  }
}
