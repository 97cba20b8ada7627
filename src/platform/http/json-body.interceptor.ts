import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor, SetMetadata } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { json, type Request, type Response } from 'express';
import type { Observable } from 'rxjs';

import { DomainError } from '../../shared/domain-error.js';

const BODY_LIMIT = 'body limit';
const DEFAULT_LIMIT = '1mb';

/** Takes JSON bodies up to this size instead of 1 MB. */
export const BodyLimit = (limit: string): MethodDecorator => SetMetadata(BODY_LIMIT, limit);

/**
 * Reads the JSON body after the guards, so that a caller who may not call is told that first and cannot make us read on.
 * Text that PostgreSQL cannot hold (NUL, half a surrogate pair) is refused here for all endpoints.
 */
@Injectable()
export class JsonBodyInterceptor implements NestInterceptor {
  private readonly parsers = new Map<string, ReturnType<typeof json>>();

  constructor(private readonly reflector: Reflector) {}

  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const request = context.switchToHttp().getRequest<Request>();
    if (!['GET', 'HEAD', 'DELETE'].includes(request.method)) {
      const limit = this.reflector.get<string | undefined>(BODY_LIMIT, context.getHandler()) ?? DEFAULT_LIMIT;
      await this.read(request, context.switchToHttp().getResponse<Response>(), limit);
    }
    return next.handle();
  }

  private async read(request: Request, response: Response, limit: string): Promise<void> {
    if (hasBody(request) && !request.is('json')) {
      throw DomainError.invalid('The body must be JSON, sent with Content-Type: application/json');
    }
    await new Promise<void>((resolve, reject) => {
      this.parser(limit)(request, response, (error?: unknown) => {
        if (error === undefined) resolve();
        else reject(inOurWords(error, limit));
      });
    });
    request.body ??= {};
    if (Array.isArray(request.body)) throw DomainError.invalid('The body must be a JSON object');
  }

  private parser(limit: string): ReturnType<typeof json> {
    const parser = this.parsers.get(limit) ?? json({ limit, verify: refuseUnstorableText });
    this.parsers.set(limit, parser);
    return parser;
  }
}

const hasBody = ({ headers }: Request): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

function inOurWords(error: unknown, limit: string): Error {
  const { type } = error as { type?: string };
  if (type === 'entity.parse.failed') return DomainError.invalid('The body is not valid JSON');
  if (type === 'entity.too.large') {
    const size = limit.replace(/^(\d+)(\D+)$/, (_, count: string, unit: string) => `${count} ${unit.toUpperCase()}`);
    return Object.assign(error as Error, { message: `The body is larger than ${size}` });
  }
  return error as Error;
}

function refuseUnstorableText(_request: unknown, _response: unknown, body: Buffer): void {
  if (!body.includes('\\u')) return;
  let parsed: unknown;
  try {
    parsed = JSON.parse(body.toString('utf8'));
  } catch {
    return; // the parser says what is wrong with it
  }
  const path = findUnstorable(parsed, '');
  if (path !== undefined) throw DomainError.invalid(`${path || 'The body'} holds a character that cannot be stored`);
}

function findUnstorable(value: unknown, path: string): string | undefined {
  if (typeof value === 'string') return value.includes('\0') || !value.isWellFormed() ? path : undefined;
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [key, inner] of Object.entries(value)) {
    const place = path ? `${path}.${key}` : key;
    const found = findUnstorable(key, place) ?? findUnstorable(inner, place);
    if (found !== undefined) return found;
  }
  return undefined;
}
