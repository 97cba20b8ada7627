/** Starts the slowest files first, so that no worker is left with a long one at the end. The others follow as Jest has them. */
import { existsSync } from 'node:fs';
import { join, relative } from 'node:path';

import Sequencer from '@jest/test-sequencer';

/** What takes more than 25 seconds, on two cores. */
const SLOWEST = [
  'test/browser/every-page.browser-spec.ts',
  'test/e2e/security/fuzz.e2e-spec.ts',
  'test/integration/webhook-workers.spec.ts',
  'test/integration/embedded-postgres.spec.ts',
  'test/integration/worker-stopped.spec.ts',
  'test/integration/worker-killed.spec.ts',
  'test/integration/complete-message-killed.spec.ts',
  'test/integration/processes.spec.ts',
  'test/browser/contacts.browser-spec.ts',
  'test/integration/campaign-killed.spec.ts',
  'test/integration/demo.spec.ts',
  'test/browser/campaigns.browser-spec.ts',
  'test/browser/forms.browser-spec.ts',
  'test/integration/webhook-worker-stopped.spec.ts',
  'test/integration/graceful-stop.spec.ts',
  'test/integration/import-killed.spec.ts',
  'test/browser/message-actions.browser-spec.ts',
  'test/e2e/sdk/faulty-network.e2e-spec.ts',
  'test/browser/templates.browser-spec.ts',
  'test/browser/first-run.browser-spec.ts',
  'test/integration/stop-without-queue.spec.ts',
  'test/integration/redis-failover.spec.ts',
  'test/integration/opt-out-list.spec.ts',
  'test/integration/webhook-isolation.spec.ts',
  'test/browser/member.browser-spec.ts',
  'test/integration/submission.spec.ts',
  'test/browser/message-list.browser-spec.ts',
  'test/integration/sdk-package.spec.ts',
  'test/integration/client-docs.spec.ts',
  'test/e2e/security/event-loop.e2e-spec.ts',
  'test/integration/campaign-database-killed.spec.ts',
  'test/browser/jump.browser-spec.ts',
  'test/integration/clock-skew.spec.ts',
  'test/integration/start.spec.ts',
];

export default class SlowestFirst extends Sequencer {
  sort(tests) {
    const [{ context } = {}] = tests;
    if (!context) return [];
    const { rootDir } = context.config;
    const missing = SLOWEST.filter((file) => !existsSync(join(rootDir, file)));
    if (missing.length > 0)
      throw new Error(`test/jest/slowest-first.mjs names files that are gone: ${missing.join(', ')}`);
    const rank = ({ path }) => (SLOWEST.indexOf(relative(rootDir, path)) + SLOWEST.length + 1) % (SLOWEST.length + 1);
    return super.sort(tests).sort((a, b) => rank(a) - rank(b));
  }
}
