import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';

import type { Role } from '../../../shared/roles.js';

export interface KeyCaller {
  kind: 'key';
  accountId: string;
  apiKeyId: string;
  /** The key's own cap on messages per UTC day. */
  dailyLimit: number | null;
}

export interface SessionCaller {
  kind: 'session';
  accountId: string;
  userId: string;
  role: Role;
}

export type Caller = KeyCaller | SessionCaller;

/** The caller stays on the request for the handler and for the request's log line. */
export interface AuthenticatedRequest extends Request {
  caller?: Caller;
}

const caller = (_: unknown, context: ExecutionContext): Caller | undefined =>
  context.switchToHttp().getRequest<AuthenticatedRequest>().caller;

/** The authenticated caller of a handler that takes keys, sessions or both; its marker decides which it can be. */
export const CurrentCaller = createParamDecorator(caller);
