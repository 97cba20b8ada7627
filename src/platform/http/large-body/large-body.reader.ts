import {
  applyDecorators,
  HttpException,
  HttpStatus,
  Injectable,
  PayloadTooLargeException,
  RequestTimeoutException,
  SetMetadata,
  UnsupportedMediaTypeException,
} from '@nestjs/common';
import { ApiResponse } from '@nestjs/swagger';
import type { Request, Response } from 'express';

import { DomainError } from '../../../shared/domain-error.js';
import { TimeSlice } from '../../../concurrency/time-slice.js';
import type { AuthenticatedRequest } from '../access/caller.js';
import { RequestsInFlight } from '../../metrics/requests-in-flight.js';
import { ApiErrors } from '../api-errors.js';
import { ErrorResponse } from '../error.response.js';
import { NOT_BASE64 } from './base64-decoder.js';
import { BodyMemory, type HeldBody, MAX_SEND_MB } from './body-memory.js';
import { BYTES_PER_MB } from '../../../shared/bytes.js';
import { BodyScanner, type JsonPath } from './body-scanner.js';
import { WholeBody } from './whole-body.js';

export const LARGE_BODY = 'large body';
/** The time limit for receiving a body: a slower client must not hold the memory for longer. */
const RECEIVE_TIMEOUT = { ms: 10_000, bytesPerMs: 250 };
/** The pause between reading pieces of up to 64 kB of a refused body. */
const DISCARD_EVERY_MS = 50;
/** Replaces content that is not base64; it is not base64 either, so that the validation reports it. */
const INVALID_CONTENT = '!';

/**
 * Accepts bodies above 1 MB, up to the largest attachments and MAX_SEND_MB besides. The base64 strings at the path
 * arrive as Buffers then; in smaller bodies they are still strings.
 */
export const TakesAttachments = (...path: JsonPath): MethodDecorator =>
  takes({ path }, 'attachments are larger than 10 MB together');

/**
 * Accepts bodies above 1 MB, up to the given size with all that they contain; LARGEST_BATCH_MB at most. Base64 strings
 * at the path, if there is one, arrive as with `TakesAttachments`.
 */
export const TakesUpTo = (maxMb: number, ...path: JsonPath): MethodDecorator =>
  takes({ path, maxMb }, bodyLargerThan(maxMb).message);

const takes = (body: LargeBody, tooLarge: string): MethodDecorator =>
  applyDecorators(
    SetMetadata(LARGE_BODY, body),
    ApiErrors({ too_large: tooLarge }),
    ApiResponse({
      status: 411,
      type: ErrorResponse,
      description: 'The body is larger than 1 MB and has no Content-Length',
    }),
  );

export interface LargeBody {
  path: JsonPath;
  /** Limits the body as a whole; without it, attachments and the rest have limits of their own. */
  maxMb?: number;
}

const heldBodies = new WeakMap<Response, HeldBody>();

/** Runs work that uses a large body: the memory of the body is held until it ends. */
export const holdingBody = <T>(response: Response, work: () => Promise<T>): Promise<T> =>
  heldBodies.get(response)?.during(work) ?? work();

/** Reads bodies above 1 MB, within the memory for them. No step processes more than one piece from the network. */
@Injectable()
export class LargeBodyReader {
  constructor(
    private readonly memory: BodyMemory,
    private readonly inFlight: RequestsInFlight,
  ) {}

  /**
   * `parse` gets the body without the attachments. The memory stays taken until the response is closed and the handler
   * has ended, see `holdingBody`. Throws `unavailable` if there is none.
   */
  async read(
    request: AuthenticatedRequest,
    response: Response,
    { path, maxMb }: LargeBody,
    parse: (rest: Buffer) => Promise<unknown>,
  ): Promise<unknown> {
    const length = Number(request.headers['content-length']);
    if (maxMb !== undefined && length > maxMb * BYTES_PER_MB) throw bodyLargerThan(maxMb);
    if (maxMb === undefined && length > this.memory.maxSendBytes) throw this.tooLarge();
    if ((request.headers['content-encoding'] ?? 'identity') !== 'identity')
      throw new UnsupportedMediaTypeException('A body larger than 1 MB must not be compressed');
    const held = this.takeMemory(request.caller?.accountId ?? '', length, request);
    heldBodies.set(response, held);
    response.once('close', () => {
      held.close();
    });
    // A client that has gone while it was authenticated has closed the response already: there is no other event.
    if (response.closed) held.close();
    const body = path.length === 0 ? new WholeBody(length) : this.scannerFor(path, length, maxMb);
    await this.receive(request, response, body, RECEIVE_TIMEOUT.ms + length / RECEIVE_TIMEOUT.bytesPerMs);
    const parsed = await held.during(() => parse(body.finish()));
    return body instanceof WholeBody ? parsed : withContents(parsed, path, body.contents);
  }

