import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';

import type { Page, Route } from 'playwright-core';

import { DashboardFixture, PASSWORD } from '../support/dashboard-fixture.js';
import { holdRequests } from '../support/hold-requests.js';
import { interceptRequests } from '../support/intercept-requests.js';
import { waitFor } from '../support/wait-for.js';

describe('Contacts', () => {
  let fixture: DashboardFixture;

  beforeAll(async () => {
    fixture = await DashboardFixture.start();
  });
  afterAll(() => fixture.stop());
  afterEach(async () => {
    expect(await fixture.faults()).toEqual([]);
  });

  it('are added, put into a list, found by list and by tag, unsubscribed and deleted', async () => {
    const { page } = await fixture.visit('admin', '/lists');
    await page.getByText('No lists yet').waitFor();
    await page.getByRole('button', { name: 'New list' }).click();
    await page.getByLabel('Name').fill('Newsletter');
    await page.getByRole('button', { name: 'Create list' }).click();
    await page.getByRole('row', { name: /Newsletter/ }).waitFor();

    await page.getByRole('link', { name: 'Contacts' }).click();
    await page.getByText('No contacts yet').waitFor();
    await page.getByRole('button', { name: 'Add contact' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Email address').fill('Ada@example.org');
    await dialog.getByLabel('First name').fill('Ada');
    await dialog.getByLabel('Tags').fill('vip');
    await page.keyboard.press('Enter');
    await dialog.getByRole('button', { name: 'Add contact' }).click();
    await page
      .getByRole('row', { name: /Ada@example\.org/ })
      .getByRole('link')
      .click();

    await page.getByRole('heading', { name: 'Ada' }).waitFor();
    await page.getByLabel('Lists').and(page.locator('input')).click();
    await page.getByRole('option', { name: 'Newsletter' }).click();
    await page.getByLabel('Company').fill('Engines');
    const { items } = (await fixture.account.asAdmin('get', '/api/contacts').expect(200)).body;
    const path = `/api/contacts/${items[0].id}`;
    await fixture.account
      .asAdmin('patch', path)
      .send({ tags: ['vip', 'imported'] })
      .expect(200);
    const saving = await holdRequests(page, 'PATCH', `**${path}`);
    await page.getByRole('button', { name: 'Save' }).click();
    await saving.started;
    await page.getByLabel('Last name').fill('Lovelace');
    saving.release();
    await page.getByText('The contact has been saved.', { exact: true }).waitFor();
    const saved = { company: 'Engines', lastName: null, tags: ['imported', 'vip'] };
    expect((await fixture.account.asAdmin('get', path).expect(200)).body).toMatchObject(saved);
    await page.getByRole('button', { name: 'Save' }).and(page.locator(':enabled')).click();
    await page.getByRole('heading', { name: 'Ada Lovelace' }).waitFor();

    await page.getByRole('link', { name: 'Lists' }).click();
    await page
      .getByRole('row', { name: /Newsletter/ })
      .getByRole('link')
      .click();
    await page.getByRole('row', { name: /Engines/ }).waitFor();
    await page.getByLabel('Tag', { exact: true }).fill('vip');
    await page.keyboard.press('Enter');
    await page.getByText('1 in total').waitFor();
    expect(new URL(page.url()).searchParams.get('tag')).toBe('vip');

    await page
      .getByRole('row', { name: /Engines/ })
      .getByRole('link')
      .click();
    await page.getByRole('button', { name: 'Unsubscribe' }).click();
    await page.getByText('Unsubscribed', { exact: true }).waitFor();
    await page.getByRole('alert').getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Ada@example.org is not suppressed any more. The consent stays withdrawn.').waitFor();
    await page.getByText('Active', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Unsubscribe' }).click();
    await page.getByText('Unsubscribed', { exact: true }).waitFor();
    await page.getByLabel('Company').fill('Not saved');
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('button', { name: 'Delete contact' }).click();
    await page.getByText('No contacts yet').waitFor();
  });

  const add = async (email: string) =>
    (await fixture.account.asAdmin('post', '/api/contacts').send({ email }).expect(201)).body.id as string;

  describe('whose page is left', () => {
    /** Without a reload. */
    const jumpTo = async (page: Page, email: string) => {
      await page.keyboard.press('Control+k');
      await page.getByPlaceholder('Page, address or ID').fill(email);
      await page.getByRole('button', { name: `${email} Active` }).click();
      await page.getByRole('heading', { name: email }).waitFor();
    };

    it('are not asked about on the page of another one', async () => {
      const ids = [await add('gil@example.org'), await add('hal@example.org')];
      const { page } = await fixture.visit('admin', `/contacts/${ids[0]}`);
      await page.getByRole('heading', { name: 'gil@example.org' }).waitFor();
      await jumpTo(page, 'hal@example.org');
      await page.getByRole('button', { name: 'Delete' }).click();
      await page.getByRole('dialog', { name: 'Delete hal@example.org?' }).waitFor();
      await page.goBack();
      await page.getByRole('heading', { name: 'gil@example.org' }).waitFor();
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      for (const id of ids) await fixture.account.asMember('get', `/api/contacts/${id}`).expect(200);
    });

    it('keep their names in the notification of a slow action', async () => {
      const [ida, jon] = [await add('ida@example.org'), await add('jon@example.org')];
      const { page } = await fixture.visit('admin', `/contacts/${jon}`);
      await page.getByRole('heading', { name: 'jon@example.org' }).waitFor();
      await jumpTo(page, 'ida@example.org');
      const unsubscribing = await holdRequests(page, 'PATCH', `**/api/contacts/${ida}`);
      await page.getByRole('button', { name: 'Unsubscribe' }).click();
      await unsubscribing.started;
      await page.goBack();
      await page.getByRole('heading', { name: 'jon@example.org' }).waitFor();
      unsubscribing.release();
      await page.getByText('ida@example.org has been unsubscribed').waitFor();
    });

    it('do not take the user away from the next page when they are deleted', async () => {
      const kai = await add('kai@example.org');
      const { page } = await fixture.visit('admin', `/contacts/${kai}`);
      const deletion = await holdRequests(page, 'DELETE', `**/api/contacts/${kai}`);
      await page.getByRole('button', { name: 'Delete' }).click();
      await page.getByRole('button', { name: 'Delete contact' }).click();
      await deletion.started;
      await page.getByRole('link', { name: 'Lists', exact: true }).click();
      await page.getByRole('heading', { name: 'Lists' }).waitFor();
      deletion.release();
      await page.getByText('kai@example.org has been deleted.').waitFor();
      expect(new URL(page.url()).pathname).toBe('/lists');
    });

    it('do not report to the next user that they could not be deleted', async () => {
      const lea = await add('lea@example.org');
      const visitor = await fixture.visit('admin', `/contacts/${lea}`);
      const { page } = visitor;
      const deletion = await holdRequests(page, 'DELETE', `**/api/contacts/${lea}`);
      await page.getByRole('button', { name: 'Delete' }).click();
      await page.getByRole('button', { name: 'Delete contact' }).click();
      await deletion.started;
      await page.getByRole('button', { name: 'admin@example.com' }).click();
      await page.getByRole('menuitem', { name: 'Sign out' }).click();
      await visitor.logIn({ email: 'member@example.com', password: PASSWORD });
      await page.getByRole('heading', { name: 'lea@example.org' }).waitFor();
      await fixture.account.asAdmin('delete', `/api/contacts/${lea}`).expect(200);
      const answer = page.waitForResponse((response) => response.request().method() === 'DELETE');
      deletion.release();
      await (await answer).finished();
      await page.evaluate('new Promise((shown) => requestAnimationFrame(() => requestAnimationFrame(shown)))');
      expect(await page.getByText('Something went wrong').count()).toBe(0);
      visitor.faults.length = 0; // the browser logs the 404
    });

    it('leave the focus in the content of the page when they are saved', async () => {
      const { page } = await fixture.visit('admin', `/contacts/${await add('max@example.org')}`);
      await page.getByLabel('First name').fill('Max');
      await page.getByRole('button', { name: 'Save' }).press('Enter');
      await page.locator('#content:focus').waitFor();
    });
  });

  describe('that are unsubscribed', () => {
    const statusOf = async (id: string) =>
      (await fixture.account.asMember('get', `/api/contacts/${id}`).expect(200)).body.status as string;
    const unsubscribe = async (page: Page) => {
      await page.getByRole('button', { name: 'Unsubscribe' }).click();
      await page.getByText('Unsubscribed', { exact: true }).waitFor();
      await page.getByRole('button', { name: 'Undo' }).first().waitFor();
    };

    it('have one offer to undo, for the last of them', async () => {
      const [bob, cy] = [await add('bob@example.org'), await add('cy@example.org')];
      const visitor = await fixture.visit('admin', `/contacts/${bob}`);
      const { page } = visitor;
      await unsubscribe(page);
      await visitor.picture('undo-1280');
      await page.getByRole('link', { name: 'Contacts' }).first().click();
      await page
        .getByRole('row', { name: /cy@example\.org/ })
        .getByRole('link')
        .click();
      await unsubscribe(page);
      await page.getByText('bob@example.org has been unsubscribed').waitFor({ state: 'detached' });
      expect(await page.getByRole('button', { name: 'Undo' }).count()).toBe(1);
      await page.keyboard.press('z');
      await page.getByText('cy@example.org is not suppressed any more. The consent stays withdrawn.').waitFor();
      expect([await statusOf(bob), await statusOf(cy)]).toEqual(['unsubscribed', 'active']);
    });

    it('cannot be undone by another user, or after the session', async () => {
      const id = await add('dee@example.org');
      const visitor = await fixture.visit('admin', `/contacts/${id}`);
      const { page } = visitor;
      await unsubscribe(page);
      await page.getByRole('button', { name: 'admin@example.com' }).click();
      await page.getByRole('menuitem', { name: 'Sign out' }).click();
      await page.getByRole('alert').waitFor({ state: 'detached' });
      await visitor.logIn({ email: 'member@example.com', password: PASSWORD });
      await page.getByText('Unsubscribed', { exact: true }).waitFor();
      await page.keyboard.press('z');
      expect(await page.getByRole('button', { name: 'Undo' }).count()).toBe(0);
      expect(await statusOf(id)).toBe('unsubscribed');
    });

    it('cannot be undone once the session has expired', async () => {
      const { page, faults } = await fixture.visit('admin', `/contacts/${await add('eve@example.org')}`);
      await unsubscribe(page);
      await interceptRequests(page, '**/api/lists*', (route) =>
        route.fulfill({ status: 401, json: { message: 'Session expired', error: 'Unauthorized', statusCode: 401 } }),
      );
      await page.getByRole('link', { name: 'Lists' }).click();
      await page.getByRole('dialog', { name: 'Sign in again' }).waitFor();
      await page.getByRole('button', { name: 'Undo' }).waitFor({ state: 'detached' });
      faults.length = 0; // the browser logs the 401
    });

    it.each([
      ['erased', 'Erase', 'Erase permanently'],
      ['deleted', 'Delete', 'Delete contact'],
    ])('have no offer any more once they are %s', async (what, label, confirm) => {
      const email = `${what}@example.org`;
      const { page } = await fixture.visit('admin', `/contacts/${await add(email)}`);
      await unsubscribe(page);
      await page.getByRole('button', { name: label }).click();
      await page.getByRole('button', { name: confirm }).click();
      await page.getByRole('heading', { name: 'Contacts', level: 1 }).waitFor();
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await page.getByRole('button', { name: 'Undo' }).waitFor({ state: 'detached' });
      await page.keyboard.press('z');
      await fixture.account.asAdmin('post', '/api/suppressions').send({ email }).expect(200);
    });

    const waitForOffer = (page: Page) =>
      waitFor('one offer', async () => (await page.getByRole('button', { name: 'Undo' }).count()) === 1);
    const failUndo = (page: Page, fulfil: (route: Route) => Promise<void>) =>
      interceptRequests(page, '**/api/suppressions/*', fulfil);
    const answer = (status: number) => (route: Route) =>
      route.fulfill({ status, json: { message: `Answer ${status}`, error: 'Fault', statusCode: status } });

    it.each([
      ['the service cannot be reached', 'gus', (route: Route) => route.abort(), 'The service cannot be reached'],
      ['the service fails', 'guy', answer(500), 'Answer 500'],
    ])('can be undone again after %s', async (_, name, fulfil, message) => {
      const email = `${name}@example.org`;
      const { page, faults } = await fixture.visit('admin', `/contacts/${await add(email)}`);
      await unsubscribe(page);
      await failUndo(page, fulfil);
      await page.keyboard.press('z');
      await page.getByText(message).waitFor();
      await page.unroute('**/api/suppressions/*');
      await waitForOffer(page);
      await page.keyboard.press('z');
      await page.getByText(`${email} is not suppressed any more. The consent stays withdrawn.`).waitFor();
      faults.length = 0; // the browser logs the failure
    });

    it('can be undone again by a user who has signed in again', async () => {
      const { page, faults } = await fixture.visit('admin', `/contacts/${await add('han@example.org')}`);
      await unsubscribe(page);
      await failUndo(page, answer(401));
      await page.keyboard.press('z');
      await page.getByLabel('Password').and(page.locator('input')).fill(PASSWORD);
      await page.unroute('**/api/suppressions/*');
      await page.getByRole('dialog').getByRole('button', { name: 'Sign in' }).click();
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await waitForOffer(page);
      await page.keyboard.press('z');
      await page.getByText('han@example.org is not suppressed any more. The consent stays withdrawn.').waitFor();
      faults.length = 0; // the browser logs the 401
    });

    it('are not offered again if the suppression is gone', async () => {
      const { page, faults } = await fixture.visit('admin', `/contacts/${await add('ina@example.org')}`);
      await unsubscribe(page);
      await failUndo(page, answer(404));
      await page.keyboard.press('z');
      await page.getByText('Answer 404').waitFor();
      await page.getByRole('button', { name: 'Undo' }).waitFor({ state: 'detached' });
      faults.length = 0; // the browser logs the 404
    });

    it('leave the focus in the content of the page, not at its start', async () => {
      const { page } = await fixture.visit('admin', `/contacts/${await add('jim@example.org')}`);
      await page.getByRole('button', { name: 'Unsubscribe' }).press('Enter');
      await page.getByText('Unsubscribed', { exact: true }).waitFor();
      await page.getByRole('button', { name: 'Unsubscribe' }).waitFor({ state: 'detached' });
      await page.locator('#content:focus').waitFor();
      await page.getByRole('button', { name: 'Undo' }).press('Enter');
      await page.getByText('jim@example.org is not suppressed any more. The consent stays withdrawn.').waitFor();
      await page.locator('#content:focus').waitFor();
    });

    it('have no offer if they were suppressed before', async () => {
      const id = await add('fay@example.org');
      const { page } = await fixture.visit('admin', `/contacts/${id}`);
      const button = page.getByRole('button', { name: 'Unsubscribe' });
      await button.waitFor();
      await fixture.account.asAdmin('post', '/api/suppressions').send({ email: 'fay@example.org' }).expect(201);
      await button.click();
      await page.getByText('fay@example.org is already suppressed. Nothing has changed.').waitFor();
      expect(await page.getByRole('button', { name: 'Undo' }).count()).toBe(0);
    });
  });
});
