import {
  applyDecorators,
  createParamDecorator,
  type ExecutionContext,
  PayloadTooLargeException,
  SetMetadata,
} from '@nestjs/common';
import { ApiConsumes } from '@nestjs/swagger';
import type { Request } from 'express';

import { BYTES_PER_MB } from '../../shared/bytes.js';
import { DomainError } from '../../shared/domain-error.js';

export const STREAMED_BODY = 'streamed body';

/** The handler gets a body of this type through @BodyText, and no JSON. */
export const StreamedBody = (type: string): MethodDecorator =>
  applyDecorators(SetMetadata(STREAMED_BODY, type), ApiConsumes(type));

/** The body as an AsyncIterable<string>, which throws if it is larger than the given number of MB or not UTF-8. */
export const BodyText = createParamDecorator((maxMegabytes: number, context: ExecutionContext) =>
  readText(context.switchToHttp().getRequest<Request>(), maxMegabytes),
);

/** Throws `invalid` for a body that @BodyText cannot read. */
export function requireStreamable(request: Request, type: string): void {
  const charset = /charset\s*=\s*"?([^\s;"]*)/i.exec(request.headers['content-type'] ?? '')?.[1] ?? 'utf-8';
  const encoding = request.headers['content-encoding'] ?? 'identity';
  if (request.is(type) && /^utf-?8$/i.test(charset) && encoding === 'identity') return;
  throw DomainError.invalid(`The body must be sent with Content-Type: ${type}, in UTF-8 and not compressed`);
}

async function* readText(request: Request, maxMegabytes: number): AsyncGenerator<string, void> {
  const tooLarge = () => new PayloadTooLargeException(`The body is larger than ${maxMegabytes} MB`);
  const maxBytes = maxMegabytes * BYTES_PER_MB;
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) throw tooLarge();
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let bytes = 0;
  try {
    // Stays open, so that the response still reaches a client whose body is refused halfway.
    for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > maxBytes) throw tooLarge();
      yield decoder.decode(chunk, { stream: true });
    }
    yield decoder.decode();
  } catch (error) {
    throw toBodyError(error);
  } finally {
    request.resume();
  }
}

function toBodyError(error: unknown): unknown {
  const { code } = error as { code?: string };
  if (code === 'ERR_ENCODING_INVALID_ENCODED_DATA') return DomainError.invalid('The body is not valid UTF-8');
  if (code === 'ECONNRESET') return DomainError.invalid('The body broke off');
  return error;
}
