interface Options<Answer> {
  /** Beyond that the one that was asked first is forgotten. */
  max: number;
  /** Counted from the question; of a lifetime by the answer, or by the time that it took, from the answer. */
  freshForMs: number | ((answer: Answer, tookMs: number) => number);
  /** Milliseconds of any clock. */
  now?: () => number;
}

interface Entry<Answer> {
  answer: Promise<Answer>;
  until: number;
}

/** Answers to questions that are asked often, kept for a time. Who asks while the answer is on its way shares it. */
export class TtlCache<Answer> {
  /** In the order in which they were asked. */
  private readonly entries = new Map<string, Entry<Answer>>();
  private readonly now: () => number;

  constructor(private readonly options: Options<Answer>) {
    this.now = options.now ?? (() => performance.now());
  }

  /** A failure is told to those who wait for it, and not kept. */
  get(question: string, ask: () => Promise<Answer>): Promise<Answer> {
    const { freshForMs } = this.options;
    const now = this.now();
    const known = this.entries.get(question);
    if (known && known.until > now) return known.answer;
    const entry = { answer: ask(), until: typeof freshForMs === 'number' ? now + freshForMs : Infinity };
    this.keep(question, entry);
    entry.answer.then(
      (answer) => {
        if (typeof freshForMs !== 'function') return;
        const answeredAt = this.now();
        entry.until = answeredAt + freshForMs(answer, answeredAt - now);
      },
      () => {
        if (this.entries.get(question) === entry) this.entries.delete(question);
      },
    );
    return entry.answer;
  }

  /** Callers already waiting still get the pending answer; later ones do not. */
  forget(isConcerned: (question: string) => boolean): void {
    for (const question of this.entries.keys()) if (isConcerned(question)) this.entries.delete(question);
  }

  private keep(question: string, entry: Entry<Answer>): void {
    this.entries.delete(question);
    this.entries.set(question, entry);
    const [first] = this.entries.keys();
    if (this.entries.size > this.options.max && first !== undefined) this.entries.delete(first);
  }
}
