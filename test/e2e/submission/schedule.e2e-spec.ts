import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

import { SENDER } from '../../support/relay-fixture.js';
import { inHours, makeDue, release } from '../../support/schedules.js';
import { idIn, SubmissionFixture } from '../../support/submission-fixture.js';
import { waitFor } from '../../support/wait-for.js';

const ADA = 'ada@example.org';
const BOSS = 'boss@example.org';
const RAW = [
  ...[`From: Shop <${SENDER}>`, `To: Ada <${ADA}>, other@example.net`, 'Date: Mon, 1 Jun 2020 10:00:00 +0200'],
  ...['Subject: Invitation', 'Content-Type: text/calendar; method=REQUEST'],
];
const BODY = ['', 'BEGIN:VCALENDAR', 'END:VCALENDAR'];

describe('A mail submitted by SMTP with X-Service-Scheduled-At', () => {
  let fixture: SubmissionFixture;

  beforeAll(async () => {
    fixture = await SubmissionFixture.start();
  });
  beforeEach(() => {
    fixture.relay.reset();
  });
  afterAll(() => fixture.stop());

  const detail = async (id: string) =>
    (await fixture.sender.account.asMember('get', `/api/messages/${id}`).expect(200)).body;
  const act = (id: string, action: string) => fixture.sender.account.asAdmin('post', `/api/messages/${id}/${action}`);
  const received = (count: number) =>
    waitFor(`${count} mails`, () => fixture.relay.received().length >= count && fixture.relay.received());

  async function submitRaw(scheduledAt: string, to = [ADA]): Promise<string> {
    const client = await fixture.login();
    const lines = [...RAW, `X-Service-Scheduled-At: ${scheduledAt}`, ...BODY];
    const { text } = await client.submit(SENDER, to, Buffer.from(lines.join('\r\n')));
    client.close();
    return idIn(text);
  }

  it('is sent when its time has come', async () => {
    const scheduledAt = inHours(1);
    const headers = { 'X-Service-Scheduled-At': scheduledAt };
    const id = await fixture.submit({ to: ADA, text: 'Later', headers });
    expect(await detail(id)).toMatchObject({ status: 'queued', scheduledAt });
    await fixture.submit({ to: ADA, text: 'Now' });
    expect((await received(1)).map(({ parsed }) => parsed.text?.trim())).toEqual(['Now']);
    await makeDue(fixture.service, [id]);
    await release(fixture.service);
    const later = (await received(2)).find(({ parsed }) => parsed.text?.trim() === 'Later');
    expect(later!.parsed.messageId).toBe(`<${id}@example.com>`);
    expect(later!.raw).not.toMatch(/^X-Service/im);
  });

  it('has that time as its date even if it is sent as it came', async () => {
    const id = await submitRaw(inHours(1), [ADA, BOSS]);
    const { copies } = await detail(id);
    await makeDue(fixture.service, [id, copies[0].messageLogId]);
    await release(fixture.service);
    for (const { raw } of await received(2)) {
      expect(raw.match(/^Date: .*$/gm)).toEqual([expect.not.stringContaining('2020')]);
      expect(raw.trimEnd().endsWith(BODY.slice(1).join('\r\n'))).toBe(true);
    }
  });

  it('is resent with the same bytes, To and Cc, to its own recipient', async () => {
    const id = await submitRaw(inHours(1), [ADA, BOSS]);
    const copy = (await detail(id)).copies[0].messageLogId as string;
    await act(copy, 'cancel').expect(200);
    const { body } = await act(copy, 'resend').expect(201);
    const [mail] = await received(1);
    expect(mail!.envelope.to).toEqual([BOSS]);
    expect(mail!.raw).toContain(`To: Ada <${ADA}>, other@example.net\r\n`);
    expect(mail!.raw.trimEnd().endsWith(BODY.slice(1).join('\r\n'))).toBe(true);
    expect(await detail(body.messageLogId as string)).toMatchObject({ resentFrom: copy, role: 'bcc', to: BOSS });
  });

  it('is resent with the To and Cc that it had, also if it was composed', async () => {
    const mail = { to: `Ada <${ADA}>, other@example.net`, cc: 'cc@example.net', text: 'Hello' };
    const headers = { 'X-Service-Scheduled-At': inHours(1) };
    const id = await fixture.submit({ ...mail, headers, envelope: { from: SENDER, to: [ADA] } });
    await act(id, 'cancel').expect(200);
    await act(id, 'resend').expect(201);
    const [{ raw } = { raw: '' }] = await received(1);
    expect(raw).toMatch(/^To: Ada <ada@example\.org>, other@example\.net\r$/m);
    expect(raw).toMatch(/^Cc: cc@example\.net\r$/m);
  });
});
