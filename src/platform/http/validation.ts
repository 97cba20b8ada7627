import { type ArgumentMetadata, ValidationPipe, type ValidationError } from '@nestjs/common';

import { DomainError } from '../../shared/domain-error.js';
import { isUnknown, splitInheritedNames } from './unknown-fields.js';

/** Checks bodies and queries against their DTOs: every fault in one message, each naming its field; unknown fields are faults. */
export const createValidationPipe = (): ValidationPipe =>
  new DtoValidationPipe({
    transform: true,
    whitelist: true,
    forbidNonWhitelisted: true,
    stopAtFirstError: true,
    exceptionFactory: (errors) => DomainError.invalid(errors.flatMap((error) => describe(error, '')).join('; ')),
  });

class DtoValidationPipe extends ValidationPipe {
  override async transform(given: unknown, metadata: ArgumentMetadata): Promise<unknown> {
    if (metadata.type !== 'body' && metadata.type !== 'query')
      return super.transform(given, metadata) as Promise<unknown>;
    const { value, faults } = splitInheritedNames(given, metadata);
    if (faults.length === 0) return super.transform(value, metadata) as Promise<unknown>;
    const others = await super.transform(value, metadata).then(
      () => [],
      (error: unknown) => {
        if (error instanceof DomainError) return [error.message];
        throw error;
      },
    );
    throw DomainError.invalid([...faults, ...others].join('; '));
  }
}

function describe(error: ValidationError, parent: string): string[] {
  const path = parent ? `${parent}.${error.property}` : error.property;
  const own = Object.entries(error.constraints ?? {}).map(([rule, message]) =>
    rule === 'whitelistValidation' ? isUnknown(path) : inFull(message, error.property, path),
  );
  return [...own, ...(error.children ?? []).flatMap((child) => describe(child, path))];
}

/** Messages name the last part of a nested field; callers want the whole path, and always a name. */
const inFull = (message: string, property: string, path: string): string =>
  message.includes(property) ? message.replace(property, path) : `${path} ${message}`;
