import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

import { NARROW } from '../support/browser.js';
import { DashboardFixture, SENDER } from '../support/dashboard-fixture.js';
import { holdRequests } from '../support/hold-requests.js';
import { waitFor } from '../support/wait-for.js';

describe('A template', () => {
  let fixture: DashboardFixture;

  beforeAll(async () => {
    fixture = await DashboardFixture.start();
  });
  afterAll(() => fixture.stop());
  afterEach(async () => {
    expect(await fixture.faults()).toEqual([]);
  });

  it('shows a live preview, warns about unsaved changes, and can be sent as a test', async () => {
    const visitor = await fixture.visit('admin', '/templates/new');
    const { page } = visitor;
    await page.getByLabel('Name').fill('Welcome');
    await page.getByLabel('Subject').fill('Welcome, {{firstName}}');
    const html = page.getByLabel('HTML', { exact: true }).and(page.locator('[contenteditable]'));
    await html.fill('<h1>Dear {{firstName</h1>');
    await page.locator('.cm-lint-marker-error').waitFor();
    await page.getByRole('alert').filter({ hasText: /^html/ }).waitFor();
    expect(visitor.faults.splice(0)).toEqual([expect.stringContaining('status of 400')]);
    expect(await visitor.violations()).toEqual([]);
    await html.fill('<img src="cid:logo"><h1>Dear {{firstName}}</h1>');
    await page.locator('.cm-lint-marker-error').waitFor({ state: 'detached' });
    await page.getByText(/^The plain text is generated from the HTML/).waitFor();
    await page.getByText(/^There is no unsubscribe link/).waitFor();
    await page.getByText(/^One image has no alternative text/).waitFor();
    await html.press('Control+End');
    await html.pressSequentially('{{unsub');
    // With the mouse: for a moment after it opens, the editor takes Enter for a new line.
    await page.getByRole('option', { name: 'unsubscribeUrl' }).click();
    await page.getByText(/^There is no unsubscribe link/).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Add 1 missing variable' }).click();
    await page.getByRole('textbox', { name: 'Variables' }).fill('{"firstName": "Ada & Co"}');
    await page.getByText('Welcome, Ada & Co').waitFor();
    const greeting = page.frameLocator('iframe').getByRole('heading', { name: 'Dear Ada & Co' });
    await greeting.waitFor();
    await html.fill('<h1>Dear {{firstName}}</h1>{{unsubscribeUrl');
    await page.getByRole('alert').filter({ hasText: /^html/ }).waitFor();
    expect(visitor.faults.splice(0)).toEqual([expect.stringContaining('status of 400')]);
    expect(await greeting.isVisible()).toBe(true);
    await html.fill('<h1>Dear {{firstName}}</h1>{{unsubscribeUrl}}');
    await page.getByRole('alert').filter({ hasText: /^html/ }).waitFor({ state: 'detached' });

    await page.getByRole('link', { name: 'Messages' }).click();
    await page.getByText('Leave without saving?').waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('heading', { name: 'Welcome', exact: true }).waitFor();
    await page.waitForURL(/\/templates\/c[a-z0-9]{24}$/);

    await page.reload();
    const variables = page.getByRole('textbox', { name: 'Variables' });
    await waitFor('the saved values', async () => (await variables.inputValue()).includes('Ada & Co'));
    await variables.fill('{"firstName": "Ada"}');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved.').first().waitFor();
    await page.getByRole('button', { name: 'Send a test' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel(/^To/).fill('ada@example.org');
    await dialog.locator('input').nth(1).fill(SENDER);
    await page.getByRole('option', { name: SENDER }).click();
    await dialog.getByRole('button', { name: 'Send', exact: true }).click();
    await page.getByText('The test has been queued.').waitFor();
    const [mail] = await waitFor('the mail', () => fixture.relay.received().length > 0 && fixture.relay.received());
    expect(mail!.parsed.subject).toBe('Welcome, Ada');
    await page.getByRole('button', { name: 'Send a test' }).click();
    expect(await dialog.getByLabel(/^To/).inputValue()).toBe('ada@example.org');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('link', { name: 'View message' }).click();
    await page.getByText('Sent from the dashboard').waitFor();
  });

  it('is deleted from an editor with unsaved changes without another question', async () => {
    const template = { name: 'Short-lived', subject: 'Gone', text: 'Gone' };
    const { body } = await fixture.account.asAdmin('post', '/api/templates').send(template).expect(201);
    const { page } = await fixture.visit('admin', '/templates');
    await page.getByRole('link', { name: 'Short-lived' }).click();
    await page.waitForURL(`**/templates/${body.id}`);
    await page.getByLabel('Subject').fill('Not saved');
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('button', { name: 'Delete template' }).click();
    await page.getByText('“Short-lived” has been deleted.').waitFor();
    await page.getByRole('heading', { name: 'Templates' }).waitFor();
    await page.getByRole('link', { name: 'Short-lived' }).waitFor({ state: 'detached' });
    await page.getByRole('dialog').waitFor({ state: 'detached' }); // the confirmation fades out
  });

  it('that is created late does not take the user away from the next page', async () => {
    const { page } = await fixture.visit('admin', '/templates/new');
    const creation = await holdRequests(page, 'POST', '**/api/templates');
    await page.getByLabel('Name').fill('Slow');
    await page.getByLabel('Subject').fill('Hello');
    await page.getByLabel('Plain text').fill('Hello');
    await page.getByRole('button', { name: 'Create' }).click();
    await creation.started;
    await page.getByRole('link', { name: 'Lists', exact: true }).click();
    await page.getByRole('button', { name: 'Leave' }).click();
    await page.getByRole('heading', { name: 'Lists' }).waitFor();
    creation.release();
    await page.getByText('The template has been saved.').waitFor();
    expect(new URL(page.url()).pathname).toBe('/lists');
  });

  describe('with versions', () => {
    let address: string;
    const save = (body: object) => fixture.account.asAdmin('patch', `/api${address}`).send(body).expect(200);
    const versions = async () => (await fixture.account.asMember('get', `/api${address}/versions`).expect(200)).body;

    beforeEach(async () => {
      const first = { name: 'Welcome', subject: 'First {{n}}', html: '<h1>One {{n}}</h1>', sampleValues: { n: 1 } };
      const { body } = await fixture.account.asAdmin('post', '/api/templates').send(first).expect(201);
      address = `/templates/${body.id}`;
      const second = { subject: 'Second', html: null, text: 'Two', sampleValues: {} };
      await save(second);
    });

    it('shows them with a preview and restores one, but discards no unsaved edits unasked', async () => {
      const visitor = await fixture.visit('admin', address);
      const { page } = visitor;
      const subject = page.getByLabel('Subject');
      await waitFor('the second version', async () => (await subject.inputValue()) === 'Second');
      await page.getByRole('button', { name: 'History' }).click();
      const dialog = page.getByRole('dialog', { name: 'History' });
      const entry = (name: string) => dialog.getByRole('list', { name: 'Versions' }).getByRole('button', { name });
      await entry('Version 2 (current)').and(page.locator('[aria-current]')).waitFor();
      await dialog.getByText('Two', { exact: true }).waitFor();
      expect(await dialog.getByRole('button', { name: 'Restore' }).isDisabled()).toBe(true);
      await entry('Version 1').click();
      await dialog.getByText('First 1', { exact: true }).waitFor();
      await dialog.frameLocator('iframe').getByRole('heading', { name: 'One 1' }).waitFor();
      expect(await visitor.violations()).toEqual([]);
      await visitor.picture('template-history');
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });

      await subject.fill('Not saved');
      await page.getByRole('button', { name: 'History' }).click();
      await entry('Version 1').click();
      await dialog.getByRole('button', { name: 'Restore' }).click();
      const question = page.getByRole('dialog', { name: 'Discard unsaved changes?' });
      await question.getByRole('button', { name: 'Cancel' }).click();
      await question.waitFor({ state: 'detached' });
      expect(await subject.inputValue()).toBe('Not saved');
      expect((await versions()).total).toBe(2);

      await dialog.getByRole('button', { name: 'Restore' }).click();
      await question.getByRole('button', { name: 'Discard and restore' }).click();
      await page.getByText('Version 1 has been restored as version 3.').waitFor();
      await dialog.waitFor({ state: 'detached' });
      expect(await subject.inputValue()).toBe('First {{n}}');
      await page.getByLabel('HTML', { exact: true }).getByText('<h1>One {{n}}</h1>').waitFor();
      expect(await page.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true);
      expect((await versions()).items).toMatchObject([{ version: 3, subject: 'First {{n}}' }, {}, {}]);

      await page.getByRole('button', { name: 'History' }).click();
      await entry('Version 1').click();
      await dialog.getByRole('button', { name: 'Restore' }).click();
      await page.getByText('The template already has the content of version 1.').waitFor();
      expect((await versions()).total).toBe(3);
    });

    it('keeps what is typed while a save is pending, unsaved', async () => {
      const { page } = await fixture.visit('admin', address);
      const field = (label: string) => page.getByLabel(label, { exact: true });
      const html = field('HTML').and(page.locator('[contenteditable]'));
      await field('Name').fill(' Submitted ');
      await field('Subject').fill('Submitted');
      const saving = await holdRequests(page, 'PATCH', `**/api${address}`);
      await page.getByRole('button', { name: 'Save' }).click();
      await saving.started;
      await field('Subject').fill('Typed meanwhile');
      await html.fill('<p>Typed, too</p>');
      saving.release();
      await page.getByText('The template has been saved.').waitFor();
      await waitFor('the saved name', async () => (await field('Name').inputValue()) === 'Submitted');
      expect(await field('Subject').inputValue()).toBe('Typed meanwhile');
      expect(await html.innerText()).toBe('<p>Typed, too</p>');
      expect((await versions()).items[0]).toMatchObject({ version: 3, subject: 'Submitted' });

      await page.getByRole('link', { name: 'Messages' }).click();
      const question = page.getByRole('dialog', { name: 'Leave without saving?' });
      await question.getByRole('button', { name: 'Cancel' }).click();
      await question.waitFor({ state: 'detached' });
      await page.getByRole('button', { name: 'Save' }).click();
      await waitFor('the second save', async () => (await versions()).total === 4);
      expect((await versions()).items[0]).toMatchObject({ subject: 'Typed meanwhile' });
      await page.locator('button[type=submit]:disabled').waitFor();
    });

    it('reports one that somebody else has saved, and loses neither text', async () => {
      const visitor = await fixture.visit('admin', address);
      const { page } = visitor;
      const subject = page.getByLabel('Subject');
      const saveButton = page.getByRole('button', { name: 'Save', exact: true });
      await subject.fill('Mine');
      await save({ subject: 'Theirs' });
      await saveButton.click();
      const alert = page.getByRole('alert').filter({ hasText: 'Somebody else saved version 3' });
      await alert.getByText('This page started from version 2.').waitFor();
      expect(visitor.faults.splice(0)).toEqual([expect.stringContaining('status of 409')]);
      expect(await page.getByRole('alert').count()).toBe(1);
      expect(await subject.inputValue()).toBe('Mine');
      expect(await saveButton.isDisabled()).toBe(true);
      await subject.press('Enter');
      expect((await versions()).items[0]).toMatchObject({ version: 3, subject: 'Theirs' });
      expect(await visitor.violations()).toEqual([]);
      await visitor.picture('template-newer-version');

      const question = page.getByRole('dialog', { name: 'Discard unsaved changes?' });
      await alert.getByRole('button', { name: 'Load version 3' }).click();
      await question.getByRole('button', { name: 'Cancel' }).click();
      await question.waitFor({ state: 'detached' });
      expect(await subject.inputValue()).toBe('Mine');
      await alert.getByRole('button', { name: 'Load version 3' }).click();
      await question.getByRole('button', { name: 'Discard and load' }).click();
      await alert.waitFor({ state: 'detached' });
      expect(await subject.inputValue()).toBe('Theirs');
      expect(await page.getByRole('alert').count()).toBe(0);
      expect(await saveButton.isDisabled()).toBe(true);

      await subject.fill('Mine after all');
      await save({ subject: 'Theirs again' });
      await saveButton.click();
      await page.getByText('Somebody else saved version 4').waitFor();
      expect(visitor.faults.splice(0)).toEqual([expect.stringContaining('status of 409')]);
      await page.getByRole('button', { name: 'Save anyway' }).click();
      await page.getByText('Somebody else saved version 4').waitFor({ state: 'detached' });
      expect((await versions()).items.slice(0, 2)).toMatchObject([
        { version: 5, subject: 'Mine after all' },
        { version: 4, subject: 'Theirs again' },
      ]);
    });

    it('restores none over one that it has not shown, and stays open until it has', async () => {
      const visitor = await fixture.visit('admin', address);
      const { page } = visitor;
      await page.getByRole('button', { name: 'History' }).click();
      const dialog = page.getByRole('dialog', { name: 'History' });
      await dialog.getByRole('button', { name: 'Version 1' }).click();
      await dialog.getByText('First 1', { exact: true }).waitFor();
      await save({ subject: 'Theirs' });
      await dialog.getByRole('button', { name: 'Restore' }).click();
      await page.getByText('Template was changed meanwhile: it has version 3').waitFor();
      await dialog.getByRole('button', { name: 'Version 3 (current)' }).waitFor();
      expect(visitor.faults.splice(0)).toEqual([expect.stringContaining('status of 409')]);

      const restoring = await holdRequests(page, 'POST', `**/api${address}/versions/1/restore`);
      await dialog.getByRole('button', { name: 'Restore' }).click();
      await restoring.started;
      await dialog.locator('button[data-loading]').waitFor();
      await page.keyboard.press('Escape');
      await dialog.getByRole('button', { name: 'Close' }).click();
      expect(await dialog.isVisible()).toBe(true);
      restoring.release();
      await page.getByText('Version 1 has been restored as version 4.').waitFor();
      await dialog.waitFor({ state: 'detached' });
      expect(await page.getByLabel('Subject').inputValue()).toBe('First {{n}}');
      expect(await page.getByText(/^Somebody else/).count()).toBe(0);
    });

    it('shows them to members, who cannot restore them, on a phone in dark mode', async () => {
      const visitor = await fixture.visit('member', address, { viewport: NARROW, colorScheme: 'dark' });
      const { page } = visitor;
      await page.getByRole('button', { name: 'History' }).click();
      const dialog = page.getByRole('dialog', { name: 'History' });
      await dialog.getByRole('button', { name: 'Version 1' }).click();
      await dialog.getByText('First 1', { exact: true }).waitFor();
      expect(await dialog.getByRole('button', { name: 'Restore' }).count()).toBe(0);
      expect(await visitor.overflows()).toBe(false);
      expect(await visitor.violations()).toEqual([]);
      await visitor.picture('template-history-390');
    });
  });
});
