import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';

import { NARROW } from '../support/browser.js';
import { type DashboardContent, fillAccount } from '../support/dashboard-content.js';
import { DashboardFixture } from '../support/dashboard-fixture.js';

jest.setTimeout(180_000);

const LARGE = { width: 1440, height: 900 };
const TABLET = { width: 820, height: 1180 };

/** Every page, by the name of its screenshot. */
const PAGES: Readonly<Record<string, (content: DashboardContent) => string>> = {
  overview: () => '/overview',
  'overview-30d': () => '/overview?period=30d',
  messages: () => '/messages',
  'messages-none': () => '/messages?search=nobody-has-this',
  message: ({ messageId }) => `/messages/${messageId}`,
  'message-complete': ({ completeMessageId }) => `/messages/${completeMessageId}`,
  'message-scheduled': ({ scheduledMessageId }) => `/messages/${scheduledMessageId}`,
  'message-canceled': ({ canceledMessageId }) => `/messages/${canceledMessageId}`,
  'messages-scheduled': () => '/messages?scheduled=true',
  'messages-tag': () => '/messages?tag=invoice',
  'messages-sms': () => '/messages?channel=sms',
  'message-sms': ({ smsId }) => `/messages/${smsId}`,
  campaigns: () => '/campaigns',
  'campaign-draft': ({ draftCampaignId }) => `/campaigns/${draftCampaignId}`,
  'campaign-new': () => '/campaigns/new',
  campaign: ({ campaignId }) => `/campaigns/${campaignId}`,
  contacts: () => '/contacts',
  'contacts-none': () => '/contacts?search=nobody-has-this',
  contact: ({ contactId }) => `/contacts/${contactId}`,
  'contacts-import': () => '/contacts/import',
  'contacts-imported': ({ importId }) => `/contacts/import?import=${importId}`,
  lists: () => '/lists',
  templates: () => '/templates',
  template: ({ templateId }) => `/templates/${templateId}`,
  'template-new': () => '/templates/new',
  suppressions: () => '/suppressions',
  webhooks: () => '/webhooks',
  webhook: ({ webhookId }) => `/webhooks/${webhookId}`,
  'webhook-failed': ({ webhookId }) => `/webhooks/${webhookId}?state=failed_permanent`,
  'webhook-delivery': ({ webhookId, deliveryId }) => `/webhooks/${webhookId}/deliveries/${deliveryId}`,
  'api-keys': () => '/api-keys',
  domains: () => '/domains',
  domain: ({ domainId }) => `/domains/${domainId}`,
  settings: () => '/settings',
  users: () => '/users',
  'not-found': () => '/messages/nothing/here',
};

/** `npm run screenshots` writes screenshots to .screenshots/. */
describe('Every page', () => {
  let fixture: DashboardFixture;
  let content: DashboardContent;

  beforeAll(async () => {
    fixture = await DashboardFixture.start({ WEBHOOK_ALLOW_PRIVATE_NETWORKS: 'true' });
    content = await fillAccount(fixture);
  });
  afterAll(() => fixture.stop());
  afterEach(async () => {
    expect(await fixture.faults()).toEqual([]);
  });

  it.each([
    ['light', LARGE],
    ['dark', LARGE],
    ['light', TABLET],
    ['dark', TABLET],
    ['light', NARROW],
    ['dark', NARROW],
  ] as const)('is accessible and fits the screen, %s, %o', async (colorScheme, viewport) => {
    const name = (page: string) => `${page}-${viewport.width}${colorScheme === 'dark' ? '-dark' : ''}`;
    const login = await fixture.arrive({ viewport, colorScheme });
    await login.open('/login');
    await login.settle();
    expect(await login.violations()).toEqual([]);
    await login.picture(name('login'));

    const visitor = await fixture.visit('admin', '/overview', { viewport, colorScheme });
    for (const [page, address] of Object.entries(PAGES)) {
      await visitor.open(address(content));
      await visitor.settle();
      expect({ page, violations: await visitor.violations() }).toEqual({ page, violations: [] });
      expect({ page, overflows: await visitor.overflows() }).toEqual({ page, overflows: false });
      await visitor.picture(name(page));
    }
  });
});
