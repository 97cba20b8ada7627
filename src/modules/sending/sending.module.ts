import { Module } from '@nestjs/common';

import { DeliverEmailHandler } from './jobs/deliver-email.handler.js';

@Module({ providers: [DeliverEmailHandler] })
export class SendingModule {}
