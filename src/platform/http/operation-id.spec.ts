import { describe, expect, it } from '@jest/globals';

import { operationIdOf } from './operation-id.js';

describe('operationIdOf', () => {
  it.each([
    ['ApiKeysController', 'list', 'listApiKeys'],
    ['ApiKeysController', 'get', 'getApiKey'],
    ['ApiKeysController', 'create', 'createApiKey'],
    ['ListsController', 'change', 'updateList'],
    ['ListsController', 'remove', 'deleteList'],
    ['ActivitiesController', 'get', 'getActivity'],
    ['SendController', 'sendTransactional', 'sendTransactional'],
  ])('of %s.%s is %s', (controller, method, id) => {
    expect(operationIdOf(controller, method)).toBe(id);
  });
});
