import { applyDecorators, SetMetadata } from '@nestjs/common';
import { ApiBearerAuth, ApiForbiddenResponse, ApiSecurity, ApiUnauthorizedResponse } from '@nestjs/swagger';

import type { Role } from '../../../shared/roles.js';
import type { Scope } from '../../../shared/scopes.js';
import { ErrorResponse } from '../error.response.js';

/** Who may call a handler. Every handler carries exactly one of the markers below, or the start fails. */
export interface Access {
  scope?: Scope;
  role?: Role;
}

export const ACCESS = 'access';

const errors = [
  ApiUnauthorizedResponse({ type: ErrorResponse, description: 'No valid credentials' }),
  ApiForbiddenResponse({ type: ErrorResponse, description: 'The credentials do not cover this endpoint' }),
];

/** API keys that hold the scope. */
export const RequireScope = (scope: Scope): MethodDecorator =>
  applyDecorators(SetMetadata(ACCESS, { scope } satisfies Access), ApiSecurity('apiKey'), ...errors);

/** Dashboard users: with `member` every user of the account, with `admin` its admins. */
export const Session = (role: Role = 'member'): MethodDecorator =>
  applyDecorators(SetMetadata(ACCESS, { role } satisfies Access), ApiBearerAuth('session'), ...errors);

/** API keys that hold the scope, and dashboard users. */
export const RequireScopeOrSession = (scope: Scope, role: Role = 'member'): MethodDecorator =>
  applyDecorators(
    SetMetadata(ACCESS, { scope, role } satisfies Access),
    ApiSecurity('apiKey'),
    ApiBearerAuth('session'),
    ...errors,
  );

/** Anybody. */
export const Public = (): MethodDecorator =>
  applyDecorators(SetMetadata(ACCESS, {} satisfies Access), ApiSecurity({}));
