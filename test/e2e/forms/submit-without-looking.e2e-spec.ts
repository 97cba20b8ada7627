import { afterAll, beforeAll, expect, it } from '@jest/globals';

import { FormFixture } from '../../support/form-fixture.js';
import { TestService } from '../../support/service.js';

/** Whatever tells one address from another. */
const LOCK = `LOCK TABLE contacts, suppressions, consent_records, standing_consents, message_logs, login_throttles
  IN ACCESS EXCLUSIVE MODE`;

let service: TestService;

beforeAll(async () => {
  service = await TestService.start({ ROLE: 'api' });
});
afterAll(() => service.stop());

it('answers a submission without reading what is known about the address, so its time tells nothing', async () => {
  const fixture = await FormFixture.open(service);
  const form = await fixture.createForm();
  await fixture.submit(form, { email: 'warm-up@example.org' }).expect(200);
  await service.hold(async () => {
    await service.query(LOCK);
    await fixture.submit(form, { email: 'ada@example.org' }).expect(200);
    await fixture.submitJson(form, { email: 'ada@example.org' }).expect(202);
  });
  expect(await fixture.signups()).toHaveLength(3);
});
