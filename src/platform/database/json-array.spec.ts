import { describe, expect, it } from '@jest/globals';

import { jsonArrays } from './json-array.js';

async function arraysOf(items: object[], maxLength?: number): Promise<string[]> {
  const arrays: string[] = [];
  for await (const array of jsonArrays(items, maxLength)) arrays.push(array);
  return arrays;
}

describe('jsonArrays', () => {
  it('divides the items, in order, into arrays of the length', async () => {
    const arrays = await arraysOf([{ a: 1 }, { a: 2 }, { a: 3 }, { a: 'longer than the length' }, { a: 4 }], 14);
    expect(arrays).toEqual(['[{"a":1},{"a":2}]', '[{"a":3}]', '[{"a":"longer than the length"}]', '[{"a":4}]']);
  });

  it('yields one array for few items, and none without items', async () => {
    expect(await arraysOf([{ a: 1 }, { a: 2 }])).toEqual(['[{"a":1},{"a":2}]']);
    expect(await arraysOf([])).toEqual([]);
  });
});
