import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Response } from 'express';

import { Config } from '../../../config/config.js';
import { DomainError } from '../../../shared/domain-error.js';
import { ACCESS, type Access } from './access.js';
import { KeyAuthenticator, SessionAuthenticator } from './authenticators.js';
import type { AuthenticatedRequest, Caller } from './caller.js';
import { ClientAddress } from './client-address.js';

/** Authenticates the caller of every route. RecheckAccess lets a handler do it again. */
@Injectable()
export class AccessGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly clientAddress: ClientAddress,
    private readonly keys: KeyAuthenticator,
    private readonly sessions: SessionAuthenticator,
    private readonly config: Config,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const access = this.reflector.get<Access | undefined>(ACCESS, context.getHandler());
    if (!access) return false;
    const http = context.switchToHttp();
    const request = http.getRequest<AuthenticatedRequest>();
    request.caller = await this.authenticate(access, request);
    if (request.caller) this.addWarnings(http.getResponse());
    return true;
  }

  /** Sends the codes of configuration warnings for the command `doctor` of the SDK, to authenticated callers only. */
  private addWarnings(response: Response): void {
    const { brand, warnings } = this.config;
    if (warnings.length > 0) response.setHeader(`X-${brand}-Warning`, warnings.join(', '));
  }

  private async authenticate({ scope, role }: Access, request: AuthenticatedRequest): Promise<Caller | undefined> {
    const secret = request.headers['x-api-key'] as string | undefined;
    const token = /^Bearer (.+)$/i.exec(request.headers.authorization ?? '')?.[1];
    if (scope && !secret && token?.startsWith('sk_')) {
      const message = 'Missing API key: send it in the X-API-Key header';
      throw new DomainError('unauthenticated', 'missing_api_key', message);
    }
    if (role && (!scope || (token && !secret))) return this.sessions.authenticate(token, role);
    if (scope) return this.keys.authenticate(secret, this.clientAddress.find(request), scope);
    return undefined;
  }
}
