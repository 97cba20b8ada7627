import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';

import { type DashboardContent, fillAccount } from '../support/dashboard-content.js';
import { DashboardFixture } from '../support/dashboard-fixture.js';

const ADMIN_CONTROLS =
  /^(Create|Start|(Res|S)chedule|Pause|Resume|Cancel|Copy$|Add (contact|domain|endpoint|sender|user)|New (campaign|template|link|list)|Revoke|Rename|Retry|Rotate|Reveal|Enable|Disable|Test|Unsubscribe|Erase|Remove|Delete|Import|Suppress|Save|Verify|Send|Resend|Sync|Edit)/;

describe('A member', () => {
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

  it('sees every page without controls that change anything', async () => {
    const visitor = await fixture.visit('member', '/overview');
    const { page } = visitor;
    const { templateId, domainId, messageId, contactId, webhookId, deliveryId } = content;
    const { scheduledMessageId, canceledMessageId, campaignId, draftCampaignId } = content;
    for (const address of [
      '/overview',
      '/messages',
      `/messages/${messageId}`,
      `/messages/${scheduledMessageId}`,
      `/messages/${canceledMessageId}`,
      '/campaigns',
      `/campaigns/${campaignId}`,
      `/campaigns/${draftCampaignId}`,
      '/contacts',
      `/contacts/${contactId}`,
      '/lists',
      '/templates',
      `/templates/${templateId}`,
      '/suppressions',
      '/webhooks',
      `/webhooks/${webhookId}`,
      `/webhooks/${webhookId}/deliveries/${deliveryId}`,
      '/api-keys',
      '/domains',
      `/domains/${domainId}`,
      '/settings',
    ]) {
      await visitor.open(address);
      await visitor.settle();
      const controls = page.getByRole('main').getByRole('button', { name: ADMIN_CONTROLS });
      expect({ address, selects: await page.getByRole('checkbox', { name: /^Select/ }).count() }).toEqual({
        address,
        selects: 0,
      });
      expect(await page.getByRole('link', { name: 'Import' }).count()).toBe(0);
      expect({ address, controls: await controls.allInnerTexts() }).toEqual({ address, controls: [] });
    }
    expect(await page.getByLabel('Host').isDisabled()).toBe(true);
    expect(await page.getByRole('link', { name: 'Users' }).count()).toBe(0);
    for (const address of ['/users', '/contacts/import', '/campaigns/new', '/templates/new']) {
      await visitor.open(address);
      await page.getByText('Only admins of this account can open this page.').waitFor();
    }
  });
});
