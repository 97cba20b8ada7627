import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { SweepDeliveries } from '../../../src/modules/messages/application/sweep-deliveries.service.js';
import { CampaignFixture } from '../../support/campaign-fixture.js';
import { SmtpSink } from '../../support/smtp-sink.js';
import { waitFor } from '../../support/wait-for.js';

describe('The mail of a campaign', () => {
  let relay: SmtpSink;
  let fixture: CampaignFixture;

  beforeAll(async () => {
    relay = await SmtpSink.start();
    fixture = await CampaignFixture.startWithDelivery({ SMTP_URL: relay.url });
  });
  afterAll(async () => {
    await fixture.stop();
    await relay.stop();
  });

  const receivedBy = () => relay.received().map(({ envelope }) => envelope.to[0]!);

  it('goes to each recipient once, with their values and an unsubscribe link, and is counted', async () => {
    const listId = await fixture.addListOf(300);
    await fixture.addContact('ada@example.com', { listIds: [listId], firstName: 'Ada' });
    const { id } = await fixture.create({
      audience: { listIds: [listId] },
      ...{ subject: 'News of {{month}} for {{firstName}}', variables: { month: 'May', firstName: 'you' } },
    });
    await fixture.act(id, 'start').expect(200);
    const campaign = await waitFor(
      'the campaign to be completed',
      async () => {
        const current = await fixture.get(id);
        return current.status === 'completed' && current;
      },
      60_000,
    );
    expect(campaign).toMatchObject({
      progress: { recipients: 301, waiting: 0, accepted: 301 },
      stats: { total: 301, status: { queued: 0, sending: 0, sent: 301 } },
    });
    expect(new Set(receivedBy()).size).toBe(301);
    expect(receivedBy()).toHaveLength(301);
    const toAda = relay.received().find(({ envelope }) => envelope.to[0] === 'ada@example.com')!;
    expect(toAda.parsed.subject).toBe('News of May for Ada');
    expect(toAda.raw).toMatch(/^List-Unsubscribe-Post: List-Unsubscribe=One-Click/m);
    const others = relay.received().filter((mail) => mail !== toAda);
    expect(new Set(others.map(({ parsed }) => parsed.subject))).toEqual(new Set(['News of May for you']));
  }, 90_000);

  it('goes on beside recipients whose domain asks for another attempt later', async () => {
    const listId = await fixture.addListOf(800, 'greylisting.example');
    await fixture.addListOf(400, 'example.com', listId);
    const before = relay.received().length;
    relay.answer = (stage, _session, address) =>
      stage === 'rcpt' && address.endsWith('@greylisting.example')
        ? { code: 451, message: '4.7.1 Try again later' }
        : undefined;
    const { id } = await fixture.create({ audience: { listIds: [listId] } });
    await fixture.act(id, 'start').expect(200);
    const waiting = await waitFor(
      'the mail to the others',
      async () => {
        const campaign = await fixture.get(id);
        return campaign.stats.status.sent === 400 && campaign.progress.waiting === 0 && campaign;
      },
      60_000,
    );
    expect(waiting).toMatchObject({ status: 'running', stats: { total: 1_200, status: { queued: 800, sent: 400 } } });

    relay.answer = () => undefined;
    await fixture.service.query(`UPDATE pending_deliveries SET next_attempt_at = '-infinity', sweep_at = '-infinity'`);
    await fixture.service.app.get(SweepDeliveries, { strict: false }).sweep();
    await waitFor('all mail', () => relay.received().length === before + 1_200, 60_000);
    expect(await fixture.untilStatus(id, 'completed')).toMatchObject({ stats: { status: { sent: 1_200 } } });
    expect(new Set(receivedBy().slice(before)).size).toBe(1_200);
  }, 120_000);

  it('stops within two seconds of a pause, and continues where it stopped', async () => {
    const { id } = await fixture.createFor(2_000, { subject: 'Paused' });
    const before = relay.received().length;
    await fixture.act(id, 'start').expect(200);
    await waitFor('some mail', () => relay.received().length > before + 100, 30_000);
    const pausedAt = Date.now();
    await fixture.act(id, 'pause').expect(200);
    let lastAt = pausedAt;
    let seen = relay.received().length;
    await waitFor('the mail to stop', () => {
      if (relay.received().length > seen) [seen, lastAt] = [relay.received().length, Date.now()];
      return Date.now() - lastAt > 1_500;
    });
    expect(lastAt - pausedAt).toBeLessThan(2_000);
    expect(seen - before).toBeLessThan(2_000);
    await fixture.act(id, 'resume').expect(200);
    await waitFor('all mail', () => relay.received().length === before + 2_000, 60_000);
    expect(await fixture.untilStatus(id, 'completed')).toMatchObject({ progress: { accepted: 2_000 } });
    expect(new Set(receivedBy().slice(before)).size).toBe(2_000);
  }, 120_000);
});
