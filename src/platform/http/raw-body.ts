import { applyDecorators, createParamDecorator, type ExecutionContext, SetMetadata } from '@nestjs/common';
import { ApiConsumes } from '@nestjs/swagger';
import { raw, type Request, type Response } from 'express';

export const RAW_BODY = 'raw body';

const LIMIT = '1mb';

/** The handler takes the bytes of the body, by @RawBody, whatever type the client says they are of; at most 1 MB. */
export const TakesRawBody = (...types: string[]): MethodDecorator =>
  applyDecorators(SetMetadata(RAW_BODY, true), ApiConsumes(...types));

export const RawBody = createParamDecorator((_: unknown, context: ExecutionContext) => {
  const { body } = context.switchToHttp().getRequest<Request>() as { body: unknown };
  return Buffer.isBuffer(body) ? body : Buffer.alloc(0);
});

/** What is signed are the bytes as they came: a compressed body is refused (415). */
const parse = raw({ type: () => true, limit: LIMIT, inflate: false });

export async function readRawBody(request: Request, response: Response): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    parse(request, response, (error?: Error & { type?: string }) => {
      if (error === undefined) resolve();
      else if (error.type !== 'entity.too.large') reject(error);
      else reject(Object.assign(error, { message: 'The body is larger than 1 MB' }));
    });
  });
}
