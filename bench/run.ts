import { benchAccept } from './accept.js';
import { benchAttachments } from './attachments.js';
import { benchBatch } from './batch.js';
import { benchCampaigns } from './campaigns.js';
import { benchConsent } from './consent.js';
import { benchContacts } from './contacts.js';
import { benchCsv } from './csv.js';
import { benchDashboards } from './dashboards.js';
import { benchDeliver } from './deliver.js';
import { benchEvents } from './events.js';
import { benchFeed } from './feed.js';
import { benchHostile } from './hostile.js';
import { benchMail } from './mail.js';
import { benchMemory } from './memory.js';
import { benchRead } from './read.js';
import { benchRewrite } from './rewrite.js';
import { benchScale } from './scale.js';
import { benchSdk } from './sdk.js';
import { benchSes } from './ses.js';
import { benchSimulate } from './simulate.js';
import { benchSms } from './sms.js';
import { benchSubmission } from './submission.js';
import { benchTopics } from './topics.js';
import { benchVersions } from './versions.js';
import { benchWebhooks } from './webhooks.js';
import { print, type Row } from './support/report.js';

const BENCHMARKS: Record<string, () => Promise<Row[]>> = {
  accept: benchAccept,
  attachments: benchAttachments,
  batch: benchBatch,
  campaigns: benchCampaigns,
  consent: benchConsent,
  contacts: benchContacts,
  csv: benchCsv,
  dashboards: benchDashboards,
  deliver: benchDeliver,
  ses: benchSes,
  events: benchEvents,
  feed: benchFeed,
  hostile: benchHostile,
  mail: benchMail,
  memory: benchMemory,
  read: benchRead,
  rewrite: benchRewrite,
  scale: benchScale,
  sdk: benchSdk,
  simulate: benchSimulate,
  sms: benchSms,
  submission: benchSubmission,
  topics: benchTopics,
  versions: benchVersions,
  webhooks: benchWebhooks,
};

// Prints a table of all benchmarks, or of the named ones: npm run bench -- accept. With `--millions=N`, `read`
// measures with N million messages, too; with `--seconds=N`, `hostile` takes less time; `versions` needs `--other=` and
// takes `--only=`.
const named = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
const rows: Row[] = [];
for (const [name, run] of Object.entries(BENCHMARKS)) {
  if (named.length > 0 && !named.includes(name)) continue;
  process.stderr.write(`${name} …\n`);
  rows.push(...(await run()));
}
print(rows);
