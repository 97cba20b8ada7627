import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { QueryRunner } from 'typeorm';

import { KeepTemplateVersions1795380000001 } from '../../../migrations/1795380000001-keep-template-versions.js';
import { TestService } from '../../support/service.js';

describe('The migration to template versions', () => {
  let service: TestService;

  beforeAll(async () => {
    service = await TestService.start({ ROLE: 'api' });
  });
  afterAll(() => service.stop());

  it('makes version 1 of existing templates, whose content it keeps, there and back', async () => {
    const migration = new KeepTemplateVersions1795380000001();
    const runner = { query: (statement: string) => service.query(statement) } as unknown as QueryRunner;
    const account = await service.createAccount();
    const content = { name: 'Welcome', subject: 'Hi', html: null, text: 'Hi', sampleValues: { a: 1 } };
    const { body: created } = await account.asAdmin('post', '/api/templates').send(content).expect(201);
    const path = `/api/templates/${created.id}`;
    const { body: changed } = await account.asAdmin('patch', path).send({ name: 'Hello' }).expect(200);

    await service.database.run(() => migration.down(runner));
    await service.database.run(() => migration.up(runner));

    await account.asMember('get', path).expect(200, { ...changed, version: 1 });
    const versions = () => account.asMember('get', `${path}/versions`).expect(200);
    expect((await versions()).body.items).toMatchObject([{ version: 1, name: 'Hello', savedAt: changed.updatedAt }]);
    await account.asAdmin('patch', path).send({ name: 'Bye' }).expect(200);
    expect((await versions()).body.items).toMatchObject([
      { version: 2, name: 'Bye' },
      { version: 1, name: 'Hello', savedAt: changed.updatedAt },
    ]);
  });
});
