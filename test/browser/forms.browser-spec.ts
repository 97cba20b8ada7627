import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { INSECURE_HOST } from '../support/browser.js';
import { DashboardFixture } from '../support/dashboard-fixture.js';
import { holdRequests } from '../support/hold-requests.js';
import { waitFor } from '../support/wait-for.js';

describe('A form', () => {
  let fixture: DashboardFixture;

  beforeAll(async () => {
    fixture = await DashboardFixture.start();
  });
  afterAll(() => fixture.stop());

  it('that is submitted twice at once sends one request', async () => {
    const { page } = await fixture.visit('admin', '/webhooks');
    let posts = 0;
    page.on('request', (request) => {
      if (request.method() === 'POST' && request.url().endsWith('/api/webhooks')) posts++;
    });
    await page.getByRole('button', { name: 'Add endpoint' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('URL').fill('https://crm.example.com/hooks');
    await dialog.getByRole('button', { name: 'Add endpoint' }).dblclick();
    await page.getByRole('heading', { name: 'https://crm.example.com/hooks' }).waitFor();
    expect(posts).toBe(1);
    expect((await fixture.account.asAdmin('get', '/api/webhooks').expect(200)).body.total).toBe(1);
    expect(await fixture.faults()).toEqual([]);
  });

  it('that is closed while it is being sent leaves alone what is typed in it next', async () => {
    const { page } = await fixture.visit('admin', '/users');
    const held = await holdRequests(page, 'POST', '**/api/users');
    const open = page.getByRole('button', { name: 'Add user' });
    const dialog = page.getByRole('dialog');
    await open.click();
    await dialog.getByLabel('Email').fill('ada@example.com');
    await dialog.getByLabel('Password').and(page.locator('input')).fill('a password');
    await dialog.getByRole('button', { name: 'Add user' }).click();
    await held.started;
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'detached' });
    await open.click();
    await dialog.getByLabel('Email').fill('grace@example.com');
    held.release();
    await page.getByText('ada@example.com can now sign in.').waitFor();
    expect(await dialog.getByLabel('Email').inputValue()).toBe('grace@example.com');
    expect(await fixture.faults()).toEqual([]);
  });

  it('that is closed while it is being sent reports that it was refused', async () => {
    const { page } = await fixture.visit('admin', '/users');
    const held = await holdRequests(page, 'POST', '**/api/users');
    await page.getByRole('button', { name: 'Add user' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Email').fill('member@example.com');
    await dialog.getByLabel('Password').and(page.locator('input')).fill('a password');
    await dialog.getByRole('button', { name: 'Add user' }).click();
    await held.started;
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'detached' });
    held.release();
    await page.getByText('A user with the email member@example.com exists already').waitFor();
    await fixture.faults(); // the browser logs the 409
  });

  it('says that the service cannot be reached, and sends nothing later', async () => {
    const visitor = await fixture.visit('admin', '/lists');
    const { page, faults } = visitor;
    await page.getByRole('button', { name: 'New list' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Newsletter');
    await page.context().setOffline(true);
    await dialog.getByRole('button', { name: 'Create list' }).click();
    await dialog.getByText('The service cannot be reached').waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.context().setOffline(false);
    await page.getByRole('link', { name: 'Contacts', exact: true }).click();
    await visitor.settle();
    expect((await fixture.account.asAdmin('get', '/api/lists').expect(200)).body.total).toBe(0);
    faults.length = 0; // the browser logs that it is offline
  });

  it('with unsaved changes is asked about before another page opens, even if another one of its page was saved', async () => {
    const { page } = await fixture.visit('admin', '/settings');
    await page.getByLabel('Name', { exact: true }).fill('Analytical Engines');
    await page.getByLabel('Configuration set').fill('bounces');
    await page.getByRole('button', { name: 'Save: Account' }).click();
    await page.getByText('The settings have been saved.').waitFor();
    await page.getByRole('link', { name: 'Contacts', exact: true }).click();
    const question = page.getByRole('dialog', { name: 'Leave without saving?' });
    await question.getByRole('button', { name: 'Cancel' }).click();
    expect(await page.getByLabel('Configuration set').inputValue()).toBe('bounces');
    await page.getByRole('link', { name: 'Contacts', exact: true }).click();
    await question.getByRole('button', { name: 'Leave' }).click();
    await page.waitForURL('**/contacts');
    expect(await fixture.faults()).toEqual([]);
  });

  it('with unsaved changes is asked about once, however often the user goes back', async () => {
    const { page } = await fixture.visit('admin', '/contacts');
    /** Resolves when the guard has returned to the page. */
    const goBack = () =>
      page.evaluate(`new Promise((resolve) => {
        let steps = 0;
        addEventListener('popstate', () => ++steps === 2 && resolve());
        history.back();
      })`);
    await page.getByRole('link', { name: 'Settings', exact: true }).click();
    await page.getByLabel('Name', { exact: true }).fill('Difference Engines');
    const question = page.getByRole('dialog', { name: 'Leave without saving?' });
    await goBack();
    await question.waitFor();
    await goBack();
    await question.getByRole('button', { name: 'Cancel' }).click();
    await question.waitFor({ state: 'detached' });
    await goBack();
    await question.waitFor();
    await page.keyboard.press('Escape');
    await question.waitFor({ state: 'detached' });
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Difference Engines');
    await goBack();
    await question.getByRole('button', { name: 'Leave' }).click();
    await page.waitForURL('**/contacts');
    await question.waitFor({ state: 'detached' });
    expect(await fixture.faults()).toEqual([]);
  });

  it('with unsaved changes is asked about again when the user goes back right after the answer', async () => {
    const { page } = await fixture.visit('admin', '/contacts');
    await page.clock.install();
    await page.getByRole('link', { name: 'Settings', exact: true }).click();
    await page.getByLabel('Name', { exact: true }).fill('Difference Engines');
    const question = page.getByRole('dialog', { name: 'Leave without saving?' });
    await page.evaluate('history.back()');
    await question.waitFor();
    // Before the page is rendered with the answer.
    await page.evaluate(`new Promise((resolve) => {
      let steps = 0;
      addEventListener('popstate', () => ++steps === 2 && resolve());
      [...document.querySelectorAll('[role=dialog] button')].find(({ innerText }) => innerText === 'Cancel').click();
      history.back();
    })`);
    await page.clock.runFor(1_000); // until the answered question has faded out
    await question.getByRole('button', { name: 'Leave' }).click();
    await page.waitForURL('**/contacts');
    expect(await fixture.faults()).toEqual([]);
  });

  it('with unsaved changes is asked about before signing out', async () => {
    const { page } = await fixture.visit('admin', '/settings');
    const name = page.getByLabel('Name', { exact: true });
    const signOut = async () => {
      await page.getByRole('button', { name: 'admin@example.com' }).click();
      await page.getByRole('menuitem', { name: 'Sign out' }).click();
    };
    await name.fill('Difference Engines');
    await signOut();
    const question = page.getByRole('dialog', { name: 'Leave without saving?' });
    await question.getByRole('button', { name: 'Cancel' }).click();
    await question.waitFor({ state: 'detached' });
    expect(await name.inputValue()).toBe('Difference Engines');
    await signOut();
    await question.getByRole('button', { name: 'Leave' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect(await fixture.faults()).toEqual([]);
  });

  it('that was rejected and closed opens empty', async () => {
    const { page } = await fixture.visit('admin', '/suppressions');
    const open = page.getByRole('button', { name: 'Suppress address' });
    await open.click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Email address').fill('nobody');
    await dialog.getByRole('button', { name: 'Suppress', exact: true }).click();
    await dialog.getByText('email must be an email address').waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    expect(await open.evaluate((button) => button === button.ownerDocument.activeElement)).toBe(true);
    await page.keyboard.press('Enter');
    await dialog.getByLabel('Email address').waitFor();
    expect(await dialog.getByRole('alert').count()).toBe(0);
    await fixture.faults(); // the browser logs the 400
  });

  it('in a dialog keeps what is typed when the user clicks beside it', async () => {
    const visitor = await fixture.visit('admin', '/contacts');
    const { page } = visitor;
    await page.getByRole('button', { name: 'Add contact' }).click();
    const address = page.getByRole('dialog').getByLabel('Email address');
    await address.fill('not.added@example.org');
    await page.mouse.click(5, 5);
    expect(await visitor.violations()).toEqual([]); // by then a dialog that closes has faded out
    expect(await address.count()).toBe(1);
    expect(await address.inputValue()).toBe('not.added@example.org');
    expect(await fixture.faults()).toEqual([]);
  });

  it('that is closed returns the focus to the button that opened it', async () => {
    const { page } = await fixture.visit('admin', '/contacts');
    const open = page.getByRole('button', { name: 'Add contact' });
    await open.click();
    await page.getByRole('dialog').getByLabel('Email address').fill('ada@example.org');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await waitFor('the focus', () => open.evaluate((button) => button === button.ownerDocument.activeElement));
    await page.keyboard.press('Enter');
    expect(await page.getByRole('dialog').getByLabel('Email address').inputValue()).toBe('');
    expect(await fixture.faults()).toEqual([]);
  });

  it('that shows a secret can copy it over http and stays open until it is confirmed', async () => {
    const { page } = await fixture.visit('admin', '/api-keys', { host: INSECURE_HOST });
    expect(await page.evaluate('isSecureContext')).toBe(false);
    await page.getByRole('button', { name: 'Create key' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Shop');
    await dialog.getByRole('button', { name: 'Create key' }).click();
    const secret = await dialog.getByText(/^sk_/).first().innerText();
    await dialog.getByRole('button', { name: 'Copy API key' }).click();
    await page.getByRole('tooltip', { name: 'Copied' }).waitFor();
    await page.keyboard.press('Escape');
    await dialog.getByRole('button', { name: 'I have copied it' }).click();
    await page.getByRole('link', { name: 'Messages' }).click();
    await page.getByRole('searchbox').focus();
    await page.keyboard.press('Control+V');
    expect(await page.getByRole('searchbox').inputValue()).toBe(secret);
    await fixture.faults(); // the browser logs headers that it ignores over http
  });

  it('that creates a key stays open until the secret is seen, and is asked about before another page opens', async () => {
    const visitor = await fixture.visit('admin', '/messages');
    const { page } = visitor;
    await page.getByRole('link', { name: 'API keys' }).click();
    const held = await holdRequests(page, 'POST', '**/api/api-keys');
    await page.getByRole('button', { name: 'Create key' }).click();
    const dialog = page.getByRole('dialog', { name: /^(Create|“Shown once”)/ });
    await dialog.getByLabel('Name').fill('Shown once');
    await dialog.getByRole('button', { name: 'Create key' }).click();
    await held.started;
    await page.keyboard.press('Escape');
    expect(await dialog.getByRole('button', { name: 'Cancel' }).isDisabled()).toBe(true);
    held.release();
    const secret = dialog.getByText(/^sk_/).first();
    await secret.waitFor();
    await page.evaluate('history.back()');
    const question = page.getByRole('dialog', { name: 'Leave without saving?' });
    await question.getByText('The API key is shown only once').waitFor();
    await question.getByRole('button', { name: 'Cancel' }).click();
    await question.waitFor({ state: 'detached' });
    await secret.waitFor();
    await dialog.getByRole('button', { name: 'I have copied it' }).click();
    await page.evaluate('history.back()');
    await page.waitForURL('**/messages');
    expect(await fixture.faults()).toEqual([]);
  });

  it('that changes a password ends the other sessions of the user and keeps this one', async () => {
    const user = { email: 'mia@example.com', password: 'the first password' };
    const newPassword = 'the second password';
    await fixture.account
      .asAdmin('post', '/api/users')
      .send({ ...user, role: 'member' })
      .expect(201);
    const signIn = async () => {
      const visitor = await fixture.arrive();
      await visitor.open('/messages');
      await visitor.logIn(user);
      return visitor;
    };
    const [other, visitor] = [await signIn(), await signIn()];
    const { page } = visitor;
    await page.getByRole('button', { name: user.email }).click();
    await page.getByRole('menuitem', { name: 'Change password' }).click();
    const dialog = page.getByRole('dialog', { name: 'Change your password' });
    const field = (label: RegExp) => dialog.getByLabel(label).and(page.locator('input'));
    await field(/^Current password/).fill('a wrong password');
    await field(/^New password/).fill(newPassword);
    await dialog.getByRole('button', { name: 'Change password' }).click();
    await dialog.getByText('currentPassword is wrong').waitFor();
    expect(await visitor.violations()).toEqual([]);
    await visitor.picture('change-password-1280');

    await field(/^Current password/).fill(user.password);
    await dialog.getByRole('button', { name: 'Change password' }).click();
    await page.getByText('Your password has been changed.').waitFor();
    await dialog.waitFor({ state: 'detached' });
    await page.reload();
    await page.getByText('No messages yet').waitFor();
    await other.page.reload();
    await other.page.getByRole('button', { name: 'Sign in' }).waitFor(); // in a dialog, or on the login page
    const logIn = (password: string) =>
      fixture.service.request('post', '/api/auth/login').send({ email: user.email, password });
    await logIn(user.password).expect(401);
    await logIn(newPassword).expect(200);
    await fixture.faults(); // the browser logs the 400 and the 401
  });
});
