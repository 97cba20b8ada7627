import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

import { NARROW } from '../support/browser.js';
import { DashboardFixture, SENDER } from '../support/dashboard-fixture.js';
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
    await page.getByRole('button', { name: 'Add 1 missing' }).click();
    await page.getByRole('textbox', { name: 'Variables' }).fill('{"firstName": "Ada & Co"}');
    await page.getByText('Welcome, Ada & Co').waitFor();
    await page.frameLocator('iframe').getByRole('heading', { name: 'Dear Ada & Co' }).waitFor();

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

  describe('with versions', () => {
    let address: string;

    beforeEach(async () => {
      const first = { name: 'Welcome', subject: 'First {{n}}', html: '<h1>One {{n}}</h1>', sampleValues: { n: 1 } };
      const { body } = await fixture.account.asAdmin('post', '/api/templates').send(first).expect(201);
      address = `/templates/${body.id}`;
      const second = { subject: 'Second', html: null, text: 'Two', sampleValues: {} };
      await fixture.account.asAdmin('patch', `/api${address}`).send(second).expect(200);
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
      const versions = () => fixture.account.asMember('get', `/api${address}/versions`).expect(200);
      expect((await versions()).body.total).toBe(2);

      await dialog.getByRole('button', { name: 'Restore' }).click();
      await question.getByRole('button', { name: 'Discard and restore' }).click();
      await page.getByText('Version 1 has been restored as version 3.').waitFor();
      await dialog.waitFor({ state: 'detached' });
      expect(await subject.inputValue()).toBe('First {{n}}');
      await page.getByLabel('HTML', { exact: true }).getByText('<h1>One {{n}}</h1>').waitFor();
      expect(await page.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true);
      expect((await versions()).body.items).toMatchObject([{ version: 3, subject: 'First {{n}}' }, {}, {}]);

      await page.getByRole('button', { name: 'History' }).click();
      await entry('Version 1').click();
      await dialog.getByRole('button', { name: 'Restore' }).click();
      await page.getByText('The template already has the content of version 1.').waitFor();
      expect((await versions()).body.total).toBe(3);
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
