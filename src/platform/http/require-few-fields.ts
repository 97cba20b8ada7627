import { DomainError } from '../../shared/domain-error.js';

/** Far more than any object of the API has. Objects with caller-defined keys are not checked here. */
const MAX_FIELDS = 200;

/** Throws `invalid` if an object at any depth has more fields, because validating them takes quadratic time. */
export function requireFewFields(value: object): void {
  const left: { value: object; path: string }[] = [{ value, path: '' }];
  for (let next = left.pop(); next; next = left.pop()) {
    const { value: object, path } = next;
    const entries = Object.entries(object);
    if (!Array.isArray(object) && entries.length > MAX_FIELDS)
      throw DomainError.invalid(`${path || 'The request'} has more than ${MAX_FIELDS} fields`);
    for (const [name, inner] of entries)
      if (typeof inner === 'object' && inner !== null)
        left.push({ value: inner as object, path: path ? `${path}.${name}` : name });
  }
}