  private scannerFor(path: JsonPath, length: number, maxMb: number | undefined): BodyScanner {
    const decoded = Math.ceil((length * 3) / 4);
    return new BodyScanner({
      path,
      target: Buffer.allocUnsafeSlow(maxMb === undefined ? Math.min(this.memory.maxAttachmentBytes, decoded) : decoded),
      maxRest: (maxMb ?? MAX_SEND_MB) * BYTES_PER_MB,
      onOverflow: () => {
        throw this.tooLarge();
      },
      onLargeRest: () => {
        throw bodyLargerThan(maxMb ?? MAX_SEND_MB);
      },
    });
  }

  /**
   * Takes the memory or refuses the body. Most clients stop sending then; reading what others still send must take
   * little processor time.
   */
  private takeMemory(accountId: string, bytes: number, request: Request): HeldBody {
    try {
      return this.memory.take(accountId, bytes);
    } catch (error) {
      request.on('data', () => {
        request.pause();
        setTimeout(() => request.resume(), DISCARD_EVERY_MS).unref();
      });
      throw error;
    }
  }

  private async receive(
    request: Request,
    response: Response,
    body: BodyScanner | WholeBody,
    timeoutMs: number,
  ): Promise<void> {
    const received = this.inFlight.wait();
    const timeOut = new AbortController();
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        timeOut.abort();
        response.setHeader('Connection', 'close');
        reject(new RequestTimeoutException('The body took too long'));
      }, timeoutMs);
    });
    try {
      await Promise.race([readInto(body, request, timeOut.signal), late]);
    } finally {
      clearTimeout(timer);
      received();
    }
  }

  private tooLarge(): PayloadTooLargeException {
    return new PayloadTooLargeException(`attachments are larger than ${this.memory.maxAttachmentsMb} MB together`);
  }
}

async function readInto(body: BodyScanner | WholeBody, request: Request, late: AbortSignal): Promise<void> {
  // A fast client sends megabytes in one iteration of the event loop.
  const slice = new TimeSlice();
  try {
    // Stays open, so that the response still reaches a client whose body is refused halfway.
    for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      if (late.aborted) return;
      body.write(chunk);
      if (slice.isOver) await slice.next();
    }
  } catch (error) {
    throw (error as { code?: string }).code === 'ECONNRESET' ? DomainError.invalid('The body broke off') : error;
  } finally {
    request.resume();
  }
}

export const isLarge = ({ headers }: Request): boolean => Number(headers['content-length'] ?? 0) > BYTES_PER_MB;

export const lengthRequired = (): HttpException =>
  new HttpException('A body larger than 1 MB needs the header Content-Length', HttpStatus.LENGTH_REQUIRED);

const bodyLargerThan = (mb: number) => new PayloadTooLargeException(`The body is larger than ${mb} MB`);

/** Replaces the numbers that the scanner left at the path. */
function withContents(value: unknown, [name, ...path]: JsonPath, contents: BodyScanner['contents']): unknown {
  if (name === undefined) {
    const content = typeof value === 'string' ? contents[Number(value)] : value;
    return content === NOT_BASE64 ? INVALID_CONTENT : content;
  }
  if (typeof value !== 'object' || value === null) return value;
  if (name === null) return Array.isArray(value) ? value.map((inner) => withContents(inner, path, contents)) : value;
  if (!Array.isArray(value) && Object.hasOwn(value, name)) {
    const fields = value as Record<string, unknown>;
    fields[name] = withContents(fields[name], path, contents);
  }
  return value;
}
