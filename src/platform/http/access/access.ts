import { applyDecorators, SetMetadata, UseGuards } from '@nestjs/common';
import { ApiBearerAuth, ApiForbiddenResponse, ApiSecurity, ApiUnauthorizedResponse } from '@nestjs/swagger';

import type { Role } from '../../../shared/roles.js';
import type { Scope } from '../../../shared/scopes.js';
import { JsonBodyGuard } from '../json-body.guard.js';
import { ErrorResponse } from '../error.response.js';

/** Who may call a handler. Every handler carries exactly one of the markers below, or the start fails. */
export interface Access {
  scope?: Scope;
  role?: Role;
}

export const ACCESS = 'access';

const mark = (access: Access, ...documentation: (MethodDecorator & ClassDecorator)[]): MethodDecorator =>
  applyDecorators(SetMetadata(ACCESS, access), UseGuards(JsonBodyGuard), ...documentation);

const errors = [
  ApiUnauthorizedResponse({ type: ErrorResponse, description: 'No valid credentials' }),
  ApiForbiddenResponse({ type: ErrorResponse, description: 'The credentials do not cover this endpoint' }),
];

/** API keys that hold the scope. */
export const RequireScope = (scope: Scope): MethodDecorator => mark({ scope }, ApiSecurity('apiKey'), ...errors);

/** Dashboard users: with `member` every user of the account, with `admin` its admins. */
export const Session = (role: Role = 'member'): MethodDecorator => mark({ role }, ApiBearerAuth('session'), ...errors);

/** API keys that hold the scope, and dashboard users. */
export const RequireScopeOrSession = (scope: Scope, role: Role = 'member'): MethodDecorator =>
  mark({ scope, role }, ApiSecurity('apiKey'), ApiBearerAuth('session'), ...errors);

/** Anybody. */
export const Public = (): MethodDecorator => mark({}, ApiSecurity({}));
