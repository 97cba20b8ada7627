import {
  type CanActivate,
  type ExecutionContext,
  Injectable,
  RequestTimeoutException,
  SetMetadata,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { raw, type Request, type Response } from 'express';

import { DomainError } from '../../shared/domain-error.js';
import { isRecord } from '../../shared/is-record.js';
import type { AuthenticatedRequest } from './access/caller.js';
import { RequestsInFlight } from '../metrics/requests-in-flight.js';
import {
  isLarge,
  LARGE_BODY,
  type LargeBody,
  LargeBodyReader,
  lengthRequired,
} from './large-body/large-body.reader.js';
import { parseJson } from './parse-json.js';
import { RAW_BODY, readRawBody } from './raw-body.js';
import { requireStreamable, STREAMED_BODY } from './streamed-body.js';
import { rejectUnknownFields } from './unknown-fields.js';

const BODY_LIMIT = 'body limit';
const ENTRIES = 'entries';
const DEFAULT_LIMIT = '1mb';

/** Limits raw bodies to less than 1 MB. Larger bodies need memory of BodyMemory. */
export const BodyLimit = (limit: string): MethodDecorator => SetMetadata(BODY_LIMIT, limit);

/**
 * The handler validates the entries of the list in this field one by one: each may hold as much as other bodies, and
 * text that cannot be stored, because the handler reports faults per entry.
 */
export const HasEntriesIn = (field: string): MethodDecorator => SetMetadata(ENTRIES, field);

const readJsonBody = raw({ type: () => true, limit: DEFAULT_LIMIT });

/**
 * Parses the JSON body after all other guards, so that callers without access are refused first and no body is read for
 * them. Every access marker applies it. Text that PostgreSQL cannot store (NUL, half a surrogate pair), in the body or
 * in the path, is refused here for all endpoints. It is a guard because an interceptor would add 20 % per request.
 */
@Injectable()
export class JsonBodyGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly inFlight: RequestsInFlight,
    private readonly largeBodies: LargeBodyReader,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<Request>();
    if (request.path.startsWith('/api/') && request.path.includes('%00'))
      throw DomainError.invalid('The path holds a character that cannot be stored');
    const handler = context.getHandler();
    const response = context.switchToHttp().getResponse<Response>();
    const streamedType = this.reflector.get<string | undefined>(STREAMED_BODY, handler);
    if (streamedType !== undefined) {
      requireStreamable(request, streamedType);
    } else if (this.reflector.get<boolean | undefined>(RAW_BODY, handler)) {
      const limit = this.reflector.get<string | undefined>(BODY_LIMIT, handler) ?? DEFAULT_LIMIT;
      await this.receive(readRawBody(limit), request, response, limit);
    } else if (!['GET', 'HEAD'].includes(request.method)) {
      const largeBody = this.reflector.get<LargeBody | undefined>(LARGE_BODY, handler);
      const entriesIn = this.reflector.get<string | undefined>(ENTRIES, handler);
      await this.read(request, response, entriesIn, largeBody);
    }
    rejectUnknownFields(context, request);
    return true;
  }

  private async read(
    request: Request,
    response: Response,
    entriesIn: string | undefined,
    largeBody: LargeBody | undefined,
  ): Promise<void> {
    if (hasBody(request) && !(request.is('json') && isUtf8(request))) {
      throw DomainError.invalid('The body must be JSON, sent with Content-Type: application/json in UTF-8');
    }
    const { caller } = request as AuthenticatedRequest;
    const parseBody = (body: Buffer) => parseJson(body, entriesIn, caller?.accountId);
    if (largeBody && isLarge(request)) {
      request.body = await this.largeBodies.read(request, response, largeBody, parseBody);
    } else {
      await this.receive(readJsonBody, request, response, DEFAULT_LIMIT).catch((error: unknown) => {
        throw largeBody && isTooLarge(error) && !hasLength(request) ? lengthRequired() : error;
      });
      const body = request.body as Buffer | undefined;
      request.body = body?.length ? await parseBody(body) : {};
    }
    if (!isRecord(request.body)) throw DomainError.invalid('The body must be a JSON object');
  }

  private async receive(reader: Reader, request: Request, response: Response, limit: string): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      const received = this.inFlight.receive(() => {
        response.setHeader('Connection', 'close');
        reject(new RequestTimeoutException('The body took too long'));
      });
      reader(request, response, (error?: unknown) => {
        received();
        if (error === undefined) resolve();
        else reject(toBodyError(error, limit));
      });
    });
  }
}

type Reader = ReturnType<typeof raw>;

const isUtf8 = ({ headers }: Request): boolean =>
  /^utf-?8$/i.test(/charset\s*=\s*"?([^\s;"]*)/i.exec(headers['content-type'] ?? '')?.[1] ?? 'utf-8');

const hasBody = ({ headers }: Request): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

const hasLength = ({ headers }: Request): boolean => headers['content-length'] !== undefined;

const isTooLarge = (error: unknown): boolean => (error as { type?: string }).type === 'entity.too.large';

function toBodyError(error: unknown, limit: string): Error {
  if ((error as { type?: string }).type === 'entity.too.large') {
    const size = limit.replace(/^(\d+)(\D+)$/, (_, count: string, unit: string) => `${count} ${unit.toUpperCase()}`);
    return Object.assign(error as Error, { message: `The body is larger than ${size}` });
  }
  return error as Error;
}
