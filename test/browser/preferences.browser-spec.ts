import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser } from 'playwright-core';

import { UnsubscribeLinks } from '../../src/modules/suppression/index.js';
import type { TestAccount } from '../support/account.js';
import { launchBrowser } from '../support/browser.js';
import { TestService } from '../support/service.js';
import { addTopic } from '../support/topics.js';

const PHONE = { width: 320, height: 640 };

describe('The preference page on a phone, in German, without scripts', () => {
  let service: TestService;
  let account: TestAccount;
  let browser: Browser;

  beforeAll(async () => {
    service = await TestService.start();
    account = await service.createAccount({ name: 'Sons & Co' });
    browser = await launchBrowser();
  });
  afterAll(async () => {
    await browser.close();
    await service.stop();
  });

  it('lets a person choose topics, and unsubscribe from everything', async () => {
    const { id: topicId } = await addTopic(account, { description: 'x'.repeat(300) });
    await addTopic(account, { name: 'Angebote', byDefault: 'out' });
    const links = service.app.get(UnsubscribeLinks, { strict: false });
    const target = { accountId: account.id, messageId: 'c123456789012345678901234', email: 'ada@example.org', topicId };
    const context = await browser.newContext({ viewport: PHONE, locale: 'de-DE', javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto(service.url + new URL(links.linkTo(target)).pathname);
    await page.getByRole('heading', { name: 'E-Mails von Sons & Co' }).waitFor();
    const body = await page.locator('body').boundingBox();
    const main = await page.locator('main').boundingBox();
    expect(Math.max(body!.width, main!.x + main!.width)).toBeLessThanOrEqual(PHONE.width);
    for (const button of await page.getByRole('button').all())
      expect((await button.boundingBox())!.height).toBeGreaterThanOrEqual(44);

    const topic = (name: string) => page.getByRole('checkbox', { name });
    expect(await topic('Newsletter').isChecked()).toBe(true);
    await topic('Newsletter').uncheck();
    await topic('Angebote').check();
    await page.getByRole('button', { name: 'Speichern' }).click();
    await page.getByText('Ihre Auswahl ist gespeichert.').waitFor();
    expect([await topic('Newsletter').isChecked(), await topic('Angebote').isChecked()]).toEqual([false, true]);

    await page.getByRole('button', { name: 'Von allem abmelden' }).click();
    await page.getByRole('heading', { name: 'Sie sind abgemeldet' }).waitFor();
    await context.close();
  });
});
