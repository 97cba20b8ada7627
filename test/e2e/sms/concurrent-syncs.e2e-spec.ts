import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { OptOutSyncRepository } from '../../../src/modules/sms/application/ports/opt-out-sync.repository.js';
import { lockRows } from '../../support/lock-rows.js';
import { TestService } from '../../support/service.js';
import { waitFor } from '../../support/wait-for.js';

const WAITING = "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";

describe('An opt-out sync that two workers ask for at the same time', () => {
  let service: TestService;

  beforeAll(async () => {
    service = await TestService.start({ ROLE: 'api' });
  });
  afterAll(() => service.stop());

  it('is given to one of them', async () => {
    const { id } = await service.createAccount();
    const syncs = service.app.get(OptOutSyncRepository, { strict: false });
    const claim = () => syncs.claim(id, 'source', service.clock.now());
    await syncs.release((await claim())!);
    const unlock = await lockRows(service, 'SELECT FROM sms_opt_out_syncs WHERE account_id = $1', [id]);
    const claims = [claim(), claim()];
    await waitFor('both to wait', async () => (await service.query(WAITING)).length === 2);
    await unlock();
    const passes = await Promise.all(claims);
    expect(passes.filter((pass) => pass !== null)).toHaveLength(1);
  });
});
