import { expect, it } from '@jest/globals';

import { OncePerCluster } from '../../../src/platform/scheduling/once-per-cluster.js';
import { TestService } from '../../support/service.js';
import { waitFor } from '../../support/wait-for.js';

it('a stop waits for schedules that run, and starts no others', async () => {
  const service = await TestService.start();
  const once = service.app.get(OncePerCluster);
  const done: string[] = [];
  let stopped: Promise<void> | undefined;
  await once.run('running', 60, async (signal) => {
    stopped = service.stop();
    await waitFor('the stop', () => signal.aborted || service.database.pool.ending);
    await once.run('late', 60, () => Promise.resolve(done.push('late')));
    await service.query('SELECT 1');
    done.push('running');
  });
  await stopped;
  await once.run('later', 60, () => Promise.resolve(done.push('later')));
  expect(done).toEqual(['running']);
});
