import { describe, expect, it } from '@jest/globals';

import { organisationOf, readDmarc } from './dmarc.js';

const NAME = '_dmarc.example.com';

describe('A DMARC record', () => {
  it.each([
    ['v=DMARC1; p=none', 'none'],
    ['v=DMARC1;p=reject;', 'reject'],
    ['v = DMARC1 ; P = Quarantine ; rua=mailto:a@example.com?x=1; sp=none', 'quarantine'],
  ])('%j is found with its policy', (text, policy) => {
    expect(readDmarc(['other', text], NAME, false)).toEqual({ status: 'found', policy, detail: null });
  });

  it('of the organisation applies with its policy for subdomains, if it has one', () => {
    const detail = `It is inherited from ${NAME}`;
    expect(readDmarc(['v=DMARC1; p=reject; sp=none'], NAME, true)).toEqual({ status: 'found', policy: 'none', detail });
    expect(readDmarc(['v=DMARC1; p=reject'], NAME, true)).toEqual({ status: 'found', policy: 'reject', detail });
  });

  it('is none that begins otherwise', () => {
    expect(readDmarc(['p=none; v=DMARC1', 'v=dmarc1; p=none', 'v=DMARC12; p=none', ''], NAME, false)).toBeNull();
    expect(readDmarc([], NAME, false)).toBeNull();
  });

  it.each([
    [['v=DMARC1'], 'has no valid policy'],
    [['v=DMARC1; p=some'], 'has no valid policy'],
    [['v=DMARC1; p=none', 'v=DMARC1; p=reject'], 'holds 2 records'],
  ])('%j counts as missing', (texts, fault) => {
    const { status, policy, detail } = readDmarc(texts, NAME, false)!;
    expect([status, policy]).toEqual(['missing', null]);
    expect(detail).toContain(`TXT at ${NAME} ${fault}`);
  });
});

it.each([
  ['mail.shop.example.co.uk', 'example.co.uk'],
  ['mail.example.com', 'example.com'],
  ['example.com', null],
])('the organisation of %s is %s', (domain, organisation) => {
  expect(organisationOf(domain)).toBe(organisation);
});
