import { DomainError } from '../../shared/domain-error.js';

/** Far more than any object of the API has. Objects with caller-defined keys are not checked here. */
export const MAX_FIELDS = 200;
/** Far more than any list of the API has; the longest has 100. */
const MAX_ELEMENTS = 1_000;

/** Throws `invalid` for objects and lists, at any depth, that are too large to validate in a short time. */
export function requireFewFields(value: object): void {
  const left: { value: object; path: string }[] = [{ value, path: '' }];
  for (let next = left.pop(); next; next = left.pop()) {
    const { value: object, path } = next;
    const isList = Array.isArray(object);
    const size = isList ? object.length : Object.keys(object).length;
    if (size > (isList ? MAX_ELEMENTS : MAX_FIELDS))
      throw DomainError.invalid(
        `${path || 'The request'} has more than ${isList ? `${MAX_ELEMENTS} elements` : `${MAX_FIELDS} fields`}`,
      );
    for (const [name, inner] of Object.entries(object))
      if (typeof inner === 'object' && inner !== null)
        left.push({ value: inner as object, path: path ? `${path}.${name}` : name });
  }
}
