import { ApiOperation } from '@nestjs/swagger';

/** Overrides the operation id derived from the names of the controller and the method. */
export const OperationId = (operationId: string): MethodDecorator => ApiOperation({ operationId });

const VERBS: Readonly<Record<string, string>> = { change: 'update', remove: 'delete' };

/**
 * Suitable as a method name of an SDK: `list` of ApiKeysController becomes `listApiKeys`, `get` becomes `getApiKey`.
 */
export function operationIdOf(controller: string, method: string): string {
  const isVerb = method === method.toLowerCase();
  if (!isVerb) return method;
  const resources = controller.replace(/Controller$/, '');
  return `${VERBS[method] ?? method}${method === 'list' ? resources : singularOf(resources)}`;
}

const singularOf = (plural: string): string => plural.replace(/ies$/, 'y').replace(/s$/, '');
