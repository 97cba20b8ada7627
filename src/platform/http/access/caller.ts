import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';

import type { Actor } from '../../../shared/actor.js';
import type { Role } from '../../../shared/permissions.js';

export interface KeyCaller {
  kind: 'key';
  /** The account whose messages, contacts and suppressions the key uses: for a test key, the test account. */
  accountId: string;
  /** The account that manages a test key, and whose templates it uses. Null for a live key. */
  testOf: string | null;
  apiKeyId: string;
  /** The cap of the key on messages per UTC day. */
  dailyLimit: number | null;
}

export interface SessionCaller {
  kind: 'session';
  accountId: string;
  userId: string;
  role: Role;
}

export type Caller = KeyCaller | SessionCaller;

/** The caller as the actor of an audit record. */
export const actorOf = (caller: Caller): Actor =>
  caller.kind === 'key' ? { type: 'key', id: caller.apiKeyId } : { type: 'user', id: caller.userId };

/** The caller is kept on the request for the handler and for the log line of the request. */
export interface AuthenticatedRequest extends Request {
  caller?: Caller;
}

const caller = (_: unknown, context: ExecutionContext): Caller | undefined =>
  context.switchToHttp().getRequest<AuthenticatedRequest>().caller;

/** The authenticated caller. The access marker of the handler decides which kinds it can be. */
export const CurrentCaller = createParamDecorator(caller);
