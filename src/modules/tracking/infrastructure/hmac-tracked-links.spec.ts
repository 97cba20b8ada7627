import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';

import type { Config } from '../../../config/config.js';
import { newId } from '../../../shared/ids.js';
import { isOwn } from '../domain/link-signing.js';
import { HmacTrackedLinks } from './hmac-tracked-links.js';

const linksOf = (appSecret: string, baseUrl = 'https://mail.example/base') =>
  new HmacTrackedLinks({ appSecret, baseUrl } as Config);
const links = linksOf('a secret of thirty-two characters');
const [id, otherId] = [newId(new Date()), newId(new Date())];
const read = (link: string) => Object.fromEntries(new URL(link).searchParams);

describe('a tracked link', () => {
  it('carries any target unchanged, with a signature for that target only', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary' }).filter((text) => text.isWellFormed()),
        (target) => {
          const link = links.click(id, target);
          expect(link).toMatch(/^https:\/\/mail\.example\/base\/r\/c[a-z0-9]{24}\?u=[!-~]*&s=[\w-]{43}$/);
          const { u, s } = read(link);
          expect(u).toBe(target);
          expect(links.isClick(id, target, s!)).toBe(true);
        },
      ),
    );
  });

  it('is invalid if any part of it is changed', () => {
    const target = 'https://a.example/';
    const s = read(links.click(id, target)).s!;
    expect(links.isClick(otherId, target, s)).toBe(false);
    expect(links.isClick(id, 'https://b.example/', s)).toBe(false);
    expect(linksOf('another secret of 32 characters..').isClick(id, target, s)).toBe(false);
    for (const forged of ['', s.slice(1), `${s}A`, `${s}=`, s.toUpperCase(), read(links.open(id)).s!])
      expect(links.isClick(id, target, forged)).toBe(false);
    for (let i = 0; i < s.length; i++) {
      for (const character of ['A', 'B', '_']) {
        const changed = s.slice(0, i) + character + s.slice(i + 1);
        expect(links.isClick(id, target, changed)).toBe(changed === s);
      }
    }
  });

  it('of the pixel is signed for its message only', () => {
    const { s } = read(links.open(id));
    expect(links.isOpen(id, s!)).toBe(true);
    expect(links.isOpen(otherId, s!)).toBe(false);
    expect(links.isOpen(id, read(links.click(id, '')).s!)).toBe(false);
  });

  it('is recognised as one of the service, like an unsubscribe page', () => {
    for (const url of [links.click(id, 'https://a.example'), links.open(id), 'https://MAIL.example:443/base/u/token'])
      expect(isOwn(links.signing, new URL(url))).toBe(true);
    for (const url of ['https://mail.example/r/x', 'https://mail.example/base/users', 'http://mail.example/base/u/x'])
      expect(isOwn(links.signing, new URL(url))).toBe(false);
  });
});
