import type { HttpHandler, HttpRequest } from '@smithy/core/protocols';
import type { Agent, Dispatcher } from 'undici';

import { SLOWEST_UPLOAD_BYTES_PER_SECOND } from '../../config/limits.js';
import { LeaseEndedError, NotSubmittedError, type SubmissionCheck } from '../../shared/submission-check.js';
import { BufferedExchange } from '../safe-http/buffered-exchange.js';
import { LeasedAgent } from '../safe-http/leased-agent.js';
import { queryString } from './aws-sdk.js';

type HandlerOptions = NonNullable<Parameters<HttpHandler['handle']>[1]>;

type Options = ConstructorParameters<typeof LeasedAgent>[0] & {
  /** The time from the call to the end of the response, for a request with a small body. */
  answerTimeoutMs: number;
};

/** The checks of requests that submit a message. The SDK passes its handler the request and nothing of the caller. */
const checks = new WeakMap<object, SubmissionCheck>();

/** The handler checks the lease when it writes the request, and before each piece of a body that is an iterable. */
export function checkWhenWritten(request: object, check: SubmissionCheck): void {
  checks.set(request, check);
}

/** Sends the requests of an AWS client with undici, which tells when a request is written. */
export class UndiciHandler implements HttpHandler {
  readonly metadata = { handlerProtocol: 'http/1.1' };
  private readonly agent: LeasedAgent;
  private readonly answerTimeoutMs: number;

  constructor({ answerTimeoutMs, ...connections }: Options) {
    this.answerTimeoutMs = answerTimeoutMs;
    this.agent = new LeasedAgent(connections);
  }

  async handle(request: HttpRequest, { abortSignal, requestTimeout }: HandlerOptions = {}) {
    const check = checks.get(request);
    const exchange = new BufferedExchange(check && (() => check.isHeld()));
    const limitMs =
      requestTimeout ??
      this.answerTimeoutMs + (Number(request.headers['content-length'] ?? 0) / SLOWEST_UPLOAD_BYTES_PER_SECOND) * 1_000;
    const timeout = () => namedError('TimeoutError', `No complete answer within ${Math.round(limitMs)} ms`);
    const abort = () => {
      exchange.abort(namedError('AbortError', 'Request aborted'));
    };
    const signal = abortSignal as AbortSignal | undefined;
    signal?.addEventListener('abort', abort);
    if (signal?.aborted) abort();
    try {
      return { response: await this.agent.send(toUndici(request, check), exchange, { limitMs, timeout }) };
    } catch (error) {
      throw error instanceof NotSubmittedError ? error : toSdkError(error as Error, exchange.isWritten);
    } finally {
      signal?.removeEventListener('abort', abort);
    }
  }

  destroy(): void {
    void this.agent.destroy();
  }

  /** Ignores the settings of the SDK's own handler, which it offers to every handler. */
  updateHttpClientConfig(): void {
    // nothing to change
  }

  httpHandlerConfigs(): object {
    return {};
  }
}

function toUndici(request: HttpRequest, check: SubmissionCheck | undefined): Agent.DispatchOptions {
  const { protocol, hostname, port, path, query, method } = request;
  const search = queryString(query);
  const body = request.body as Dispatcher.DispatchOptions['body'] | Iterable<string>;
  return {
    origin: `${protocol}//${hostname}${port === undefined ? '' : `:${port}`}`,
    path: search === '' ? path : `${path}?${search}`,
    method: method,
    headers: request.headers,
    // The documentation of undici has iterables, its types do not.
    body: (isIterable(body) && check ? whileHeld(body, check) : body) as Dispatcher.DispatchOptions['body'],
  };
}

const isIterable = (body: unknown): body is Iterable<string> =>
  typeof body === 'object' && body !== null && Symbol.iterator in body && !ArrayBuffer.isView(body);

/** undici asks for a piece when the one before is written, and writes it at once. */
function* whileHeld(pieces: Iterable<string>, check: SubmissionCheck): Generator<string, void> {
  for (const piece of pieces) {
    if (!check.isHeld()) throw new LeaseEndedError();
    yield piece;
  }
}

const CLOSED = new Set(['UND_ERR_SOCKET', 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH', 'ECONNRESET', 'EPIPE']);

const namedError = (name: string, message: string, more: object = {}): Error =>
  Object.assign(new Error(message), { name, ...more });

/** The properties of an error of the handler. */
export interface HandlerError {
  /** Whether something of the request may have been sent. */
  isWritten: boolean;
}

/**
 * Converts an error to the form of the SDK's own handler, which callers classify. A copy: undici gives several requests
 * the same error.
 */
function toSdkError(cause: NodeJS.ErrnoException, isWritten: boolean): Error {
  const { name, message, code = '' } = cause;
  const more = { cause, isWritten } satisfies HandlerError & { cause: Error };
  if (CLOSED.has(code)) return namedError('TimeoutError', message, { ...more, code: 'ECONNRESET' });
  if (code === 'UND_ERR_CONNECT_TIMEOUT' || code === 'ETIMEDOUT') return namedError('TimeoutError', message, more);
  return namedError(name, message, { ...more, code });
}
