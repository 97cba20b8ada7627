import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';

import {
  currentVerificationProvider,
  type EmailConnection,
  verificationProviderOf,
} from '../../../src/providers/index.js';
import { createTestDatabase, type TestDatabase } from '../../support/database.js';

describe('The provider that carries a verification link', () => {
  let database: TestDatabase;
  let client: Client;

  beforeAll(async () => {
    database = await createTestDatabase();
    client = new Client({ connectionString: database.url });
    await client.connect();
  });
  afterAll(async () => {
    await client.end();
    await database.drop();
  });

  const inSql = async (smtp: object) => {
    const { rows } = await client.query<{ key: string }>(
      `SELECT ${currentVerificationProvider('a')} AS key FROM (SELECT 'smtp' AS email_provider, $1::jsonb AS smtp, null::jsonb AS ses) a`,
      [JSON.stringify(smtp)],
    );
    return rows[0]?.key;
  };
  const inCode = (relay: object) =>
    verificationProviderOf({ kind: 'smtp', owner: 'account', relay } as unknown as EmailConnection);

  it.each([
    [{ host: 'relay.example', port: 587, username: 'ada:1' }, 'smtp:relay.example:587:ada:1'],
    [{ host: 'relay.example', port: 25 }, 'smtp:relay.example:25:'],
    [{ host: '2001:db8::1', port: 25, username: '587:x' }, 'smtp:[2001:db8::1]:25:587:x'],
    [{ host: '2001:db8::1:25', port: 587, username: 'x' }, 'smtp:[2001:db8::1:25]:587:x'],
  ])('has the same key in SQL as in code, and its own: %j', async (relay, key) => {
    expect([await inSql(relay), inCode(relay)]).toEqual([key, key]);
  });
});
