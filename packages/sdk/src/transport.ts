import createClient, { type Client } from 'openapi-fetch';

import { ApiError, ConnectionError, DeliveryError, TimeoutError } from './errors.js';
import { retryDelayMs } from './retry.js';
import type { paths } from './schema.js';

export interface ClientOptions {
  /** The secret of an API key: `sk_…`. */
  apiKey: string;
  /** The address of the service, such as `https://mail.example.com`. */
  baseUrl: string;
  /** The time limit of one attempt, until the last byte of its response; 30,000 by default, at most 24 days. */
  timeoutMs?: number;
  /** The maximum number of retries of a failed attempt; 3 by default. */
  maxRetries?: number;
  /** Replaces the global `fetch`, for example by one with a proxy or with tracing. */
  fetch?: (url: string, init: RequestInit) => Promise<Response>;
}

/** The options of one call; `timeoutMs` and `maxRetries` override those of the client. */
export interface CallOptions {
  /** Ends the call, its retries and its waits: it rejects with the reason of the signal. */
  signal?: AbortSignal;
  timeoutMs?: number;
  maxRetries?: number;
}

export interface SendOptions extends CallOptions {
  /**
   * 1 to 255 visible ASCII characters that identify the send. The service sends it once, however often it is repeated
   * within 24 hours: use your own, such as `order-4711-confirmation`, if your program may repeat it. Random by default,
   * which covers the retries of this call.
   */
  idempotencyKey?: string;
}

/** The options that each attempt passes to openapi-fetch. */
interface AttemptInit {
  signal: AbortSignal;
  headers: Record<string, string>;
  fetch: (request: Request) => Promise<Response>;
}

interface Result<T> {
  data?: T;
  error?: unknown;
  response: Response;
}

type Attempt<T> = (init: AttemptInit) => Promise<Result<T>>;

interface Call extends CallOptions {
  headers: Record<string, string>;
  isRepeatable: boolean;
}

/** Timers of all runtimes fire immediately for longer delays. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

const VISIBLE_ASCII = /^[\x21-\x7e]+$/;

/** The arguments that openapi-fetch passes to `fetch`. A real `Request` would be built twice, and its body copied. */
class RequestParts {
  readonly method: string | undefined;

  constructor(
    readonly url: string,
    readonly init: RequestInit,
  ) {
    this.method = init.method;
  }
}

/** Makes the calls: adds the key, limits their time, retries failed attempts, and turns failures into errors. */
export class Transport {
  readonly api: Client<paths>;
  readonly timeoutMs: number;
  private readonly maxRetries: number;
  private readonly fetch: NonNullable<ClientOptions['fetch']>;

  constructor({ apiKey, baseUrl, timeoutMs = 30_000, maxRetries = 3, fetch: customFetch }: ClientOptions) {
    if (!VISIBLE_ASCII.test(apiKey)) throw new TypeError('apiKey must be the secret of an API key');
    requireDuration(timeoutMs);
    if (!/^https?:$/.test(new URL(baseUrl).protocol)) throw new TypeError('baseUrl must be an http or https address');
    this.timeoutMs = timeoutMs;
    this.maxRetries = maxRetries;
    this.fetch = customFetch ?? ((url, init) => fetch(url, init));
    this.api = createClient<paths>({
      baseUrl,
      headers: { 'X-API-Key': apiKey },
      // Following a redirect would turn a POST into a GET, and might carry the key to another host.
      redirect: 'manual',
      Request: RequestParts as unknown as typeof Request,
    });
  }

  /** Makes a call that may be repeated without a further effect. */
  call<T>(attempt: Attempt<T>, options: CallOptions = {}): Promise<T> {
    return this.run(attempt, { ...options, headers: {}, isRepeatable: true });
  }

  /** Downloads a file. The time limit ends with the beginning of the response; the `signal` covers all of it. */
  async download(attempt: Attempt<unknown>, options: CallOptions = {}): Promise<ReadableStream<Uint8Array>> {
    const body = (await this.call(attempt, options)) as ReadableStream<Uint8Array>;
    return options.signal ? body.pipeThrough(new TransformStream(), { signal: options.signal }) : body;
  }

