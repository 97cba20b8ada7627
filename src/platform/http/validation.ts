import { type ArgumentMetadata, ValidationPipe, type ValidationError } from '@nestjs/common';

import { DomainError, InvalidFields } from '../../shared/domain-error.js';
import { TimeSlice } from '../../concurrency/time-slice.js';
import { requireFewFields } from './require-few-fields.js';
import { unknownField, splitInheritedNames } from './unknown-fields.js';
import { unstorableFault } from './unstorable-text.js';
import { isRecord } from '../../shared/is-record.js';

const UNTRANSFORMED = 'untransformed fields';

/** Validates a field of a body. Returns its faults, each with the name of the field. */
export type FieldCheck = (value: unknown) => string[];

/**
 * Passes the field to the handler as it was parsed; the decorators of the field see an empty array or object instead.
 * For large fields and fields with caller-defined keys, for which class-transformer takes quadratic time. The check, if
 * there is one, gets the field as it was parsed.
 */
export const Untransformed =
  (check?: FieldCheck): PropertyDecorator =>
  (target, name) => {
    Reflect.defineMetadata(UNTRANSFORMED, new Map([...untransformedOf(target), [name, check]]), target);
  };

/** PickType does not copy the metadata of @Untransformed. */
export function copyUntransformed(from: object, to: object): void {
  Reflect.defineMetadata(UNTRANSFORMED, untransformedOf(from), to);
}

const untransformedOf = (prototype: object): ReadonlyMap<string, FieldCheck | undefined> =>
  (Reflect.getMetadata(UNTRANSFORMED, prototype) as ReadonlyMap<string, FieldCheck | undefined> | undefined) ??
  new Map<string, FieldCheck | undefined>();

/** Validates bodies and queries against their DTOs. One message lists all faults by field, unknown fields included. */
class RequestValidationPipe extends ValidationPipe {
  override async transform(value: unknown, metadata: ArgumentMetadata): Promise<unknown> {
    if (!metadata.metatype || !this.toValidate(metadata) || typeof value !== 'object' || value === null)
      return super.transform(value, metadata);
    const untransformed = untransformedOf(metadata.metatype.prototype as object);
    const kept = [...untransformed.keys()].filter((name) => isLarge(value, name));
    const shell: Record<string, unknown> = { ...value };
    for (const name of kept) shell[name] = Array.isArray(shell[name]) ? [] : {};
    requireFewFields(shell);
    const keptFaults = kept.flatMap(
      (name) => untransformed.get(name)?.((value as Record<string, unknown>)[name]) ?? [],
    );
    const checked = await this.check(shell, metadata, keptFaults);
    for (const name of kept) checked[name] = withoutPrototypes((value as Record<string, unknown>)[name]);
    return checked;
  }

  /** Reports names inherited from Object.prototype as unknown fields, together with all other faults. */
  private async check(
    given: object,
    metadata: ArgumentMetadata,
    keptFaults: readonly string[],
  ): Promise<Record<string, unknown>> {
    const { value, faults: inherited } = splitInheritedNames(given, metadata);
    const faults = [...inherited, ...keptFaults];
    const checked = super.transform(value, metadata) as Promise<Record<string, unknown>>;
    if (faults.length === 0) return checked;
    const others = await checked.then(
      () => [],
      (error: unknown) => {
        if (error instanceof InvalidFields) return error.faults;
        throw error;
      },
    );
    throw new InvalidFields([...faults, ...others]);
  }
}

/** Removes properties named `__proto__`, which JSON can hold at any depth. */
function withoutPrototypes(value: unknown): unknown {
  const left = Array.isArray(value) ? [] : [value];
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    if (typeof next !== 'object' || next === null || Buffer.isBuffer(next)) continue;
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

export function createValidationPipe(): ValidationPipe {
  return new RequestValidationPipe({
    transform: true,
    whitelist: true,
    forbidNonWhitelisted: true,
    stopAtFirstError: true,
    exceptionFactory: (errors) => new InvalidFields(errors.flatMap((error) => describe(error, ''))),
  });
}

/**
 * Validates each value like the body of a request: against the DTO, and for text that cannot be stored. Yields to the
 * event loop between slices of work.
 */
export async function validateEach<Dto extends object>(
  dto: new () => Dto,
  values: readonly unknown[],
): Promise<(Dto | DomainError)[]> {
  const slice = new TimeSlice();
  const results: (Dto | DomainError)[] = [];
  for (const value of values) {
    results.push(isRecord(value) ? await validateOne(dto, value) : DomainError.invalid('must be an object'));
    if (slice.isOver) await slice.next();
  }
  return results;
}

const pipe = createValidationPipe();

async function validateOne<Dto extends object>(dto: new () => Dto, value: object): Promise<Dto | DomainError> {
  const unstorable = unstorableFault(value);
  if (unstorable !== undefined) return new InvalidFields([unstorable]);
  try {
    return (await pipe.transform(value, { type: 'body', metatype: dto })) as Dto;
  } catch (error) {
    if (error instanceof DomainError) return error;
    throw error;
  }
}

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
