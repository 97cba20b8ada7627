import { describe, expect, it, jest } from '@jest/globals';

import type { UnsubscribeLinks } from './ports/unsubscribe-links.js';
import { Unsubscribe } from './unsubscribe.service.js';

describe('Unsubscribe', () => {
  it('does not read the body of a request with an unknown token', async () => {
    const links: UnsubscribeLinks = { linkTo: () => '', read: () => null };
    const unused = undefined as never;
    const readSource = jest.fn(() => 'one_click' as const);
    expect(await new Unsubscribe(links, unused, unused, unused, unused).confirm('nonsense', readSource)).toBeNull();
    expect(readSource).not.toHaveBeenCalled();
  });
});
