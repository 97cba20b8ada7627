import { ValidationPipe, type ValidationError } from '@nestjs/common';

import { DomainError } from '../../shared/domain-error.js';

/** Checks bodies and queries against their DTOs: every fault in one message, each naming its field; unknown fields are faults. */
export const createValidationPipe = (): ValidationPipe =>
  new ValidationPipe({
    transform: true,
    whitelist: true,
    forbidNonWhitelisted: true,
    stopAtFirstError: true,
    exceptionFactory: (errors) => DomainError.invalid(errors.flatMap((error) => describe(error, '')).join('; ')),
  });

function describe(error: ValidationError, parent: string): string[] {
  const path = parent ? `${parent}.${error.property}` : error.property;
  const own = Object.entries(error.constraints ?? {}).map(([rule, message]) =>
    rule === 'whitelistValidation' ? `${path} is not a known field` : inFull(message, error.property, path),
  );
  return [...own, ...(error.children ?? []).flatMap((child) => describe(child, path))];
}

/** Messages name the last part of a nested field; callers want the whole path, and always a name. */
const inFull = (message: string, property: string, path: string): string =>
  message.includes(property) ? message.replace(property, path) : `${path} ${message}`;
