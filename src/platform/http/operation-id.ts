import { ApiOperation } from '@nestjs/swagger';

/** Overrides the id that is derived from the names of controller and method. */
export const OperationId = (operationId: string): MethodDecorator => ApiOperation({ operationId });

const VERBS: Readonly<Record<string, string>> = { change: 'update', remove: 'delete' };

/** An id that reads as a method of an SDK: `list` of ApiKeysController is `listApiKeys`, its `get` is `getApiKey`. */
export function operationIdOf(controller: string, method: string): string {
  const isVerb = method === method.toLowerCase();
  if (!isVerb) return method;
  const resources = controller.replace(/Controller$/, '');
  return `${VERBS[method] ?? method}${method === 'list' ? resources : singularOf(resources)}`;
}

const singularOf = (plural: string): string => plural.replace(/ies$/, 'y').replace(/s$/, '');
