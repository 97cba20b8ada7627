import { type DynamicModule, Module } from '@nestjs/common';

import { DemoInboxController } from './demo-inbox.controller.js';
import { Inbox } from './inbox.js';

/** The endpoints that only the demo has: the caught mail, for the dashboard. */
@Module({})
export class DemoInboxModule {
  static register(inbox: Inbox): DynamicModule {
    return {
      module: DemoInboxModule,
      controllers: [DemoInboxController],
      providers: [{ provide: Inbox, useValue: inbox }],
    };
  }
}
