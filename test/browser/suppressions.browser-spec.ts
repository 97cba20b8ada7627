import { readFile } from 'node:fs/promises';

import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';

import type { TestKey } from '../support/account.js';
import { DashboardFixture, SENDER } from '../support/dashboard-fixture.js';
import { badRequest } from '../support/errors.js';

describe('Suppressions', () => {
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

  const send = (to: string) =>
    fixture.service
      .request('post', '/api/send/transactional')
      .set('X-API-Key', key.secret)
      .send({ to, fromEmail: SENDER, subject: 'Hello', text: 'Hello' });

  it('block a send until they are lifted', async () => {
    const { page } = await fixture.visit('admin', '/suppressions');
    await page.getByText('Nobody is suppressed').waitFor();
    await page.getByRole('button', { name: 'Suppress address' }).click();
    await page.getByLabel('E-mail address').fill('Ada@example.org');
    await page.getByLabel('Note').fill('Asked by phone');
    await page.keyboard.press('Tab');
    await page.getByRole('button', { name: 'Suppress', exact: true }).click();
    const row = page.getByRole('row', { name: /Asked by phone/ });
    await row.waitFor();
    await send('ada@example.org').expect(400, badRequest('ada@example.org is suppressed'));

    await row.getByRole('button', { name: /^Lift/ }).click();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await send('ada@example.org').expect(400);
    await row.getByRole('button', { name: /^Lift/ }).click();
    await page.getByRole('button', { name: 'Lift suppression' }).click();
    await page.getByText('Nobody is suppressed').waitFor();
    await send('ada@example.org').expect(201);
  });

  it('are imported, exported and found', async () => {
    const { page } = await fixture.visit('admin', '/suppressions');
    await page.getByRole('button', { name: 'Import' }).click();
    const chooser = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'CSV file' }).click();
    const csv = 'email,reason,note\nlin@example.org,bounced,\ngrace@example.org,,moved\nnonsense,,\n';
    await (await chooser).setFiles({ name: 'list.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) });
    await page.getByRole('dialog').getByRole('button', { name: 'Import' }).click();
    await page.getByText('2 added, 0 were suppressed already, 1 failed.').waitFor();
    await page.getByRole('cell', { name: 'nonsense' }).waitFor();
    await page.getByRole('button', { name: 'Close' }).last().click();

    await page.getByRole('searchbox').fill('grace');
    await page.getByText('1 in all').waitFor();
    expect(new URL(page.url()).search).toBe('?search=grace');
    await page.reload();
    await page.getByRole('row', { name: /grace@example.org/ }).waitFor();

    const exported = async (): Promise<string[]> => {
      const download = page.waitForEvent('download');
      await page.getByRole('button', { name: 'Export' }).click();
      const file = await (await download).path();
      const [header, ...rows] = (await readFile(file, 'utf8')).trim().split('\n').sort();
      expect(header).toMatch(/^address,channel,reason,/);
      return rows;
    };
    const grace = expect.stringMatching(/^grace@example.org,email,manual,import,moved,/);
    expect(await exported()).toEqual([grace]);
    await page.getByRole('searchbox').fill('');
    await page.getByText('2 in all').waitFor();
    expect(await exported()).toEqual([grace, expect.stringMatching(/^lin@example.org,email,bounced,import,,/)]);
  });
});
