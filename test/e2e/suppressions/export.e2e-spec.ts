import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';

import { SuppressionRepository } from '../../../src/modules/suppression/application/ports/suppression.repository.js';
import type { TestAccount } from '../../support/account.js';
import { errorBody } from '../../support/errors.js';
import { TestService } from '../../support/service.js';

const HEADER = 'address,channel,reason,source,note,createdAt\n';

describe('GET /api/suppressions/export', () => {
  let service: TestService;
  let account: TestAccount;

  beforeAll(async () => {
    service = await TestService.shared();
    account = await service.createAccount();
  });
  afterAll(() => service.stop());

  const download = (of: TestAccount) => of.asMember('get', '/api/suppressions/export').buffer(true);
  const upload = (of: TestAccount, csv: string) =>
    of.asAdmin('post', '/api/suppressions/import').set('Content-Type', 'text/csv').send(csv);

  it('is a CSV file, with a header even if there are no entries', async () => {
    const { headers, text } = await download(account).expect(200);
    expect(headers['content-type']).toBe('text/csv; charset=utf-8');
    expect(headers['content-disposition']).toBe('attachment; filename="suppressions.csv"');
    expect(text).toBe(HEADER);
  });

  it('escapes formulas, and can be imported elsewhere', async () => {
    const note = '=HYPERLINK("http://evil.example","x")';
    const add = (body: object) => account.asAdmin('post', '/api/suppressions').send(body).expect(201);
    const { body: first } = await add({ email: 'ada@example.com', note });
    service.clock.advance({ seconds: 1 });
    const { body: second } = await add({ phone: '4155550100' });
    const { text } = await download(account).expect(200);
    expect(text).toBe(
      HEADER +
        `ada@example.com,email,manual,dashboard,"'${note.replaceAll('"', '""')}",${first.createdAt}\n` +
        `'+14155550100,sms,manual,dashboard,,${second.createdAt}\n`,
    );
    const other = await service.createAccount();
    await upload(other, text).expect(200, { added: 2, stood: 0, failed: 0, errors: [] });
    const rows = await service.query(
      'SELECT channel, address, note FROM suppressions WHERE account_id = $1 ORDER BY channel',
      [other.id],
    );
    expect(rows).toEqual([
      { channel: 'email', address: 'ada@example.com', note },
      { channel: 'sms', address: '+14155550100', note: null },
    ]);
  });

  it.each([999, 1_000, 2_500])('contains each of %i entries once, oldest first', async (count) => {
    const large = await service.createAccount();
    await upload(large, Array.from({ length: count }, (_, i) => `user${i}@example.com`).join('\n')).expect(200);
    const { text } = await download(large).expect(200);
    const addresses = text
      .trim()
      .split('\n')
      .slice(1)
      .map((line) => line.split(',')[0]);
    const rows = await service.query<{ address: string }>(
      'SELECT address FROM suppressions WHERE account_id = $1 ORDER BY id',
      [large.id],
    );
    expect(addresses).toHaveLength(count);
    expect(addresses).toEqual(rows.map(({ address }) => address));
  });

  it('applies and validates the filters of the list', async () => {
    const mixed = await service.createAccount();
    await upload(mixed, 'address,reason\nann@example.com,bounced\nbob@example.com,manual\n+14155550123,manual').expect(
      200,
    );
    const exported = async (query: string) => {
      const { text } = await mixed.asMember('get', `/api/suppressions/export?${query}`).buffer(true).expect(200);
      return text
        .trim()
        .split('\n')
        .slice(1)
        .map((line) => line.split(',')[0])
        .sort();
    };
    expect(await exported('reason=bounced')).toEqual(['ann@example.com']);
    expect(await exported('channel=sms')).toEqual(["'+14155550123"]);
    expect(await exported('search=BOB')).toEqual(['bob@example.com']);
    expect(await exported('search=example.com&reason=manual&channel=email')).toEqual(['bob@example.com']);
    expect(await exported('search=nobody')).toEqual([]);
    for (const [query, message] of [
      ['reason=x', /^reason must be one of /],
      ['page=2', /^page is not a known field$/],
      ['constructor=1', /^constructor is not a known field$/],
    ] as const) {
      const { body } = await mixed.asMember('get', `/api/suppressions/export?${query}`).expect(400);
      expect(body.message).toMatch(message);
    }
  });

  describe('if the database fails', () => {
    let large: TestAccount;

    beforeAll(async () => {
      large = await service.createAccount();
      await upload(large, Array.from({ length: 1_500 }, (_, i) => `user${i}@example.com`).join('\n')).expect(200);
    });

    it('answers with an error before anything is sent, and closes the connection afterwards', async () => {
      const repository = service.app.get(SuppressionRepository, { strict: false });
      const read = repository.listAfter.bind(repository);
      const broken = jest.spyOn(repository, 'listAfter').mockRejectedValueOnce(new Error('gone'));
      await download(large).expect(500, errorBody(500, 'Internal server error'));
      broken.mockImplementation((accountId, filter, id, limit) =>
        id === '' ? read(accountId, filter, id, limit) : Promise.reject(new Error('gone')),
      );
      await expect(download(large)).rejects.toThrow('aborted');
      broken.mockRestore();
    });
  });
});
