import { applyDecorators, createParamDecorator, type ExecutionContext, SetMetadata } from '@nestjs/common';
import { ApiConsumes } from '@nestjs/swagger';
import { raw, type Request } from 'express';

export const RAW_BODY = 'raw body';

/** The handler takes the bytes of the body, by @RawBody, whatever type the client says they are of; at most 1 MB or its @BodyLimit. */
export const TakesRawBody = (...types: string[]): MethodDecorator =>
  applyDecorators(SetMetadata(RAW_BODY, true), ApiConsumes(...types));

export const RawBody = createParamDecorator((_: unknown, context: ExecutionContext) => {
  const { body } = context.switchToHttp().getRequest<Request>() as { body: unknown };
  return Buffer.isBuffer(body) ? body : Buffer.alloc(0);
});

/** What is signed are the bytes as they came: a compressed body is refused (415). */
export const readRawBody = (limit: string): ReturnType<typeof raw> => raw({ type: () => true, limit, inflate: false });
