import { parseArgs } from 'node:util';

import { type Target, withDatabase } from './with-database.js';
import { pauseRestoredCampaigns } from '../modules/campaigns/infrastructure/pause-restored-campaigns.js';
import { dropSignupMails } from '../modules/forms/infrastructure/drop-signup-mails.js';
import { moveFeedPositions } from '../modules/messages/infrastructure/feed/move-feed-positions.js';
import { failPastDeliveries } from '../modules/messages/infrastructure/restore/fail-past-deliveries.js';
import { dropPendingDeliveries } from '../modules/webhooks/infrastructure/drop-pending-deliveries.js';
import { whileNotInUse } from '../platform/database/while-not-in-use.js';
import type { Database } from '../platform/database/database.js';
import { dropOutbox } from '../platform/outbox/drop-outbox.js';

const HELP = `Prepares a database that was restored from a backup for its first start, so that nothing is sent again that may have been
sent since the backup was made. Run it before that start, with the service stopped.

  npm run restore:prepare

- pauses campaigns that are running or due, with the reason "restored"; somebody resumes or cancels each
- fails messages that were to be sent by now, and keeps those that are scheduled for later
- sends no mail for sign-ups that waited for one
- drops events that are not dispatched and webhook deliveries that have not ended
- moves the event feed on, so that readers of GET /api/messages/events miss nothing that happens from now on

It prints what it has done, and can be repeated. It reads DATABASE_URL and DATA_DIR like the service.

  --help  prints this help`;

/** Returns the text to print. Throws if a process of the service uses the database. */
export async function prepareRestoreFromArguments(args: string[], target: Target): Promise<string> {
  const { values } = parseArgs({ args, options: { help: { type: 'boolean', short: 'h' } } });
  if (values.help) return HELP;
  return withDatabase(target, (database) => whileNotInUse(database, () => prepare(database)));
}

async function prepare(database: Database): Promise<string> {
  const now = new Date(await database.readClockMs());
  await moveFeedPositions(database, { evenOnSameServer: true });
  // First, so that nothing that is reported below happens again if this ends half way.
  const campaigns = await pauseRestoredCampaigns(database, now);
  const { failed, kept } = await failPastDeliveries(database, now);
  const signupMails = await dropSignupMails(database);
  const events = await dropOutbox(database);
  const deliveries = await dropPendingDeliveries(database);
  return [
    `Campaigns paused: ${campaigns.length}`,
    ...campaigns.map(({ accountId, id, name }) => `  ${id} of account ${accountId}: ${name}`),
    `Messages failed, as they may have been sent: ${failed}`,
    `Messages kept, which are scheduled for later: ${kept}`,
    `Mails to sign-ups dropped: ${signupMails}`,
    `Events dropped: ${events}`,
    `Webhook deliveries dropped: ${deliveries}`,
  ].join('\n');
}
