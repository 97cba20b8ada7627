import { applyDecorators, SetMetadata, UseGuards } from '@nestjs/common';
import { ApiBearerAuth, ApiForbiddenResponse, ApiSecurity, ApiUnauthorizedResponse } from '@nestjs/swagger';

import type { Role, Scope } from '../../../shared/permissions.js';
import { JsonBodyGuard } from '../json-body.guard.js';
import { ApiErrors } from '../api-errors.js';
import { ErrorResponse } from '../error.response.js';

/** The callers that a handler allows. Every handler carries exactly one of the markers below, or the start fails. */
export interface Access {
  scope?: Scope;
  role?: Role;
}

export const ACCESS = 'access';

const mark = (access: Access, ...documentation: (MethodDecorator & ClassDecorator)[]): MethodDecorator =>
  applyDecorators(SetMetadata(ACCESS, access), UseGuards(JsonBodyGuard), ...documentation);

const unauthorized = ApiUnauthorizedResponse({ type: ErrorResponse, description: 'No valid credentials' });

const forbidden = (access: Access): (MethodDecorator & ClassDecorator)[] =>
  access.scope !== undefined || access.role === 'admin'
    ? [ApiForbiddenResponse({ type: ErrorResponse, description: reasonOf(access) }), ApiErrors(refusalsOf(access))]
    : [];

const refusalsOf = ({ scope, role }: Access) => ({
  ...(scope === undefined ? {} : { missing_scope: `API key is missing required scope: ${scope}` }),
  ...(role === 'admin' ? { forbidden: true as const } : {}),
});

function reasonOf({ scope, role }: Access): string {
  const isAdminRequired = role === 'admin';
  if (scope === undefined) return 'The user is not an admin';
  return `The API key is missing the scope \`${scope}\`${isAdminRequired ? ', or the user is not an admin' : ''}`;
}

/** Allows API keys with the scope. */
export const RequireScope = (scope: Scope): MethodDecorator =>
  mark({ scope }, ApiSecurity('apiKey'), unauthorized, ...forbidden({ scope }));

/** Allows dashboard users: `member` every user of the account, `admin` its admins. */
export const Session = (role: Role = 'member'): MethodDecorator =>
  mark({ role }, ApiBearerAuth('session'), unauthorized, ...forbidden({ role }));

/** Allows API keys with the scope, and dashboard users. */
export const RequireScopeOrSession = (scope: Scope, role: Role = 'member'): MethodDecorator =>
  mark({ scope, role }, ApiSecurity('apiKey'), ApiBearerAuth('session'), unauthorized, ...forbidden({ scope, role }));

/** Allows anybody. */
export const Public = (): MethodDecorator => mark({}, ApiSecurity({}));
