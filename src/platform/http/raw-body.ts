import { applyDecorators, createParamDecorator, type ExecutionContext, SetMetadata } from '@nestjs/common';
import { ApiConsumes } from '@nestjs/swagger';
import { raw, type Request } from 'express';

export const RAW_BODY = 'raw body';

/** The handler gets the bytes of the body through @RawBody, of any Content-Type, up to 1 MB or its @BodyLimit. */
export const TakesRawBody = (...types: string[]): MethodDecorator =>
  applyDecorators(SetMetadata(RAW_BODY, true), ApiConsumes(...types));

export const RawBody = createParamDecorator((_: unknown, context: ExecutionContext) => {
  const { body } = context.switchToHttp().getRequest<Request>() as { body: unknown };
  return Buffer.isBuffer(body) ? body : Buffer.alloc(0);
});

/** Signatures cover the bytes as they were sent, so a compressed body is refused (415). */
export const readRawBody = (limit: string): ReturnType<typeof raw> => raw({ type: () => true, limit, inflate: false });
