import type { NestExpressApplication } from '@nestjs/platform-express';

import type { Config } from '../config/config.js';
import { startService } from '../service.js';
import { DemoInboxModule } from './demo-inbox.module.js';
import type { Inbox } from './inbox.js';

export { fillAccount } from './history/fill-account.js';

export const startWithInbox = (config: Config, inbox: Inbox): Promise<NestExpressApplication> =>
  startService(config, { inbox: DemoInboxModule.register(inbox) });
