import { describe, expect, it } from '@jest/globals';

import { Clock } from '../../../shared/ports/clock.js';
import type { Visit, Visitor } from '../domain/visit.js';
import { TrackedLinks } from './ports/tracked-links.js';
import { ReceiveVisits } from './receive-visits.service.js';
import type { RecordVisits } from './record-visits.service.js';

const NOW = new Date('2026-11-21T10:00:00Z');
const ID = 'c0123456789abcdefghijklmn';
const VISITOR: Visitor = { method: 'GET', userAgent: 'Firefox', ip: '192.0.2.1', purpose: '' };

class FixedClock extends Clock {
  now(): Date {
    return NOW;
  }
}

/** Accepts the signature `valid`. */
class FakeLinks extends TrackedLinks {
  signing = { key: Buffer.alloc(0), redirects: '', own: [], confirmations: '' };
  click = () => '';
  open = () => '';
  isClick = (_messageId: string, _target: string, signature: string) => signature === 'valid';
  isOpen = (_messageId: string, signature: string) => signature === 'valid';
}

function setUp() {
  const visits: Visit[] = [];
  const recordVisits = {
    add: (visit: Visit) => {
      visits.push(visit);
    },
  } as RecordVisits;
  return { visits, service: new ReceiveVisits(new FakeLinks(), recordVisits, new FixedClock()) };
}

describe('ReceiveVisits', () => {
  it('records a click and lets the visitor follow the link', () => {
    const { visits, service } = setUp();
    expect(service.click(ID, 'https://a.example', 'valid', VISITOR)).toBe(true);
    expect(visits).toEqual([
      {
        messageId: ID,
        type: 'clicked',
        at: NOW,
        url: 'https://a.example',
        userAgent: 'Firefox',
        ip: '192.0.2.1',
        automated: false,
      },
    ]);
  });

  it('records an open without a URL', () => {
    const { visits, service } = setUp();
    service.open(ID, 'valid', VISITOR);
    expect(visits).toMatchObject([{ messageId: ID, type: 'opened', url: null }]);
  });

  it('refuses a link with a forged signature, and records nothing', () => {
    const { visits, service } = setUp();
    expect(service.click(ID, 'https://a.example', 'forged', VISITOR)).toBe(false);
    service.open(ID, 'forged', VISITOR);
    expect(visits).toEqual([]);
  });

  it('refuses what is not a message id before it checks the signature', () => {
    const { visits, service } = setUp();
    expect(service.click('nonsense', 'https://a.example', 'valid', VISITOR)).toBe(false);
    service.open('nonsense', 'valid', VISITOR);
    expect(visits).toEqual([]);
  });

  it.each([
    ['a HEAD request', { ...VISITOR, method: 'HEAD' }],
    ['a prefetch', { ...VISITOR, purpose: 'prefetch' }],
    ['a link preview', { ...VISITOR, userAgent: 'Slackbot-LinkExpanding 1.0' }],
  ])('marks %s as automated', (_, visitor) => {
    const { visits, service } = setUp();
    service.click(ID, 'https://a.example', 'valid', visitor);
    expect(visits).toMatchObject([{ automated: true }]);
  });
});
