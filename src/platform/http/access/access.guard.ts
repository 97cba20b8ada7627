import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';

import { ACCESS, type Access } from './access.js';
import { KeyAuthenticator, SessionAuthenticator } from './authenticators.js';
import type { AuthenticatedRequest, Caller } from './caller.js';
import { ClientAddress } from './client-address.js';

/** Authenticates the caller of every route. */
@Injectable()
export class AccessGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly clientAddress: ClientAddress,
    private readonly keys: KeyAuthenticator,
    private readonly sessions: SessionAuthenticator,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const access = this.reflector.get<Access | undefined>(ACCESS, context.getHandler());
    if (!access) return false;
    const request = context.switchToHttp().getRequest<AuthenticatedRequest>();
    request.caller = await this.authenticate(access, request);
    return true;
  }

  private async authenticate({ scope, role }: Access, request: AuthenticatedRequest): Promise<Caller | undefined> {
    const secret = request.headers['x-api-key'] as string | undefined;
    const token = /^Bearer (.+)$/i.exec(request.headers.authorization ?? '')?.[1];
    if (role && (!scope || (token && !secret))) return this.sessions.authenticate(token, role);
    if (scope) return this.keys.authenticate(secret, this.clientAddress.of(request), scope);
    return undefined;
  }
}
