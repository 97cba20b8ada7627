import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';

import { DashboardFixture } from '../support/dashboard-fixture.js';

const people = Array.from(
  { length: 5_000 },
  (_, i) => `person${i}@example.com;"First ""${i}""";Northwind; ;batch ${i % 3}\n`,
);
const CSV = `E-mail;First name;Firm;Remarks;Labels\n${people.join('')}nonsense;Kim;;;\n`;

describe('Importing contacts', () => {
  let fixture: DashboardFixture;

  beforeAll(async () => {
    fixture = await DashboardFixture.start();
  });
  afterAll(() => fixture.stop());
  afterEach(async () => {
    expect(await fixture.faults()).toEqual([]);
  });

  it('maps, checks and imports 5,000 rows into a list, and exports them', async () => {
    await fixture.account.asAdmin('post', '/api/lists').send({ name: 'Newsletter' }).expect(201);
    const visitor = await fixture.visit('admin', '/contacts');
    const { page } = visitor;
    await page.getByRole('link', { name: 'Import' }).click();
    await visitor.chooseFile(page.getByRole('button', { name: 'CSV file' }), 'crm.csv', CSV);
    const column = (field: string) => page.getByLabel(`Column for ${field}`).and(page.locator('input'));
    expect(await column('Email address').inputValue()).toBe('E-mail');
    expect(await column('Tags (separated by ;)').inputValue()).toBe('Labels');
    await page.getByRole('cell', { name: 'First "0" · First "1" · First "2"' }).waitFor();
    await column('Company').click();
    await page.getByRole('option', { name: 'Firm' }).click();
    await page.getByRole('cell', { name: 'Northwind · Northwind · Northwind' }).waitFor();
    await page.getByLabel('Add all contacts to').and(page.locator('input')).click();
    await page.getByRole('option', { name: 'Newsletter' }).click();

    expect(await visitor.violations()).toEqual([]);
    await visitor.picture('contacts-mapping-1280');
    await page.getByRole('button', { name: 'Check without importing' }).click();
    await page.getByText('Check complete: nothing has been imported yet').waitFor();
    await page.getByText('5,001 of 5,001 rows processed').waitFor();
    await page.getByRole('row', { name: /Line 5,002 nonsense email must be/ }).waitFor();
    expect((await fixture.account.asMember('get', '/api/contacts').expect(200)).body.total).toBe(0);

    await page.getByRole('button', { name: 'Back to column mapping' }).click();
    expect(await column('Company').inputValue()).toBe('Firm');
    await page.getByRole('cell', { name: 'Northwind · Northwind · Northwind' }).waitFor();
    await page.goBack();
    await page.getByRole('button', { name: 'Import now' }).click();
    await page.getByRole('progressbar').waitFor();
    await page.getByText('Import complete', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'View contacts' }).click();
    await page.getByText('5,000 in total').waitFor();
    await page.getByRole('searchbox').fill('person4711@');
    await page.getByText('1 in total').waitFor();
    await page.getByRole('row', { name: /First "4711" Northwind .* batch 1 Newsletter/ }).waitFor();

    const { content } = await visitor.download(() => page.getByRole('button', { name: 'Export' }).click());
    const rows = content.toString().trim().split('\n');
    expect(rows).toEqual([
      expect.stringMatching(/^email,firstName,/),
      expect.stringMatching(/^person4711@example.com,"First ""4711""",,Northwind,batch 1,active,/),
    ]);
  });

  it('reports why a file cannot be read', async () => {
    const visitor = await fixture.visit('admin', '/contacts/import');
    const { page } = visitor;
    const choose = (name: string, content: string | Buffer) =>
      visitor.chooseFile(page.getByRole('button', { name: 'CSV file' }), name, content);
    await choose('empty.csv', '\n\n');
    await page.getByText('The file has no header row.').waitFor();
    await choose('broken.csv', 'email,first\nada@example.org,"Ada\n');
    await page.getByRole('button', { name: 'Import', exact: true }).click();
    await page.getByText(/^The file cannot be read as CSV: /).waitFor();
  });

  it('asks for a file again that has been changed or moved since it was chosen', async () => {
    const { page } = await fixture.visit('admin', '/contacts/import');
    const folder = await mkdtemp(join(tmpdir(), 'contacts-'));
    const file = join(folder, 'crm.csv');
    const input = page.locator('input[type=file]');
    const doImport = page.getByRole('button', { name: 'Import', exact: true });
    const fault = page.getByText(/^The file cannot be read. It may have been changed or moved/);
    try {
      await writeFile(file, 'email\nlin@example.org\n');
      await input.setInputFiles(file);
      await doImport.waitFor();
      await rename(file, join(folder, 'old.csv'));
      await doImport.click();
      await fault.waitFor();
      await writeFile(file, 'email\njoan@example.org\n');
      await input.setInputFiles(file);
      await fault.waitFor({ state: 'detached' });
      await doImport.click();
      await page.getByText('Import complete').waitFor();
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it('erases a contact permanently', async () => {
    await fixture.account.asAdmin('post', '/api/contacts').send({ email: 'grace@example.org' }).expect(201);
    const { page } = await fixture.visit('admin', '/contacts?search=grace');
    await page
      .getByRole('row', { name: /grace@example\.org/ })
      .getByRole('link')
      .click();
    await page.getByRole('button', { name: 'Erase' }).click();
    await page.getByRole('button', { name: 'Erase permanently' }).click();
    await page.getByText('The contact has been erased.').waitFor();
    await page.getByRole('link', { name: 'Suppressions' }).click();
    await page.getByRole('cell', { name: 'Erased address' }).waitFor();
  });
});
