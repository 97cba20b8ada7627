import { type ArgumentMetadata, ValidationPipe, type ValidationError } from '@nestjs/common';

import { DomainError } from '../../shared/domain-error.js';
import { requireFewFields } from './require-few-fields.js';
import { unknownField, splitInheritedNames } from './unknown-fields.js';

const UNTRANSFORMED = 'untransformed fields';

/**
 * Passes the field to the handler as it was parsed; the decorators of the field see an empty array or object instead.
 * For large fields and fields with caller-defined keys, for which class-transformer takes quadratic time.
 */
export const Untransformed = (): PropertyDecorator => (target, name) => {
  Reflect.defineMetadata(UNTRANSFORMED, [...untransformedOf(target), name], target);
};

const untransformedOf = (prototype: object): string[] =>
  (Reflect.getMetadata(UNTRANSFORMED, prototype) as string[] | undefined) ?? [];

/** Validates bodies and queries against their DTOs. One message lists all faults by field, unknown fields included. */
class RequestValidationPipe extends ValidationPipe {
  override async transform(value: unknown, metadata: ArgumentMetadata): Promise<unknown> {
    if (!metadata.metatype || !this.toValidate(metadata) || typeof value !== 'object' || value === null)
      return super.transform(value, metadata);
    const kept = untransformedOf(metadata.metatype.prototype as object).filter((name) => isLarge(value, name));
    const shell: Record<string, unknown> = { ...value };
    for (const name of kept) shell[name] = Array.isArray(shell[name]) ? [] : {};
    requireFewFields(shell);
    const checked = await this.check(shell, metadata);
    for (const name of kept) checked[name] = withoutPrototypes((value as Record<string, unknown>)[name]);
    return checked;
  }

  /** Reports names inherited from Object.prototype as unknown fields, together with the faults that the DTO finds. */
  private async check(given: object, metadata: ArgumentMetadata): Promise<Record<string, unknown>> {
    const { value, faults } = splitInheritedNames(given, metadata);
    const checked = super.transform(value, metadata) as Promise<Record<string, unknown>>;
    if (faults.length === 0) return checked;
    const others = await checked.then(
      () => [],
      (error: unknown) => {
        if (error instanceof DomainError) return [error.message];
        throw error;
      },
    );
    throw DomainError.invalid([...faults, ...others].join('; '));
  }
}

/** Removes properties named `__proto__`, which JSON can hold at any depth. */
function withoutPrototypes(value: unknown): unknown {
  const left = Array.isArray(value) ? [] : [value];
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    if (typeof next !== 'object' || next === null) continue;
    if (Object.hasOwn(next, '__proto__')) Reflect.deleteProperty(next, '__proto__');
    const inner = Array.isArray(next) ? (next as unknown[]) : Object.values(next);
    for (const one of inner) if (typeof one === 'object' && one !== null) left.push(one);
  }
  return value;
}

const isLarge = (value: object, name: string): boolean => {
  const field = Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : undefined;
  return typeof field === 'object' && field !== null;
};

export const createValidationPipe = (): ValidationPipe =>
  new RequestValidationPipe({
    transform: true,
    whitelist: true,
    forbidNonWhitelisted: true,
    stopAtFirstError: true,
    exceptionFactory: (errors) => DomainError.invalid(errors.flatMap((error) => describe(error, '')).join('; ')),
  });

function describe(error: ValidationError, parent: string): string[] {
  const path = parent ? `${parent}.${error.property}` : error.property;
  const own = Object.entries(error.constraints ?? {}).map(([rule, message]) =>
    rule === 'whitelistValidation' ? unknownField(path) : withPath(message, error.property, path),
  );
  return [...own, ...(error.children ?? []).flatMap((child) => describe(child, path))];
}

/** Replaces the name of a nested field by its whole path, and adds it to messages without a name. */
const withPath = (message: string, property: string, path: string): string =>
  message.includes(property) ? message.replace(property, path) : `${path} ${message}`;
