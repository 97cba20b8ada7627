import { ByteBudget } from './byte-budget.js';

/** A budget of which each key has a share, so that no key can use up all of it. */
export class KeyedByteBudget {
  private readonly all: ByteBudget;
  private readonly budgets = new Map<string, ByteBudget>();

  constructor(
    total: number,
    private readonly bytesPerKey: number,
  ) {
    this.all = new ByteBudget(total);
  }

  async run<T>(key: string, bytes: number, work: () => Promise<T>): Promise<T> {
    const budget = this.budgets.get(key) ?? new ByteBudget(this.bytesPerKey);
    this.budgets.set(key, budget);
    try {
      return await budget.run(bytes, () => this.all.run(bytes, work));
    } finally {
      if (budget.isIdle && this.budgets.get(key) === budget) this.budgets.delete(key);
    }
  }
}
