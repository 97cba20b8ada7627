import { setTimeout as pause } from 'node:timers/promises';

import { Pool } from 'undici';

import type { AnswerRecords } from './evidence/answers.js';

export interface Reply {
  status: number;
  body: string;
  /** Whether it is the replayed response to an Idempotency-Key. */
  isReplayed: boolean;
  /** Whether it has Retry-After. */
  isRetryable: boolean;
}

/** The last reply to a request that was repeated until it was accepted. */
export interface FinalReply extends Reply {
  /** Whether there were earlier requests. They may be carried out after this reply: a process may be halted. */
  isRepeated: boolean;
}

/** One request to a process of the API. */
export interface Exchange {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  path: string;
  headers: Record<string, string>;
  body?: string;
  /** The client aborts after this time. */
  withinMs?: number;
}

interface ApiProcess {
  pool: Pool;
  isHealthy: boolean;
}

const CALL_TIMEOUT_MS = 20_000;
/** The value of Retry-After. */
const RETRY_AFTER_MS = 1_000;
const CONNECTIONS_PER_PROCESS = 200;
const HEALTH_CHECK_EVERY_MS = 1_000;
const HEALTHY_WITHIN_MS = 2_000;

/** All clients of the API: records the responses, and balances the load over healthy processes. */
export class Clients {
  /** Calls that must not be refused, and were. */
  readonly refused: string[] = [];
  private readonly inFlight = new Map<AbortController, ApiProcess>();
  private readonly processes: ApiProcess[] = [];
  private nextIndex = 0;
  private retrying = 0;
  private isClosed = false;

  constructor(
    urls: readonly string[],
    private readonly answers: AnswerRecords,
  ) {
    for (const url of urls) this.add(url);
  }

  /** Balances the load over this process too. */
  add(url: string): void {
    const pool = new Pool(url, { connections: CONNECTIONS_PER_PROCESS, headersTimeout: 0, bodyTimeout: 0 });
    const process = { pool, isHealthy: true };
    this.processes.push(process);
    void this.watch(process);
  }

  /** Calls that are being retried until they are accepted. */
  get unfinished(): number {
    return this.retrying;
  }

  /** Tries the next process if one refuses the connection. Null if there was no response. */
  async call(what: string, exchange: Exchange): Promise<Reply | null> {
    const controller = new AbortController();
    const ask = async () => {
      const process = this.nextProcess();
      this.inFlight.set(controller, process);
      return request(process.pool, exchange, controller.signal).catch((error: unknown) => {
        if (isRefusal(error)) process.isHealthy = false;
        throw error;
      });
    };
    const timer = setTimeout(() => {
      controller.abort();
    }, exchange.withinMs ?? CALL_TIMEOUT_MS);
    const from = Date.now();
    try {
      const reply = await ask().catch((error: unknown) => {
        if (isRefusal(error)) return ask();
        throw error;
      });
      const { status, isRetryable } = reply;
      this.answers.add({ what, status, isRetryable, from, to: Date.now() });
      return reply;
    } catch (error) {
      if (!controller.signal.aborted) this.answers.lose({ what, from, to: Date.now(), error: String(error) });
      return null; // callers treat this as a result
    } finally {
      clearTimeout(timer);
      this.inFlight.delete(controller);
    }
  }

  /** Retries until the response is a 2xx, or another accepted one. Null after a 4xx, which is final and is recorded. */
  async retryUntilAccepted(
    what: string,
    exchange: Exchange,
    isAccepted: (reply: Reply) => boolean = ({ status }) => status < 300,
  ): Promise<FinalReply | null> {
    this.retrying += 1;
    try {
      for (let isRepeated = false; ; isRepeated = true) {
        const reply = await this.call(what, exchange);
        if (reply && isAccepted(reply)) return { ...reply, isRepeated };
        if (reply && reply.status < 500) {
          this.refused.push(`${what} was answered ${reply.status}: ${reply.body}`);
          return null;
        }
        await pause(RETRY_AFTER_MS);
      }
    } finally {
      this.retrying -= 1;
    }
  }

  /** Aborts all calls in flight. */
  cutAll(): void {
    for (const controller of this.inFlight.keys()) controller.abort();
  }

  async close(): Promise<void> {
    this.isClosed = true;
    await Promise.all(this.processes.map(({ pool }) => pool.destroy()));
  }

  /**
   * Acts like a load balancer: a process that does not respond loses its connections and gets no requests until it
   * does. One that refuses connections may be finishing its requests.
   */
  private async watch(process: ApiProcess): Promise<void> {
    while (!this.isClosed) {
      const signal = AbortSignal.timeout(HEALTHY_WITHIN_MS);
      process.isHealthy = await request(process.pool, HEALTH_CHECK, signal).then(
        ({ status }) => status === 200,
        () => false,
      );
      if (signal.aborted) for (const [controller, asked] of this.inFlight) if (asked === process) controller.abort();
      await pause(HEALTH_CHECK_EVERY_MS, undefined, { ref: false });
    }
  }

  private nextProcess(): ApiProcess {
    const healthy = this.processes.filter(({ isHealthy }) => isHealthy);
    const candidates = healthy.length > 0 ? healthy : this.processes;
    return candidates[this.nextIndex++ % candidates.length]!;
  }
}

const HEALTH_CHECK: Exchange = { method: 'GET', path: '/health/live', headers: {} };

const isRefusal = (error: unknown) => (error as { code?: string }).code === 'ECONNREFUSED';

async function request(pool: Pool, exchange: Exchange, signal: AbortSignal): Promise<Reply> {
  const { method, path, headers, body = null } = exchange;
  const { statusCode, headers: answered, body: answer } = await pool.request({ method, path, headers, body, signal });
  return {
    status: statusCode,
    body: await answer.text(),
    isReplayed: answered['idempotent-replayed'] !== undefined,
    isRetryable: answered['retry-after'] !== undefined,
  };
}

/** Describes a request, with a JSON body if given. */
export const exchangeOf = (
  method: Exchange['method'],
  path: string,
  headers: Record<string, string>,
  body?: object,
): Exchange =>
  body
    ? { method, path, headers: { ...headers, 'content-type': 'application/json' }, body: JSON.stringify(body) }
    : { method, path, headers };

/** Sends a request to one process during set-up. Throws unless the response is a 2xx. */
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
