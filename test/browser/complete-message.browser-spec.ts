import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';

import type { TestKey } from '../support/account.js';
import { DashboardFixture } from '../support/dashboard-fixture.js';
import { postEmail } from '../support/send-email.js';

const BYTES = Buffer.from(Array.from({ length: 58_400 }, (_, i) => (i * 31) % 256));

describe('A message with copies, attachments, tags and metadata', () => {
  let fixture: DashboardFixture;
  let key: TestKey;

  beforeAll(async () => {
    fixture = await DashboardFixture.start();
    key = await fixture.account.createKey();
  });
  afterAll(() => fixture.stop());
  afterEach(async () => {
    expect(await fixture.faults()).toEqual([]);
  });

  const send = async (mail: object): Promise<string> => {
    const { body } = await postEmail(fixture.service, key.secret, mail).expect(201);
    return body.messageLogId as string;
  };

  it('shows all of them, and leads to the copies', async () => {
    const id = await send({
      subject: 'Your invoice',
      html: '<p>Thank you</p>',
      cc: ['books@example.org'],
      bcc: ['archive@example.org'],
      attachments: [{ filename: 'Rechnung März.pdf', content: BYTES.toString('base64') }],
      headers: { 'X-Order': '4711' },
      tags: ['invoice'],
      metadata: { customer: 'C-1815' },
    });
    const visitor = await fixture.visit('admin', `/messages/${id}`);
    const { page } = visitor;
    const section = (name: string) => page.locator('section').filter({ has: page.getByRole('heading', { name }) });
    await page.getByRole('heading', { name: 'Your invoice' }).waitFor();
    const row = page.getByRole('row', { name: /Rechnung März\.pdf/ });
    expect(await row.getByRole('cell').allInnerTexts()).toEqual([
      'Rechnung März.pdf',
      'application/pdf',
      '58.4 kB',
      '',
    ]);
    expect(await section('Metadata').locator('dl').innerText()).toBe('customer\nC-1815');
    await page.getByRole('tab', { name: 'Headers' }).click();
    await page.getByText('X-Order', { exact: true }).waitFor();

    const file = await visitor.download(() => row.getByRole('button', { name: 'Download Rechnung März.pdf' }).click());
    expect(file.name).toBe('Rechnung März.pdf');
    expect(BYTES.equals(file.content)).toBe(true);

    await page.getByRole('tab', { name: 'Source', exact: true }).click();
    const source = page.getByRole('tabpanel').locator('pre');
    expect(await source.innerText()).toMatch(/^To: ada@example\.org$[^]*^Cc: books@example\.org$[^]*^X-Order: 4711$/m);
    expect(await visitor.violations()).toEqual([]);

    const recipients = section('Recipients').getByRole('listitem');
    expect(await recipients.allInnerTexts()).toEqual([
      expect.stringMatching(/^ada@example\.org\s+To, this message\s/),
      expect.stringMatching(/^books@example\.org\s+Cc\s/),
      expect.stringMatching(/^archive@example\.org\s+Bcc\s/),
    ]);
    await recipients.getByRole('link', { name: 'archive@example.org' }).click();
    await page.getByText('· Bcc: archive@example.org').waitFor();
    await recipients.getByText('Bcc, this message').waitFor();
    await recipients.getByRole('link', { name: 'ada@example.org' }).waitFor();
  });

  it('is found by its tag', async () => {
    const id = await send({ subject: 'Welcome', text: 'Hello', tags: ['welcome', 'trial_2'] });
    await send({ subject: 'Your password', text: 'Hello' });
    const { page } = await fixture.visit('member', `/messages/${id}`);
    await page.getByRole('link', { name: 'trial_2' }).click();
    await page.getByRole('row', { name: /Welcome/ }).waitFor();
    await page.getByText('1 shown, newest first').waitFor();
    expect(new URL(page.url()).search).toBe('?tag=trial_2');

    const tag = page.getByLabel('Tag', { exact: true });
    expect(await tag.inputValue()).toBe('trial_2');
    await tag.fill('trial');
    await page.keyboard.press('Enter');
    await page.getByText('No matching messages').waitFor();
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await page.getByRole('row', { name: /Your password/ }).waitFor();
    expect(await tag.inputValue()).toBe('');
  });

  it('shows nothing of what a plain message does not have', async () => {
    const id = await send({ subject: 'Plain', text: 'Hello' });
    const { page } = await fixture.visit('admin', `/messages/${id}`);
    await page.getByRole('heading', { name: 'Timeline' }).waitFor();
    await page.getByText('Hello', { exact: true }).waitFor();
    for (const name of ['Recipients', 'Attachments', 'Metadata'])
      expect(await page.getByRole('heading', { name }).count()).toBe(0);
    for (const name of ['Cc', 'Tags']) expect(await page.getByText(name, { exact: true }).count()).toBe(0);
  });
});
