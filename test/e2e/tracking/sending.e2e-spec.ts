import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

import { RelayFixture } from '../../support/relay-fixture.js';
import { TrackingAccount } from '../../support/tracking-account.js';
import { waitFor } from '../../support/wait-for.js';

const HTML = [
  '<!doctype html>\r\n<html><head><style>a[href="https://x.example"] {}</style></head><body class=a>',
  '<p>Grüße 💌 &nbsp;<a href="https://shop.example/new?a=1&amp;b=2#c">New</a> <a href=\'http://shop.example\'>Shop</a>',
  '<a href="mailto:help@shop.example">Mail</a> <a href="tel:+431234">Call</a> <a href="#top">Top</a>',
  '<a href="javascript:alert(1)">1</a> <a href="data:text/html,x">2</a> <a data-no-track href="https://bank.example">B</a>',
  '<a href="http://localhost:3000/u/token">Out</a> <a href="https://shop.example/out?x=1&amp;y=2">Out</a></p>\n',
  '</body></html>\n',
].join('');

describe('A message of an account that tracks natively', () => {
  let fixture: RelayFixture;
  let tracking: TrackingAccount;

  beforeAll(async () => {
    fixture = await RelayFixture.start();
  });
  afterAll(() => fixture.stop());
  beforeEach(async () => {
    fixture.relay.reset();
    tracking = await TrackingAccount.open(fixture);
  });

  it('has tracked links and the pixel, and is otherwise unchanged', async () => {
    const unsubscribeUrl = 'https://shop.example/out?x=1&y=2';
    const { id, html, links, pixel } = await tracking.send({ html: HTML, unsubscribeUrl });
    expect(links).toHaveLength(2);
    for (const link of links) expect(link).toMatch(new RegExp(`^/r/${id}\\?u=[^&]+&s=[\\w-]{43}$`));
    expect(pixel).toMatch(new RegExp(`^/r/${id}/open\\.gif\\?s=[\\w-]{43}$`));
    const image = `<img src="http://localhost:3000${pixel}" alt="" width="1" height="1" border="0">`;
    expect(html).toContain(`${image}</body>`);
    const tracked = (path: string) => `http://localhost:3000${path.replace('&', '&amp;')}`;
    expect(
      html
        .replace(image, '')
        .replace(tracked(links[0]!), 'https://shop.example/new?a=1&amp;b=2#c')
        .replace(tracked(links[1]!), 'http://shop.example')
        .replaceAll('\r\n', '\n'),
    ).toBe(HTML.replaceAll('\r\n', '\n'));
  });

  it('shows the original URLs in its text part, derived or given', async () => {
    const derived = await tracking.send({ html: '<p>See <a href="https://shop.example/new">what is new</a></p>' });
    expect(derived.links).toHaveLength(1);
    expect(derived.text).toContain('what is new [https://shop.example/new]');
    const given = await tracking.send({ html: '<p>x</p>', text: 'See https://shop.example/new' });
    expect(given.text.trim()).toBe('See https://shop.example/new');
    const textOnly = await tracking.send({ text: 'See https://shop.example/new' });
    expect(textOnly).toMatchObject({ html: '', links: [], pixel: '' });
  });

  it('is the same on each attempt', async () => {
    fixture.relay.answer = (stage) => (stage === 'data' && fixture.relay.received().length === 0 ? 'drop' : undefined);
    const sent = tracking.send({ html: HTML });
    await waitFor('the first attempt to fail', async () => {
      const failed = await fixture.service.query(`SELECT FROM email_events WHERE type = 'delayed'`);
      return failed.length === 1;
    });
    fixture.service.clock.advance({ minutes: 2 });
    await fixture.sweep();
    await sent;
    expect(fixture.relay.received()).toHaveLength(2);
    const [first, second] = fixture.relay.received();
    expect(second!.parsed.html).toBe(first!.parsed.html);
    expect(second!.parsed.html).toContain('/r/');
  });

  it('may have 5,000 links, each with its own target', async () => {
    const html = Array.from({ length: 5_000 }, (_, i) => `<p><a href="https://shop.example/${i}">${i}</a></p>`).join(
      '',
    );
    const { links } = await tracking.send({ html });
    expect(links).toHaveLength(5_000);
    for (const i of [0, 1, 4_999]) {
      const { headers } = await tracking.get(links[i]!).expect(302);
      expect(headers.location).toBe(`https://shop.example/${i}`);
    }
  });

  it.each([
    ['unclosed tags', '<table><a href="https://shop.example/<b>">x<tr><a href=https://shop.example/2>y'],
    ['a tag that is broken off', '<p><a href="https://shop.example/1">x</a><a href="https://shop.example'],
    ['no markup at all', 'https://shop.example <3 & "more'],
  ])('may contain %s', async (_, html) => {
    const mail = await tracking.send({ html });
    expect(mail.pixel).not.toBe('');
    for (const link of mail.links) await tracking.get(link).expect(302);
  });

  it.each(['off', 'provider'])('is not changed if tracking is %s', async (choice) => {
    const { html } = await (await TrackingAccount.open(fixture, choice)).send({ html: HTML });
    expect(html.replaceAll('\r\n', '\n')).toBe(HTML.replaceAll('\r\n', '\n'));
  });
});
