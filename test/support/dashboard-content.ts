import { SENDER, type DashboardFixture } from './dashboard-fixture.js';
import { fillCampaigns } from './dashboard-campaigns.js';
import { fillContacts } from './dashboard-contacts.js';
import { fillConsents } from './dashboard-consents.js';
import { fillSms } from './dashboard-sms.js';
import { fillWebhooks } from './dashboard-webhooks.js';
import { sendEmail } from './send-email.js';
import { inHours } from './schedules.js';
import { insertMessages, type MessageRow } from './message-rows.js';

const HTML = `<!doctype html><html><head><style>h1 { color: #0b7285 }</style></head>
<body style="font-family: sans-serif; padding: 24px">
<h1>Your order is on its way</h1>
<p>Dear {{firstName}}, order {{order.number}} left our warehouse today.</p>
<p><a href="https://shop.example.com/orders" style="background:#0b7285;color:#fff;padding:10px 16px;border-radius:6px">Follow it</a></p>
</body></html>`;

const COMPLETE_MAIL = {
  subject: 'Your invoice for order 4711',
  fromName: 'Northwind',
  html: '<h1>Your invoice</h1><p>Please find it attached.</p>',
  cc: ['books@example.org', 'a.long.address.of.somebody@subdomain.example.net'],
  bcc: ['archive@northwind.example.com'],
  attachments: [
    { filename: 'Invoice 4711 of Northwind Trading with all positions and terms.pdf', content: 'AAAA'.repeat(40_000) },
    { filename: 'logo.png', content: 'AAAA'.repeat(100), contentId: 'logo' },
  ],
  headers: { 'X-Order-Number': '4711', 'X-A-Header-With-A-Rather-Long-Name-Of-The-Shop': 'a value of many words' },
  tags: ['invoice', 'orders', 'a_long_tag_of_a_shop_with_many_words_in_its_name'],
  metadata: { order: '4711', customerReferenceOfTheAccountingDepartment: 'C-1815-AL-1843' },
};

const REMINDER = { subject: 'Your appointment is tomorrow', text: 'We look forward to seeing you.' };

const FORM = {
  ...{ name: 'Newsletter', fields: ['firstName'], allowedOrigins: ['https://www.northwind.example'] },
  wording: 'I want the monthly newsletter by email. I can unsubscribe at any time.',
};

/** Ids of what the account has, for the addresses of pages. */
export interface DashboardContent {
  messageId: string;
  /** One with copies, attachments, headers, tags and metadata. */
  completeMessageId: string;
  scheduledMessageId: string;
  /** One that was canceled before its time. */
  canceledMessageId: string;
  templateId: string;
  formId: string;
  topicId: string;
  draftCampaignId: string;
  /** One that has ended. */
  campaignId: string;
  domainId: string;
  contactId: string;
  importId: string;
  smsId: string;
  webhookId: string;
  /** One that failed. */
  deliveryId: string;
}

/** Creates some data for every page of the dashboard. */
export async function fillAccount(fixture: DashboardFixture): Promise<DashboardContent> {
  const { account, service } = fixture;
  const post = async (path: string, body: object) =>
    (await account.asAdmin('post', path).send(body).expect(201)).body as { id: string };
  const key = await account.createKey({ scopes: ['send', 'sms:send', 'read_events'], dailyLimit: 200 });
  await post('/api/api-keys', {
    name: 'Newsletter',
    scopes: ['send'],
    expiresAt: new Date(Date.now() + 90 * 86_400_000).toISOString(),
    ipAllowlist: ['192.0.2.10', '2001:db8::1'],
  });
  const { id: revoked } = await post('/api/api-keys', { name: 'Old shop', scopes: ['send'] });
  await account.asAdmin('delete', `/api/api-keys/${revoked}`);
  const { id: domainId } = await post('/api/domains', { name: 'northwind.example.com' });
  await account.addDomain('shop.example', { dkim: 'verified', spf: 'verified', mailFrom: 'failed' });
  await post('/api/senders', { email: 'owner@northwind.example' });
  for (const [email, note] of [
    ['lin@example.org', 'Asked us by phone'],
    ['sam@example.net', null],
  ])
    await post('/api/suppressions', { email, note });
  const template = { name: 'Order shipped', subject: 'Order {{order.number}} is on its way', html: HTML };
  const { id: templateId } = await post('/api/templates', template);
  await post('/api/templates', { name: 'Password reset', subject: 'Reset your password', text: 'Open {{link}}' });
  const { id: formId } = await post('/api/forms', { ...FORM, fromEmail: SENDER });
  await insertMessages(service, account.id, history(key.id));
  const messageId = await sendEmail(service, key.secret, {
    fromName: 'Northwind',
    subject: undefined, // that of the template
    templateId,
    variables: { firstName: 'Ada', order: { number: 4711 } },
  });
  const completeMessageId = await sendEmail(service, key.secret, COMPLETE_MAIL);
  const scheduledMessageId = await sendEmail(service, key.secret, { ...REMINDER, scheduledAt: inHours(40) });
  const canceledMessageId = await sendEmail(service, key.secret, { ...REMINDER, scheduledAt: inHours(60) });
  await account.asAdmin('post', `/api/messages/${canceledMessageId}/cancel`).expect(200);
  const smsId = await fillSms(fixture, key);
  const contacts = await fillContacts(account);
  const topicId = await fillConsents(account, contacts.contactId);
  const campaigns = await fillCampaigns(fixture, contacts.listIds, topicId);
  const ids = { messageId, completeMessageId, scheduledMessageId, canceledMessageId, templateId, domainId, smsId };
  return { ...ids, formId, topicId, ...contacts, ...campaigns, ...(await fillWebhooks(fixture)) };
}

const RECIPIENTS = [
  'ada@example.org',
  'grace@example.com',
  'lin@example.org',
  'a.long.address.of.somebody@subdomain.example.net',
];
const SUBJECTS = ['Your order is on its way', 'Reset your password', 'Welcome to Northwind', null];

/** The messages of a small shop in 30 days. */
function history(apiKeyId: string): Partial<MessageRow>[] {
  const now = Date.now();
  return Array.from({ length: 640 }, (_, i) => {
    const opened = i % 3 === 0;
    return {
      status:
        i % 41 === 0
          ? 'bounced'
          : i % 97 === 0
            ? 'failed'
            : i % 211 === 0
              ? 'complained'
              : i % 9 === 0
                ? 'sent'
                : 'delivered',
      recipient: RECIPIENTS[i % RECIPIENTS.length]!,
      sender: SENDER,
      subject: SUBJECTS[(i * 7) % SUBJECTS.length]!,
      apiKeyId,
      opens: opened ? 1 + (i % 4) : 0,
      clicks: opened && i % 2 === 0 ? 1 : 0,
      createdAt: new Date(now - Math.round((i / 640) ** 2 * 29 * 86_400_000) - (i % 7) * 60_000),
    } satisfies Partial<MessageRow>;
  });
}
