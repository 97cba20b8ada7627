import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';

import { DashboardFixture } from '../support/dashboard-fixture.js';
import { waitFor } from '../support/wait-for.js';

describe('Attributes of contacts', () => {
  let fixture: DashboardFixture;

  beforeAll(async () => {
    fixture = await DashboardFixture.start();
  });
  afterAll(() => fixture.stop());
  afterEach(async () => {
    expect(await fixture.faults()).toEqual([]);
  });

  it('are added, changed and removed on the page of the contact, and others are kept', async () => {
    const { body: contact } = await fixture.account
      .asAdmin('post', '/api/contacts')
      .send({ email: 'ada@example.org', firstName: 'Ada' })
      .expect(201);
    const path = `/api/contacts/${contact.id}`;
    const visitor = await fixture.visit('admin', `/contacts/${contact.id}`);
    const { page } = visitor;
    const attribute = (number: number, part: 'Name' | 'Value') =>
      page.getByLabel(`${part} of attribute ${number}`, { exact: true });
    const addAttribute = async (number: number, name: string, value: string) => {
      await page.getByRole('button', { name: 'Add attribute' }).click();
      await attribute(number, 'Name').fill(name);
      await attribute(number, 'Value').fill(value);
    };
    const save = async () => {
      const saved = page.waitForResponse((response) => response.request().method() === 'PATCH');
      await page.getByRole('button', { name: 'Save' }).and(page.locator(':enabled')).click();
      return (await saved).request().postDataJSON();
    };
    await addAttribute(1, 'city', 'London');
    await addAttribute(2, 'no name', 'x');
    await page.getByText('Use 1 to 40 letters, digits and underscores.').waitFor();
    await attribute(2, 'Name').fill('visits');
    await attribute(2, 'Value').fill('3');
    expect(await save()).toEqual({ attributes: { city: 'London', visits: 3 } });
    await fixture.account
      .asAdmin('patch', path)
      .send({ attributes: { zip: '10115' } })
      .expect(200);
    await waitFor('the saved form', async () => page.getByRole('button', { name: 'Save' }).isDisabled());
    await page.getByRole('button', { name: 'Remove attribute 1' }).click();
    await attribute(1, 'Value').fill('4');
    expect(await save()).toEqual({ attributes: { city: null, visits: 4 } });
    const { body: changed } = await fixture.account.asAdmin('get', path).expect(200);
    expect(changed.attributes).toEqual({ visits: 4, zip: '10115' });
    await waitFor('what was stored', async () => (await attribute(2, 'Value').inputValue()) === '10115');
    expect(await visitor.violations()).toEqual([]);
    await visitor.picture('contact-attributes-1280');
    const { page: members } = await fixture.visit('member', `/contacts/${contact.id}`);
    await members.getByLabel('Value of attribute 1', { exact: true }).waitFor();
    expect(await members.getByLabel('Value of attribute 1', { exact: true }).isDisabled()).toBe(true);
    expect(await members.getByRole('button', { name: 'Add attribute' }).count()).toBe(0);
  });

  it('imports columns as attributes, and names those that it leaves out', async () => {
    const visitor = await fixture.visit('admin', '/contacts/import');
    const { page } = visitor;
    const csv = 'email,attributes.city,Besuche im Jahr,attributes.old,notes\nmaria@example.com,Bern,3,x,secret\n';
    await visitor.chooseFile(page.getByRole('button', { name: 'CSV file' }), 'crm.csv', csv);
    const columns = page.getByLabel('Columns to import as attributes').and(page.locator('input'));
    await columns.click();
    await page.getByRole('option', { name: 'Besuche im Jahr' }).click();
    await page.getByRole('option', { name: 'attributes.old' }).click();
    await page.keyboard.press('Escape');
    await page
      .getByText('attributes.city → {{attributes.city}}, Besuche im Jahr → {{attributes.besuche_im_jahr}}')
      .waitFor();
    expect(await visitor.violations()).toEqual([]);
    await page.getByRole('button', { name: 'Import', exact: true }).click();
    await page.getByText('Import complete', { exact: true }).waitFor();
    await page.getByText('2 columns are not imported: attributes.old, notes').waitFor();
    const { body } = await fixture.account.asMember('get', '/api/contacts?search=maria@').expect(200);
    expect(body.items[0].attributes).toEqual({ city: 'Bern', besuche_im_jahr: 3 });
  });
});
