import { Global, Module } from '@nestjs/common';

import { AddressHashes } from '../../platform/crypto/address-hashes.js';
import { ConsentTopics } from '../consent/index.js';
import { ManageTopics } from './application/manage-topics.service.js';
import { TopicRepository } from './application/ports/topic.repository.js';
import { TopicDirectory } from './application/topic-directory.service.js';
import { TopicsController } from './http/topics.controller.js';
import { TypeOrmTopicRepository } from './infrastructure/typeorm-topic.repository.js';

/** Global, because consent looks topics up through a port that this module implements. */
@Global()
@Module({
  controllers: [TopicsController],
  providers: [
    AddressHashes,
    ManageTopics,
    TopicDirectory,
    { provide: ConsentTopics, useExisting: TopicDirectory },
    { provide: TopicRepository, useClass: TypeOrmTopicRepository },
  ],
  exports: [ConsentTopics, TopicDirectory],
})
export class TopicsModule {}
