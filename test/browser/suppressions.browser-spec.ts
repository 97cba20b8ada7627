import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';

import { SuppressAddresses } from '../../src/modules/suppression/index.js';
import type { TestKey } from '../support/account.js';
import { DashboardFixture, SENDER } from '../support/dashboard-fixture.js';
import { badRequest } from '../support/errors.js';
import { interceptRequests } from '../support/intercept-requests.js';

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

  it('block a send until they are removed', async () => {
    const { page } = await fixture.visit('admin', '/suppressions');
    await page.getByText('No suppressions yet').waitFor();
    await page.getByRole('button', { name: 'Suppress address' }).click();
    await page.getByLabel('Email address').fill('Ada@example.org');
    await page.getByLabel('Note').fill('Asked by phone');
    await page.keyboard.press('Tab');
    await page.getByRole('button', { name: 'Suppress', exact: true }).click();
    const row = page.getByRole('row', { name: /Asked by phone/ });
    await row.waitFor();
    await send('ada@example.org').expect(400, badRequest('ada@example.org is suppressed'));

    await row.getByRole('button', { name: /^Remove/ }).click();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await send('ada@example.org').expect(400);
    await row.getByRole('button', { name: /^Remove/ }).click();
    await page.getByRole('button', { name: 'Remove suppression' }).click();
    await page.getByText('No suppressions yet').waitFor();
    await send('ada@example.org').expect(201);
  });

  it('are kept if the recipient complained after the list was loaded', async () => {
    const { account } = fixture;
    const { body } = await account.asAdmin('post', '/api/suppressions').send({ email: 'eve@example.org' }).expect(201);
    const { page, faults } = await fixture.visit('admin', '/suppressions?search=eve');
    const row = page.getByRole('row', { name: /eve@example\.org/ });
    await row.getByRole('button', { name: /^Remove/ }).click();
    await fixture.service.app.get(SuppressAddresses, { strict: false }).suppress([
      {
        accountId: account.id,
        channel: 'email',
        address: 'eve@example.org',
        reason: 'complained',
        source: 'provider',
      },
    ]);
    await page.getByRole('button', { name: 'Remove suppression' }).click();
    await page.getByText('The suppression of eve@example.org has changed in the meantime, so it is kept.').waitFor();
    await row.getByText('Complained').waitFor();
    await account.asAdmin('delete', `/api/suppressions/${body.id}`).expect(200);
    faults.length = 0; // the browser logs the 409
  });

  it('show since when, and whole addresses, on a tablet', async () => {
    const email = `${'long-address-'.repeat(4)}@example.org`;
    const { body } = await fixture.account.asAdmin('post', '/api/suppressions').send({ email }).expect(201);
    const { page } = await fixture.visit('admin', '/suppressions', { viewport: { width: 820, height: 1180 } });
    await page.getByRole('columnheader', { name: 'Since' }).waitFor();
    const row = page.getByRole('row', { name: /long-address/ });
    const cell = row.getByRole('cell').first();
    const heightOf = async () => (await cell.boundingBox())?.height ?? 0;
    const cutOff = await heightOf();
    await cell.click();
    expect(await heightOf()).toBeGreaterThan(cutOff + 10);
    await cell.click();
    expect(await heightOf()).toBe(cutOff);

    const tooNarrow = page.getByText('The page is too narrow to show all of them.');
    await page.getByRole('button', { name: 'Choose columns' }).click();
    await tooNarrow.waitFor();
    for (const name of ['Source', 'Note']) await page.getByRole('checkbox', { name }).uncheck();
    await tooNarrow.waitFor({ state: 'detached' });
    for (const name of ['Source', 'Note']) await page.getByRole('checkbox', { name }).check();
    await tooNarrow.waitFor();
    await page.setViewportSize({ width: 1440, height: 900 });
    await tooNarrow.waitFor({ state: 'detached' });
    await fixture.account.asAdmin('delete', `/api/suppressions/${body.id}`).expect(200);
  });

  it('leave the focus in the content of the page when their row disappears', async () => {
    for (const email of ['kai@example.org', 'lou@example.org'])
      await fixture.account.asAdmin('post', '/api/suppressions').send({ email }).expect(201);
    const { page } = await fixture.visit('admin', '/suppressions');
    for (const name of ['kai', 'lou']) {
      const row = page.getByRole('row', { name: new RegExp(`${name}@example`) });
      await row.getByRole('button', { name: /^Remove/ }).press('Enter');
      await page.getByRole('button', { name: 'Remove suppression' }).press('Enter');
      await row.waitFor({ state: 'detached' });
      await page.locator('#content:focus').waitFor();
    }
  });

  it('are imported, searched and exported', async () => {
    const visitor = await fixture.visit('admin', '/suppressions');
    const { page } = visitor;
    await page.getByRole('button', { name: 'Import' }).click();
    const csv = 'email,reason,note\nlin@example.org,bounced,\ngrace@example.org,,moved\nnonsense,,\n';
    await visitor.chooseFile(page.getByRole('button', { name: 'CSV file' }), 'list.csv', csv);
    await page.getByRole('dialog').getByRole('button', { name: 'Import' }).click();
    await page.getByText('2 added, 0 already suppressed, 1 failed.').waitFor();
    await page.mouse.click(5, 5);
    await page.getByRole('cell', { name: 'nonsense' }).waitFor();
    expect(await page.getByText('failures are listed').count()).toBe(0);
    await page.getByRole('button', { name: 'Close' }).last().click();

    await page.getByRole('searchbox').fill('grace');
    await page.getByText('1 in total').waitFor();
    expect(new URL(page.url()).search).toBe('?search=grace');
    await page.reload();
    await page.getByRole('row', { name: /grace@example.org/ }).waitFor();

    const exported = async (): Promise<string[]> => {
      const { content } = await visitor.download(() => page.getByRole('button', { name: 'Export' }).click());
      const [header, ...rows] = content.toString().trim().split('\n').sort();
      expect(header).toMatch(/^address,channel,reason,/);
      return rows;
    };
    const grace = expect.stringMatching(/^grace@example.org,email,manual,import,moved,/);
    expect(await exported()).toEqual([grace]);
    await page.getByRole('searchbox').fill('');
    await page.getByText('2 in total').waitFor();
    expect(await exported()).toEqual([grace, expect.stringMatching(/^lin@example.org,email,bounced,import,,/)]);
  });

  it('are not said to be added if the address is suppressed already', async () => {
    const note = 'asked by phone';
    await fixture.account.asAdmin('post', '/api/suppressions').send({ email: 'joan@example.org', note }).expect(201);
    const { page } = await fixture.visit('admin', '/suppressions');
    await page.getByRole('button', { name: 'Suppress address' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Email address').fill('Joan@example.org');
    await dialog.getByLabel('Note').fill('moved');
    await dialog.getByRole('button', { name: 'Suppress', exact: true }).click();
    await page.getByText('joan@example.org is already suppressed. Nothing has changed.').waitFor();
    await page.getByRole('row', { name: /joan@example.org .* asked by phone/ }).waitFor();
  });

  it('are imported in a dialog that stays until the result is there', async () => {
    const visitor = await fixture.visit('admin', '/lists');
    const { page } = visitor;
    await page.getByRole('link', { name: 'Suppressions' }).click();
    const errors = Array.from({ length: 100 }, (_, i) => ({
      line: i + 1,
      address: `nobody ${i}`,
      message: 'no address',
    }));
    let respond: () => void = () => undefined;
    const isDue = new Promise<void>((resolve) => (respond = resolve));
    await interceptRequests(page, '**/api/suppressions/import', async (route) => {
      await isDue;
      await route.fulfill({ json: { added: 0, stood: 0, failed: 101, errors } });
    });
    await page.getByRole('button', { name: 'Import' }).click();
    const dialog = page.getByRole('dialog', { name: 'Import suppressions' });
    await visitor.chooseFile(page.getByRole('button', { name: 'CSV file' }), 'list.csv', 'nobody\n'.repeat(101));
    const started = page.waitForRequest('**/api/suppressions/import');
    await dialog.getByRole('button', { name: 'Import' }).click();
    await started;
    await page.keyboard.press('Escape');
    await page.goBack();
    const question = page.getByRole('dialog', { name: 'Leave without saving?' });
    await question.getByText('The file is still being uploaded.').waitFor();
    await question.getByRole('button', { name: 'Cancel' }).click();
    respond();
    await dialog.getByText('0 added, 0 already suppressed, 101 failed.').waitFor();
    await dialog.getByText('The first 100 failures are listed.').waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
  });
});
