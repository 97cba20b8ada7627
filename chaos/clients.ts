import { setTimeout as pause } from 'node:timers/promises';

import type { Answer } from './evidence.js';

export interface Reply {
  status: number;
  body: string;
  /** To an Idempotency-Key that came before. */
  isReplayed?: boolean;
}

/** One request to a process of the API, at this address. */
export type Exchange = (url: string, signal: AbortSignal) => Promise<Reply>;

const PATIENCE_MS = 20_000;
/** As Retry-After asks for. */
const AGAIN_AFTER_MS = 1_000;

/** Everybody who calls the API: keeps what each was answered, and asks the processes by turns. */
export class Clients {
  readonly answers: Answer[] = [];
  /** What was refused although it must not be. */
  readonly refused: string[] = [];
  private readonly underWay = new Set<AbortController>();
  private turn = 0;
  private insisting = 0;

  constructor(private readonly urls: readonly string[]) {}

  /** Calls that are repeated until they succeed, and have not yet. */
  get unfinished(): number {
    return this.insisting;
  }

  /** A process that takes no connections has got nothing: the next one is asked. Null: the connection ended before an answer came. */
  async call(what: string, exchange: Exchange): Promise<Reply | null> {
    const controller = new AbortController();
    this.underWay.add(controller);
    const from = Date.now();
    try {
      const signal = AbortSignal.any([controller.signal, AbortSignal.timeout(PATIENCE_MS)]);
      const reply = await exchange(this.nextUrl(), signal).catch((error: unknown) => {
        if (isRefusal(error)) return exchange(this.nextUrl(), signal);
        throw error;
      });
      this.answers.push({ what, status: reply.status, from, to: Date.now() });
      return reply;
    } catch {
      return null; // no answer is an answer here
    } finally {
      this.underWay.delete(controller);
    }
  }

  /** Again and again until it is answered 2xx. Null: a 4xx, which is final, and is kept. */
  async insist(what: string, exchange: Exchange): Promise<Reply | null> {
    this.insisting += 1;
    try {
      return await this.untilAnswered(what, exchange);
    } finally {
      this.insisting -= 1;
    }
  }

  private async untilAnswered(what: string, exchange: Exchange): Promise<Reply | null> {
    for (;;) {
      const reply = await this.call(what, exchange);
      if (reply && reply.status < 500) {
        if (reply.status < 300) return reply;
        this.refused.push(`${what} was answered ${reply.status}: ${reply.body}`);
        return null;
      }
      await pause(AGAIN_AFTER_MS);
    }
  }

  private nextUrl(): string {
    return this.urls[this.turn++ % this.urls.length] ?? '';
  }

  /** They hang up in the middle of everything. */
  cutAll(): void {
    for (const controller of this.underWay) controller.abort();
  }
}

const isRefusal = (error: unknown) => (error as { cause?: { code?: string } }).cause?.code === 'ECONNREFUSED';

/** A request with a JSON body, if any. */
export const exchangeOf =
  (method: string, path: string, headers: Record<string, string>, body?: object): Exchange =>
  async (url, signal) => {
    const response = await fetch(url + path, {
      method,
      signal,
      headers: { ...headers, ...(body ? { 'content-type': 'application/json' } : {}) },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    const isReplayed = response.headers.has('idempotent-replayed');
    return { status: response.status, body: await response.text(), isReplayed };
  };