  /** Makes a call whose repetition would have an effect, or another result. */
  callOnce<T>(attempt: Attempt<T>, options: CallOptions = {}): Promise<T> {
    return this.run(attempt, { ...options, headers: {}, isRepeatable: false });
  }

  /** Makes a send, with the same Idempotency-Key for all of its attempts. */
  async send<T>(attempt: Attempt<T>, options: SendOptions = {}): Promise<T> {
    const { idempotencyKey = crypto.randomUUID() } = options;
    if (!VISIBLE_ASCII.test(idempotencyKey) || idempotencyKey.length > 255)
      throw new TypeError('idempotencyKey must have 1 to 255 visible ASCII characters');
    const headers = { 'Idempotency-Key': idempotencyKey };
    try {
      return await this.run(attempt, { ...options, headers, isRepeatable: true });
    } catch (error) {
      if (error instanceof DeliveryError) error.idempotencyKey = idempotencyKey;
      throw error;
    }
  }

  private async run<T>(attempt: Attempt<T>, call: Call): Promise<T> {
    if (call.timeoutMs !== undefined) requireDuration(call.timeoutMs);
    const maxRetries = call.isRepeatable ? (call.maxRetries ?? this.maxRetries) : 0;
    let mayHaveSucceeded = false;
    for (let retries = 0; ; retries++) {
      try {
        return await this.attempt(attempt, call);
      } catch (error) {
        if (error instanceof DeliveryError) {
          error.attempts = retries + 1;
          error.mayHaveSucceeded ||= mayHaveSucceeded;
          ({ mayHaveSucceeded } = error);
        }
        const delay = retries < maxRetries ? retryDelayMs(error, retries) : null;
        if (delay === null) throw error;
        await pause(delay, call.signal);
      }
    }
  }

  private async attempt<T>(attempt: Attempt<T>, { signal, headers, timeoutMs = this.timeoutMs }: Call): Promise<T> {
    signal?.throwIfAborted();
    const controller = new AbortController();
    const abort = () => {
      controller.abort(signal?.reason);
    };
    signal?.addEventListener('abort', abort);
    const timer = setTimeout(
      () => {
        controller.abort(new TimeoutError(`No response within ${timeoutMs} ms`));
      },
      Math.min(timeoutMs, LONGEST_TIMER_MS),
    );
    const progress = { isSent: false };
    const send = (request: Request) => {
      progress.isSent = true;
      const { url, init } = request as unknown as RequestParts;
      return this.fetch(url, init);
    };
    try {
      const { data, error, response } = await attempt({ signal: controller.signal, headers, fetch: send });
      if (!response.ok) throw ApiError.fromResponse(response, error);
      // All responses of the service are objects or files: this one comes from an intermediary.
      if (typeof data !== 'object' || data === null) throw new ConnectionError('The response is not of the service');
      return data;
    } catch (error) {
      if (controller.signal.aborted) throw controller.signal.reason as Error;
      // A failure before the request is sent, such as a body that cannot become JSON, would recur.
      if (error instanceof DeliveryError || !progress.isSent) throw error;
      throw new ConnectionError(`The service cannot be reached: ${reasonOf(error)}`, { cause: error });
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
    }
  }
}

function requireDuration(timeoutMs: number): void {
  if (!(timeoutMs > 0)) throw new TypeError('timeoutMs must be more than 0');
}

/** Node and Deno say "fetch failed" and put the reason into `cause`. */
function reasonOf(error: unknown): string {
  const { message, cause } = (error ?? {}) as { message?: unknown; cause?: unknown };
  return cause instanceof Error && cause.message !== '' ? cause.message : String(message ?? error);
}

async function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  signal?.throwIfAborted();
  await new Promise<void>((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort);
      resolve();
    }, ms);
    signal?.addEventListener('abort', abort, { once: true });
  });
}
