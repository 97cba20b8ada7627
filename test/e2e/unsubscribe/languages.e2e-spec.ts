import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

import { UnsubscribeLinks } from '../../../src/modules/suppression/index.js';
import { TestService } from '../../support/service.js';

const UNKNOWN = '/u/unsubscribe';

describe('The pages of an unsubscribe link', () => {
  let service: TestService;
  let path: string;

  beforeAll(async () => {
    service = await TestService.shared();
  });
  beforeEach(async () => {
    const { id: accountId } = await service.createAccount({ name: 'Sons & Co' });
    const target = { accountId, messageId: 'c123456789012345678901234', email: 'ada@example.org', topicId: null };
    path = new URL(service.app.get(UnsubscribeLinks, { strict: false }).linkTo(target)).pathname;
  });

  const german = (method: 'get' | 'post', url: string) =>
    service.request(method, url).set('Accept-Language', 'de-AT,de;q=0.9,en;q=0.5');

  it('are in German for a browser that asks for it', async () => {
    for (const [method, url, status, title, content] of [
      ['get', path, 200, 'Von Sons &amp; Co abmelden', 'Keine E-Mails von Sons &amp; Co an ada@example.org mehr?'],
      ['get', path, 200, 'Von Sons &amp; Co abmelden', '<button type="submit">Abmelden</button>'],
      ['post', path, 200, 'Sie sind abgemeldet', 'Sons &amp; Co sendet keine E-Mails mehr an ada@example.org.'],
      ['get', UNKNOWN, 404, 'Dieser Link funktioniert nicht', 'Es hat sich nichts geändert.'],
      ['post', UNKNOWN, 404, 'Dieser Link funktioniert nicht', 'Es hat sich nichts geändert.'],
    ] as const) {
      const { text, headers } = await german(method, url).expect(status);
      expect(text).toContain('<html lang="de">');
      expect(text).toContain(`<h1>${title}</h1>`);
      expect(text).toContain(content);
      expect(text).not.toMatch(/unsubscribe|email|page\b/i);
      expect(headers.vary).toContain('Accept-Language');
    }
  });

  it.each([{}, { 'Accept-Language': 'fr' }, { 'Accept-Language': 'en-GB, de;q=0.5' }])(
    'are in English for a browser that sends %j',
    async (headers) => {
      const open = async (url: string, status: number) =>
        (await service.request('get', url).set(headers).expect(status)).text;
      for (const [text, title] of [
        [await open(path, 200), 'Unsubscribe from Sons &amp; Co'],
        [await open(UNKNOWN, 404), 'This link does not work'],
      ] as const) {
        expect(text).toContain('<html lang="en">');
        expect(text).toContain(`<h1>${title}</h1>`);
      }
    },
  );
});
