import { createPublicKey, type KeyObject } from 'node:crypto';

import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';

import type { DomainResponse } from '../../../src/modules/domains/http/domain.response.js';
import { SigningKeys } from '../../../src/modules/domains/index.js';
import { Database } from '../../../src/platform/database/database.js';
import type { TestAccount } from '../../support/account.js';
import { DomainFixture } from '../../support/domain-fixture.js';

describe('DKIM signing keys', () => {
  let fixture: DomainFixture;
  let account: TestAccount;
  let domain: DomainResponse;
  let number = 0;

  beforeAll(async () => {
    fixture = await DomainFixture.start();
  });
  afterAll(() => fixture.stop());
  beforeEach(async () => {
    fixture.reset();
    account = await fixture.service.createAccount();
    const name = `key${(number += 1)}.example.com`;
    ({ body: domain } = await account.asAdmin('post', '/api/domains').send({ name }).expect(201));
  });

  const find = (owner = account, name = domain.name) =>
    fixture.service.app.get(SigningKeys, { strict: false }).find(owner.id, name);
  const verify = () => account.asAdmin('post', `/api/domains/${domain.id}/verify`).expect(200);
  const publicKey = (key: KeyObject) => createPublicKey(key).export({ type: 'spki', format: 'der' }).toString('base64');
  const aMinuteLater = () => {
    fixture.service.clock.advance({ seconds: 61 });
  };

  it('are used once DNS announces them', async () => {
    expect(await find()).toBeNull();
    fixture.publish(domain);
    await verify();
    const key = (await find())!;
    const [{ name, value }] = domain.records as [DomainResponse['records'][0]];
    expect({ ...key, privateKey: publicKey(key.privateKey) }).toEqual({
      domainName: domain.name,
      selector: name.split('.')[0],
      privateKey: value.split('p=')[1],
    });
  });

  it('are used although SPF and MAIL FROM are not verified', async () => {
    const [dkim] = domain.records;
    fixture.publish({ records: [dkim!] });
    await verify();
    expect(await find()).not.toBeNull();
  });

  it('are found only for exactly the domain and the account', async () => {
    fixture.publish(domain);
    await verify();
    expect(await find(account, `mail.${domain.name}`)).toBeNull();
    expect(await find(await fixture.service.createAccount())).toBeNull();
  });

  it('are not used if SES signs', async () => {
    fixture.publish(domain);
    await verify();
    expect(await find()).not.toBeNull();
    await fixture.useSes(account);
    await verify();
    aMinuteLater();
    expect(await find()).toBeNull();
  });

  it('are read once a minute, including misses, and again after an error', async () => {
    const other = await fixture.service.createAccount(); // what is read for `account` is forgotten when it has changed
    const prepared = jest.spyOn(fixture.service.app.get(Database), 'prepared');
    const lookUps = () => prepared.mock.calls.filter(([name]) => name === 'find_signing_key').length;
    await fixture.service.withoutDatabase(() => expect(find(other)).rejects.toThrow('unavailable'));
    await Promise.all([find(other), find(other)]);
    await find(other);
    expect(lookUps()).toBe(2);
    aMinuteLater();
    await find(other);
    expect(lookUps()).toBe(3);
    prepared.mockRestore();
  });
});
