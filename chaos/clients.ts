import { setTimeout as pause } from 'node:timers/promises';

import { Pool } from 'undici';

import type { AnswerRecords } from './evidence/answers.js';

export interface Reply {
  status: number;
  body: string;
  /** The answer to an Idempotency-Key that came before. */
  isReplayed: boolean;
}

/** One request to a process of the API. */
export interface Exchange {
  method: 'GET' | 'POST' | 'PATCH';
  path: string;
  headers: Record<string, string>;
  body?: string;
  /** The client waits no longer than this. */
  withinMs?: number;
}

interface ApiProcess {
  pool: Pool;
  isHealthy: boolean;
}

const PATIENCE_MS = 20_000;
/** As Retry-After asks for. */
const AGAIN_AFTER_MS = 1_000;
const CONNECTIONS_PER_PROCESS = 200;
const HEALTH_CHECK_EVERY_MS = 1_000;
const HEALTHY_WITHIN_MS = 2_000;

/** Everybody who calls the API: counts what each was answered, and asks the healthy processes by turns. */
export class Clients {
  /** What was refused although it must not be. */
  readonly refused: string[] = [];
  private readonly underWay = new Map<AbortController, ApiProcess>();
  private readonly processes: ApiProcess[];
  private turn = 0;
  private retrying = 0;
  private isClosed = false;

  constructor(
    urls: readonly string[],
    private readonly answers: AnswerRecords,
  ) {
    this.processes = urls.map((url) => ({
      pool: new Pool(url, { connections: CONNECTIONS_PER_PROCESS, headersTimeout: 0, bodyTimeout: 0 }),
      isHealthy: true,
    }));
    for (const process of this.processes) void this.watch(process);
  }

  /** Calls that are repeated until they are accepted, and have not been yet. */
  get unfinished(): number {
    return this.retrying;
  }

  /** A process that takes no connections has got nothing: the next one is asked. Null: no answer came. */
  async call(what: string, exchange: Exchange): Promise<Reply | null> {
    const controller = new AbortController();
    const ask = () => {
      const process = this.nextProcess();
      this.underWay.set(controller, process);
      return request(process.pool, exchange, controller.signal);
    };
    const timer = setTimeout(() => {
      controller.abort();
    }, exchange.withinMs ?? PATIENCE_MS);
    const from = Date.now();
    try {
      const reply = await ask().catch((error: unknown) => {
        if (isRefusal(error)) return ask();
        throw error;
      });
      this.answers.add({ what, status: reply.status, from, to: Date.now() });
      return reply;
    } catch {
      return null; // no answer is an answer here
    } finally {
      clearTimeout(timer);
      this.underWay.delete(controller);
    }
  }

  /** Again and again until it is answered 2xx. Null: a 4xx, which is final, and is kept. */
  async retryUntilAccepted(what: string, exchange: Exchange): Promise<Reply | null> {
    this.retrying += 1;
    try {
      for (;;) {
        const reply = await this.call(what, exchange);
        if (reply && reply.status < 300) return reply;
        if (reply && reply.status < 500) {
          this.refused.push(`${what} was answered ${reply.status}: ${reply.body}`);
          return null;
        }
        await pause(AGAIN_AFTER_MS);
      }
    } finally {
      this.retrying -= 1;
    }
  }

  /** They hang up in the middle of everything. */
  cutAll(): void {
    for (const controller of this.underWay.keys()) controller.abort();
  }

  async close(): Promise<void> {
    this.isClosed = true;
    await Promise.all(this.processes.map(({ pool }) => pool.destroy()));
  }

  /** As a load balancer does: a process that does not answer is cut off, and gets no further requests until it does. */
  private async watch(process: ApiProcess): Promise<void> {
    while (!this.isClosed) {
      const signal = AbortSignal.timeout(HEALTHY_WITHIN_MS);
      process.isHealthy = await request(process.pool, HEALTH_CHECK, signal).then(
        ({ status }) => status === 200,
        () => false,
      );
      if (!process.isHealthy)
        for (const [controller, asked] of this.underWay) if (asked === process) controller.abort();
      await pause(HEALTH_CHECK_EVERY_MS, undefined, { ref: false });
    }
  }

  private nextProcess(): ApiProcess {
    const healthy = this.processes.filter(({ isHealthy }) => isHealthy);
    const candidates = healthy.length > 0 ? healthy : this.processes;
    return candidates[this.turn++ % candidates.length]!;
  }
}

const HEALTH_CHECK: Exchange = { method: 'GET', path: '/health/live', headers: {} };

const isRefusal = (error: unknown) => (error as { code?: string }).code === 'ECONNREFUSED';

async function request(pool: Pool, exchange: Exchange, signal: AbortSignal): Promise<Reply> {
  const { method, path, headers, body = null } = exchange;
  const { statusCode, headers: answered, body: answer } = await pool.request({ method, path, headers, body, signal });
  return { status: statusCode, body: await answer.text(), isReplayed: answered['idempotent-replayed'] !== undefined };
}

/** A request with a JSON body, if any. */
export const exchangeOf = (
  method: Exchange['method'],
  path: string,
  headers: Record<string, string>,
  body?: object,
): Exchange =>
  body
    ? { method, path, headers: { ...headers, 'content-type': 'application/json' }, body: JSON.stringify(body) }
    : { method, path, headers };

/** To one process, for setting up. Throws what is not a 2xx. */
export async function ask<T>(url: string, exchange: Exchange): Promise<T> {
  const { method, path, headers, body } = exchange;
  const response = await fetch(url + path, {
    method,
    headers,
    signal: AbortSignal.timeout(30_000),
    ...(body === undefined ? {} : { body }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text}`);
  return JSON.parse(text) as T;
}
