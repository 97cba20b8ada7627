import { type ArgumentMetadata, type ExecutionContext, SetMetadata } from '@nestjs/common';
import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';
import { getMetadataStorage } from 'class-validator';
import type { Request } from 'express';

import { DomainError } from '../../shared/domain-error.js';
import { isRecord } from '../../shared/is-record.js';

const ANY_FIELDS = 'any fields';
/** Prefixes of the keys in Nest's metadata about handler parameters. */
const QUERY = String(RouteParamtypes.QUERY);
const BODY = String(RouteParamtypes.BODY);

/**
 * Accepts unknown query parameters and body fields, which every other route rejects with 400. For URLs that third-party
 * programs request: mail clients and link rewriters append parameters to links in mail, and so do probes and providers.
 */
export const AllowUnknownFields = (): MethodDecorator & ClassDecorator => SetMetadata(ANY_FIELDS, true);

/**
 * The query parameters and body fields that a handler reads. `dto`: a class describes all of them, and the validation
 * pipe checks them.
 */
interface HandlerInput {
  query: 'dto' | ReadonlySet<string>;
  body: 'dto' | 'none';
}

const inputs = new WeakMap<object, HandlerInput>();

export const allowsUnknownFields = (context: Pick<ExecutionContext, 'getHandler' | 'getClass'>): boolean =>
  [context.getHandler(), context.getClass()].some((target) => Reflect.getMetadata(ANY_FIELDS, target) === true);

/** Throws `invalid` for query parameters and body fields that the handler does not read and no DTO describes. */
export function rejectUnknownFields(context: ExecutionContext, request: Request): void {
  const hasQuery = request.url.includes('?');
  const body = request.body as unknown;
  const hasFields = typeof body === 'object' && body !== null && !Buffer.isBuffer(body) && Object.keys(body).length > 0;
  if ((!hasQuery && !hasFields) || allowsUnknownFields(context)) return;
  const input = inputOf(context);
  const { query } = input;
  const unknown = [
    ...(hasQuery && query !== 'dto' ? Object.keys(request.query).filter((name) => !query.has(name)) : []),
    ...(hasFields && input.body === 'none' ? Object.keys(body) : []),
  ];
  if (unknown.length > 0) throw DomainError.invalid(unknown.map(unknownField).join('; '));
}

/**
 * Separates fields named like a member of Object.prototype (`constructor`, `toString`): class-validator treats them as
 * known and even calls some of them. No DTO has such a field.
 */
export function splitInheritedNames(
  value: unknown,
  { metatype }: ArgumentMetadata,
): { value: unknown; faults: string[] } {
  if (!isRecord(value) || metatype === undefined || metatype === Object) return { value, faults: [] };
  const faults: string[] = [];
  const top = withoutInheritedNames(value, '', faults);
  if (!isRecord(top)) return { value: top, faults };
  for (const name of nestedFieldsOf(metatype)) {
    if (Object.hasOwn(top, name)) top[name] = withoutInheritedNames(top[name], `${name}.`, faults);
  }
  return { value: top, faults };
}

export const unknownField = (name: string): string => `${name} is not a known field`;

function inputOf(context: ExecutionContext): HandlerInput {
  const handler = context.getHandler();
  const known = inputs.get(handler);
  if (known) return known;
  const parameters = Object.entries(
    (Reflect.getMetadata(ROUTE_ARGS_METADATA, context.getClass(), handler.name) ?? {}) as Record<
      string,
      { data?: unknown }
    >,
  ).map(([key, { data }]) => ({ type: key.split(':')[0], data }));
  const queries = parameters.filter(({ type }) => type === QUERY);
  const input: HandlerInput = {
    query: queries.some(({ data }) => data === undefined) ? 'dto' : new Set(queries.map(({ data }) => data as string)),
    body: parameters.some(({ type }) => type === BODY) ? 'dto' : 'none',
  };
  inputs.set(handler, input);
  return input;
}

function withoutInheritedNames(value: unknown, parent: string, faults: string[]): unknown {
  if (!isRecord(value)) return value;
  const inherited = Object.keys(value).filter((name) => name in Object.prototype);
  if (inherited.length === 0) return value;
  faults.push(...inherited.map((name) => unknownField(`${parent}${name}`)));
  return Object.fromEntries(Object.entries(value).filter(([name]) => !(name in Object.prototype)));
}

const nested = new WeakMap<object, string[]>();

/** The fields whose values have a DTO class of their own. */
function nestedFieldsOf(dto: NonNullable<ArgumentMetadata['metatype']>): string[] {
  const known = nested.get(dto);
  if (known) return known;
  const fields = getMetadataStorage()
    .getTargetValidationMetadatas(dto, '', true, false)
    .filter(({ type }) => type === 'nestedValidation')
    .map(({ propertyName }) => propertyName);
  nested.set(dto, fields);
  return fields;
}
