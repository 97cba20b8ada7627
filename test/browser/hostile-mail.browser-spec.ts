import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';

import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';

import { DashboardFixture, SENDER } from '../support/dashboard-fixture.js';

/** The mail is not scaled down: clicks of the test would miss what is scaled. */
const LARGE = { width: 1600, height: 900 };

describe('A hostile mail', () => {
  let fixture: DashboardFixture;
  const reached: string[] = [];
  const elsewhere = createServer((request, response) => {
    reached.push(request.url ?? '');
    response.end();
  });

  beforeAll(async () => {
    fixture = await DashboardFixture.start();
    await once(elsewhere.listen(0, '127.0.0.1'), 'listening');
  });
  afterAll(async () => {
    elsewhere.close();
    await fixture.stop();
  });
  afterEach(async () => {
    // The browser logs everything that it blocks in the mail.
    expect((await fixture.faults()).filter((fault) => !fault.startsWith('console:'))).toEqual([]);
  });

  it('does not reverse the address of its sender by characters in its name', async () => {
    const { secret } = await fixture.account.createKey();
    const mail = {
      to: 'ada@example.org',
      fromEmail: SENDER,
      fromName: 'Shop \u202e',
      subject: 'Reversed',
      text: 'Hello',
    };
    const { body } = await fixture.service
      .request('post', '/api/send/transactional')
      .set('X-API-Key', secret)
      .send(mail)
      .expect(201);
    const { page } = await fixture.visit('admin', `/messages/${body.messageLogId}`);
    await page.getByText(`<${SENDER}>`).waitFor();
    const [first, last] = await page.evaluate<[number, number]>(`(() => {
      const walker = document.createTreeWalker(document.querySelector('.mail-head'), NodeFilter.SHOW_TEXT);
      const range = document.createRange();
      const leftOf = (character) => {
        while (!walker.nextNode().data.includes(character));
        const at = walker.currentNode.data.indexOf(character);
        range.setStart(walker.currentNode, at);
        range.setEnd(walker.currentNode, at + 1);
        return range.getBoundingClientRect().left;
      };
      return [leftOf('<'), leftOf('>')];
    })()`);
    expect(first).toBeLessThan(last);
  });

  it('is shown, runs no script, loads nothing and cannot navigate the page', async () => {
    const url = `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}`;
    const { secret } = await fixture.account.createKey();
    const html = `<!doctype html><meta http-equiv="refresh" content="0;url=${url}/refresh"><base href="${url}/base/">
      <link rel="stylesheet" href="${url}/sheet.css"><style>@import url(${url}/import.css); h1 { color: rgb(1, 2, 3); background: url(${url}/css) }</style>
      <h1 style="background-image: url('${url}/attribute')" onclick="parent.document.title='taken'">Hello</h1>
      <table background="${url}/table"></table><img src="${url}/image" srcset="${url}/set 2x" onerror="parent.document.title='taken'"><script>top.location = '${url}/script'</script>
      <iframe src="${url}/frame"></iframe><video src="${url}/video" autoplay></video><form action="${url}/form"><button>Send</button></form>
      <a href="${url}/link">Follow</a><a href="${url}/self" target="_self">Replace</a><a href="/overview" target="_self">Return</a><a href="${url}/top" target="_top">Leave</a><a href="javascript:parent.document.title='taken'">Run</a><svg><image href="${url}/svg"/></svg>`;
    const { body } = await fixture.service
      .request('post', '/api/send/transactional')
      .set('X-API-Key', secret)
      .send({ to: 'ada@example.org', fromEmail: SENDER, subject: 'Hello', html })
      .expect(201);
    const { page } = await fixture.visit('admin', `/messages/${body.messageLogId}`, { viewport: LARGE });
    const mail = page.frameLocator('iframe');
    await mail.getByRole('heading', { name: 'Hello' }).click();
    await mail.getByRole('link', { name: 'Follow' }).click();
    for (const name of ['Replace', 'Return', 'Leave', 'Run']) await mail.getByRole('link', { name }).click();
    await mail.getByRole('heading', { name: 'Hello' }).waitFor();
    await mail.getByRole('button', { name: 'Send' }).click();
    await page.getByLabel('Images', { exact: true }).click();
    await page.getByText(/^2 remote images are not loaded/).waitFor();
    await mail.getByRole('heading', { name: 'Hello' }).waitFor();
    await page.getByRole('tab', { name: 'Source' }).click();
    await page.getByText('HTML only', { exact: true }).click();
    await page.getByText('top.location').waitFor();
    expect(reached).toEqual([]);
    expect(await page.title()).toBe('Hello · Delivery');
    expect(page.context().pages()).toHaveLength(1);
  });
});
