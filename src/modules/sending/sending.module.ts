import { Module } from '@nestjs/common';

import { TemporaryHandler } from './jobs/temporary.handler.js';

@Module({ providers: [TemporaryHandler] })
export class SendingModule {}
