import { SENDER, type DashboardFixture } from './dashboard-fixture.js';
import { waitFor } from './wait-for.js';

const HTML = `<!doctype html><html><body style="font-family: sans-serif; padding: 24px">
<h1>What is new in {{month}}</h1>
<p>Dear {{firstName}}, our autumn tools have arrived.</p>
<p><a href="https://shop.example.com/autumn">See them all</a></p>
<p><small><a href="{{unsubscribeUrl}}">Unsubscribe</a></small></p>
</body></html>`;

/** Adds a draft, a scheduled campaign and one that has been sent to the second of the lists. */
export async function fillCampaigns(
  { account }: DashboardFixture,
  [, readers]: readonly string[],
  topicId: string,
): Promise<{ draftCampaignId: string; campaignId: string }> {
  const create = async (name: string, fields: object = {}) => {
    const content = { subject: 'News for {{firstName}}', html: HTML, variables: { month: 'November' } };
    const plan = { ...content, fromEmail: SENDER, fromName: 'Northwind', audience: { listIds: [readers] } };
    const { body } = await account.asAdmin('post', '/api/campaigns').send({ name, ...plan, ...fields });
    return body.id as string;
  };
  const start = (id: string) => account.asAdmin('post', `/api/campaigns/${id}/start`).expect(200);
  const draftCampaignId = await create('December newsletter', {
    fromEmail: 'news@elsewhere.example',
    audience: { listIds: [readers], tags: ['customer'], excludeTags: ['trial'] },
  });
  const inAWeek = new Date(Date.now() + 7 * 86_400_000).toISOString();
  await start(await create('Black Friday', { scheduledAt: inAWeek, maxPerMinute: 6_000 }));
  const campaignId = await create('November newsletter', { topicId });
  await start(campaignId);
  await waitFor('the campaign to be completed', async () => {
    const { body } = await account.asAdmin('get', `/api/campaigns/${campaignId}`).expect(200);
    return body.status === 'completed';
  });
  return { draftCampaignId, campaignId };
}
