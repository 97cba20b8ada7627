import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

import { TimelineRepository } from '../../../src/modules/messages/index.js';
import { newId } from '../../../src/shared/ids.js';
import { lockRows } from '../../support/lock-rows.js';
import { RelayFixture } from '../../support/relay-fixture.js';
import { KEEP_LOCKS } from '../../support/service.js';
import { BROWSER, TrackingAccount } from '../../support/tracking-account.js';
import { waitFor } from '../../support/wait-for.js';

const NONE = { opens: { unique: 0, total: 0 }, clicks: { unique: 0, total: 0 } };
const THREE_LINKS = [1, 2, 3].map((i) => `<a href="https://shop.example/${i}?a=b&amp;c=d">${i}</a>`).join(' ');

describe('/r/:messageId', () => {
  let fixture: RelayFixture;
  let tracking: TrackingAccount;

  beforeAll(async () => {
    fixture = await RelayFixture.start();
  });
  afterAll(() => fixture.stop());
  beforeEach(async () => {
    fixture.service.clock.freeze(); // visits within a second of a delivery are told from others
    fixture.relay.reset();
    tracking = await TrackingAccount.open(fixture);
  });

  it('redirects to the original URL, and records and counts the click', async () => {
    const { id, links } = await tracking.send({ html: THREE_LINKS });
    const { headers, text } = await tracking.get(links[1]!, { 'X-Forwarded-For': '2001:db8::1, 10.0.0.1' }).expect(302);
    expect(headers).toMatchObject({ location: 'https://shop.example/2?a=b&c=d', 'cache-control': 'no-store' });
    expect(text).toBe('');
    const { visits, clicks, opens, status } = await tracking.visited(id, 1);
    expect(visits).toEqual([
      {
        id: expect.stringMatching(/^c[a-z0-9]{24}$/),
        messageLogId: id,
        type: 'clicked',
        occurredAt: expect.any(String),
        recipient: null,
        data: { url: 'https://shop.example/2?a=b&c=d', userAgent: BROWSER, ip: '2001:db8::1' },
      },
    ]);
    expect({ clicks, opens, status }).toEqual({ clicks: 1, opens: 0, status: 'sent' });
    expect(await tracking.aggregate()).toEqual({ ...NONE, clicks: { unique: 1, total: 1 } });
  });

  it('counts repeated clicks and opens', async () => {
    const { id, links, pixel } = await tracking.send({ html: THREE_LINKS });
    for (let i = 0; i < 3; i++) {
      await tracking.get(links[0]!).expect(302);
      const { body, headers } = await tracking.get(pixel).expect(200).expect('Content-Type', 'image/gif');
      expect((body as Buffer).subarray(0, 6).toString()).toBe('GIF89a');
      expect(headers).toMatchObject({ 'cache-control': 'no-store', 'cross-origin-resource-policy': 'cross-origin' });
    }
    expect(await tracking.visited(id, 6)).toMatchObject({ clicks: 3, opens: 3 });
    expect(await tracking.aggregate()).toEqual({ opens: { unique: 1, total: 3 }, clicks: { unique: 1, total: 3 } });
  });

  it.each([
    'https://shop.example',
    'HTTPS://Shop.example/../a b/?x=ü#y',
    'https://shop.example/%F0%9F?a=%zz&a=b+c',
    'https://shop.example/?next=https%3A%2F%2Fother.example%2F%3Fu%3D1%26s%3D2',
    "https://shop.example/it's?q=(a)*!~",
  ])('redirects to %s', async (url) => {
    const { links, id } = await tracking.send({ html: `<a href="${url}">x</a>` });
    const { headers } = await tracking.get(links[0]!).expect(302);
    expect(headers.location).toBe(/^[!-~]+$/.test(url) ? url : new URL(url).href);
    const { visits } = await tracking.visited(id, 1);
    expect(visits[0]!.data.url).toBe(url);
  });

  it('accepts additional parameters', async () => {
    const { links } = await tracking.send({ html: THREE_LINKS });
    await tracking
      .get(`${links[0]}&fbclid=1&utm_source=x`)
      .expect(302)
      .expect('Location', /\/1\?a=b&c=d$/);
  });

  it('refuses manipulated links, without redirect and record', async () => {
    const { id, links, pixel } = await tracking.send({ html: THREE_LINKS });
    const other = await (await TrackingAccount.open(fixture)).send({ html: THREE_LINKS });
    const link = links[0]!;
    const signature = link.slice(-43);
    const last = signature.endsWith('A') ? 'B' : 'A';
    const tampered = [
      link.replace('shop.example', 'evil.example'),
      link.replace(/u=[^&]+/, 'u=javascript%3Aalert(1)'),
      link.replace(/u=[^&]+/, 'u='),
      link.replace(/u=[^&]+&/, ''),
      link.replace(/&s=.*/, ''),
      link.replace(/&s=.*/, '&s='),
      link.slice(0, -1),
      link.slice(0, -1) + last,
      `${link}A`,
      `${link}&s=${signature}`,
      `${link}&u=https%3A%2F%2Fevil.example`,
      link.replace('u=', 'u[]='),
      link.replace(id, other.id),
      link.replace(id, newId(new Date())),
      link.replace(id, 'x'),
      link.replace(id, '%00'),
      link.replace(id, `${id}%0A`),
      links[1]!.replace(/s=.*/, `s=${signature}`),
      link.replace(signature, pixel.slice(-43)),
      `/r/${id}`,
    ];
    for (const path of tampered) {
      const { headers, text } = await tracking.get(path).expect(404);
      expect(headers).not.toHaveProperty('location');
      expect(text).toContain('<h1>This link does not work</h1>');
    }
    for (const path of [pixel.slice(0, -1), pixel.replace(id, other.id), `/r/${id}/open.gif`, '/r/x/open.gif?s=a&s=b'])
      await tracking.get(path).expect(200).expect('Content-Type', 'image/gif');
    await tracking.get(links[2]!).expect(302);
    const { visits } = await tracking.visited(id, 1);
    expect(visits[0]!.data.url).toBe('https://shop.example/3?a=b&c=d');
    const { events } = await tracking.read(id);
    expect(events).toHaveLength(2);
  });

  it('records only for the account of the message', async () => {
    const stranger = await TrackingAccount.open(fixture);
    const [mine, theirs] = [await tracking.send({ html: THREE_LINKS }), await stranger.send({ html: THREE_LINKS })];
    await tracking.get(theirs.links[0]!).expect(302);
    await stranger.visited(theirs.id, 1);
    expect(await tracking.aggregate()).toEqual(NONE);
    expect(await stranger.aggregate()).toEqual({ ...NONE, clicks: { unique: 1, total: 1 } });
    await tracking.account.asMember('get', `/api/messages/${theirs.id}`).expect(404);
    expect((await tracking.read(mine.id)).events).toHaveLength(1);
  });

  it('still redirects after the message was purged, and counts the visit as unmatched', async () => {
    const { id, links } = await tracking.send({ html: THREE_LINKS });
    await fixture.service.query('DELETE FROM message_logs WHERE id = $1', [id]);
    await tracking.get(links[0]!).expect(302);
    await waitFor('the metric', async () => {
      const { text } = await fixture.service.request('get', '/metrics').expect(200);
      return text.includes('tracking_visits_total{type="clicked",outcome="unmatched"} 1');
    });
  });

  it('redirects at once while the database is slow, and records afterwards', async () => {
    const { id, links, pixel } = await tracking.send({ html: THREE_LINKS });
    const holder = await fixture.service.database.pool.connect();
    try {
      await holder.query(`BEGIN; SET LOCAL ${KEEP_LOCKS}; LOCK TABLE message_logs IN ACCESS EXCLUSIVE MODE`);
      for (let i = 0; i < 5; i++) {
        await tracking.get(links[0]!).expect(302);
        await tracking.get(pixel).expect(200);
      }
    } finally {
      await holder.query('ROLLBACK');
      holder.release();
    }
    expect(await tracking.visited(id, 10)).toMatchObject({ clicks: 5, opens: 5 });
  });

  it('records the visits of others while somebody has locked a message, and its own afterwards', async () => {
    const other = await TrackingAccount.open(fixture);
    const [busy, free] = [await tracking.send({ html: THREE_LINKS }), await other.send({ html: THREE_LINKS })];
    const unlock = await lockRows(fixture.service, 'SELECT FROM message_logs WHERE id = $1', [busy.id]);
    try {
      await tracking.get(busy.links[0]!).expect(302);
      await tracking.get(busy.pixel).expect(200);
      await other.get(free.links[0]!).expect(302);
      await other.get(free.pixel).expect(200);
      expect(await other.visited(free.id, 2)).toMatchObject({ clicks: 1, opens: 1 });
      expect(await tracking.visited(busy.id, 0)).toMatchObject({ clicks: 0, opens: 0 });
    } finally {
      await unlock();
    }
    expect(await tracking.visited(busy.id, 2)).toMatchObject({ clicks: 1, opens: 1 });
  });

  describe('automated visits', () => {
    const automated = async (id: string, count: number) => {
      const message = await tracking.visited(id, count);
      return { flags: message.visits.map(({ data }) => data.automated === true), message };
    };

    it.each([
      ['prefetches', { 'Sec-Purpose': 'prefetch;prerender' }],
      ['prefetches', { Purpose: 'prefetch' }],
      ['previews', { 'X-Purpose': 'preview' }],
      ['of a mail gateway', { 'User-Agent': 'Mozilla/5.0 (compatible; BarracudaCentral)' }],
      ['of a privacy proxy', { 'User-Agent': 'Mozilla/5.0' }],
    ])('are stored but not counted: %s %j', async (_, headers: Record<string, string>) => {
      const { id, links, pixel } = await tracking.send({ html: THREE_LINKS });
      await tracking.get(links[0]!, headers).expect(302);
      await tracking.get(pixel, headers).expect(200);
      const { flags, message } = await automated(id, 2);
      expect(flags).toEqual([true, true]);
      expect(message).toMatchObject({ clicks: 0, opens: 0 });
      expect(await tracking.aggregate()).toEqual(NONE);
    });

    it('include HEAD requests, which get the same response', async () => {
      const { id, links, pixel } = await tracking.send({ html: THREE_LINKS });
      await tracking.head(links[0]!).expect(302).expect('Location', 'https://shop.example/1?a=b&c=d');
      await tracking.head(pixel).expect(200).expect('Content-Type', 'image/gif');
      await tracking.head(links[0]!.slice(0, -1)).expect(404);
      const { flags, message } = await automated(id, 2);
      expect(flags).toEqual([true, true]);
      expect(message).toMatchObject({ clicks: 0, opens: 0 });
    });

    /** Reports the delivery of the message at that time. */
    const deliver = (id: string, deliveredAt: Date) =>
      fixture.service.app.get(TimelineRepository, { strict: false }).record([
        {
          accountId: tracking.account.id,
          channel: 'email',
          key: newId(deliveredAt),
          messageId: id,
          providerMessageId: null,
          type: 'delivered',
          occurredAt: deliveredAt,
          recipient: null,
          data: {},
        },
      ]);
    const fromNow = (ms: number) => new Date(fixture.service.clock.now().getTime() + ms);

    it.each(['is reported first', 'is reported between them', 'is reported last'])(
      'include clicks on several links within a second of the delivery, which %s',
      async (when) => {
        const { id, links } = await tracking.send({ html: THREE_LINKS });
        fixture.service.clock.advance({ seconds: 5 });
        const deliveredAt = fromNow(500);
        if (when.endsWith('first')) await deliver(id, deliveredAt);
        await tracking.get(links[0]!).expect(302);
        await tracking.visited(id, 1);
        if (when.endsWith('them')) await deliver(id, deliveredAt);
        await tracking.get(links[1]!).expect(302);
        await tracking.visited(id, 2);
        if (when.endsWith('last')) await deliver(id, deliveredAt);
        fixture.service.clock.advance({ seconds: 3 });
        await tracking.get(links[2]!).expect(302);
        const { flags, message } = await automated(id, 3);
        expect(flags).toEqual([true, true, false]);
        expect(message).toMatchObject({ clicks: 1, status: 'delivered' });
        expect(await tracking.aggregate()).toEqual({ ...NONE, clicks: { unique: 1, total: 1 } });
      },
    );

    it('exclude clicks on one link right after the delivery, and on several links later', async () => {
      const { id, links } = await tracking.send({ html: THREE_LINKS });
      fixture.service.clock.advance({ seconds: 5 });
      await deliver(id, fromNow(500));
      for (let i = 0; i < 2; i++) await tracking.get(links[0]!).expect(302);
      await tracking.visited(id, 2);
      fixture.service.clock.advance({ seconds: 5 });
      await Promise.all(links.map((link) => tracking.get(link).expect(302)));
      const { flags, message } = await automated(id, 5);
      expect(flags).toEqual(Array(5).fill(false));
      expect(message.clicks).toBe(5);
    });

    it('exclude clicks on several links at human speed, and several on one link', async () => {
      const { id, links } = await tracking.send({ html: THREE_LINKS });
      for (const [i, link] of links.entries()) {
        await tracking.get(link).expect(302);
        await tracking.get(link).expect(302);
        await tracking.visited(id, 2 * (i + 1));
        fixture.service.clock.advance({ seconds: 2 });
      }
      const { flags, message } = await automated(id, 6);
      expect(flags).toEqual(Array(6).fill(false));
      expect(message.clicks).toBe(6);
    });

    it('keep counts exact under concurrency', async () => {
      const mails = [await tracking.send({ html: THREE_LINKS }), await tracking.send({ html: THREE_LINKS })];
      const [scanned, read] = mails as [(typeof mails)[0], (typeof mails)[0]];
      await deliver(scanned.id, fromNow(0));
      await Promise.all(
        Array.from({ length: 30 }, (_, i) => [
          tracking.get(scanned.links[i % 3]!).expect(302),
          tracking.get(read.links[0]!).expect(302),
          tracking.get(read.pixel).expect(200),
        ]).flat(),
      );
      expect(await tracking.visited(scanned.id, 30)).toMatchObject({ clicks: 0 });
      expect(await tracking.visited(read.id, 60)).toMatchObject({ clicks: 30, opens: 30 });
      expect(await tracking.aggregate()).toEqual({ opens: { unique: 1, total: 30 }, clicks: { unique: 1, total: 30 } });
    });
  });
});
