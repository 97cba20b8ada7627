import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Response } from 'express';

/** A signal that is aborted if the client disconnects before it has the response. */
export function whenClientLeaves(response: Response): AbortSignal {
  const gone = new AbortController();
  response.once('close', () => {
    if (!response.writableFinished) gone.abort();
  });
  return gone.signal;
}

/** The signal of `whenClientLeaves` as a parameter of a handler. */
export const ClientLeaves = createParamDecorator((_: unknown, context: ExecutionContext) =>
  whenClientLeaves(context.switchToHttp().getResponse<Response>()),
);
