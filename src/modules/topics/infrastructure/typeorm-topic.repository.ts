import { Injectable } from '@nestjs/common';
import { IsNull } from 'typeorm';

import { MAX_TOPICS } from '../../../config/limits.js';
import { AddressHashes } from '../../../platform/crypto/address-hashes.js';
import { addWithinLimit } from '../../../platform/database/add-within-limit.js';
import { Database } from '../../../platform/database/database.js';
import { listNewestFirst } from '../../../platform/database/list-newest-first.js';
import { isUniqueViolation } from '../../../platform/database/postgres-errors.js';
import type { Channel } from '../../../shared/channel.js';
import { DomainError } from '../../../shared/domain-error.js';
import type { Page, PageRequest } from '../../../shared/page.js';
import { TopicRepository } from '../application/ports/topic.repository.js';
import { Topic, type TopicChoice } from '../domain/topic.js';
import { FIND_AND_KEEP, FIND_BY_IDS, FIND_OUT, LIST_CHOICES } from './topic.sql.js';

@Injectable()
export class TypeOrmTopicRepository extends TopicRepository {
  constructor(
    private readonly database: Database,
    private readonly hashes: AddressHashes,
  ) {
    super();
  }

  async add(topic: Topic): Promise<void> {
    const { accountId } = topic;
    await addWithinLimit(
      this.database,
      accountId,
      { max: MAX_TOPICS, rows: 'topics' },
      {
        count: () => this.rows().countBy({ accountId, deletedAt: IsNull() }),
        add: () => this.rows().insert(topic),
      },
    ).catch(refuseTakenName(topic));
  }

  list(accountId: string, page: PageRequest): Promise<Page<Topic>> {
    return listNewestFirst(this.rows(), accountId, page, [{ deletedAt: IsNull() }]);
  }

  async findByIds(accountId: string, ids: readonly string[]): Promise<Topic[]> {
    return (await this.database.query<Topic>(FIND_BY_IDS, [accountId, ids])).map(toTopic);
  }

  findAndLock(accountId: string, id: string): Promise<Topic | null> {
    const where = { accountId, id, deletedAt: IsNull() };
    return this.rows().findOne({ where, lock: { mode: 'pessimistic_write' } });
  }

  async findAndKeep(accountId: string, id: string): Promise<Topic | null> {
    const [topic] = await this.database.query<Topic>(FIND_AND_KEEP, [accountId, id]);
    return topic ? toTopic(topic) : null;
  }

  async save(topic: Topic): Promise<void> {
    const { accountId, id } = topic;
    await this.rows().update({ accountId, id }, topic).catch(refuseTakenName(topic));
  }

  async findOut(accountId: string, emails: readonly string[], topicId: string): Promise<Set<string>> {
    const rows = await this.database.query<{ email: string }>(FIND_OUT, [accountId, emails, topicId]);
    return new Set(rows.map(({ email }) => email));
  }

  async listChoices(
    accountId: string,
    channel: Channel,
    address: string,
    topicId: string | null,
  ): Promise<TopicChoice[]> {
    type Row = Topic & { isOut: boolean; lacksConsent: boolean };
    const hash = this.hashes.hex(accountId, channel, address);
    const rows = await this.database.query<Row>(LIST_CHOICES, [accountId, channel, address, hash, topicId]);
    return rows.map(({ isOut, lacksConsent, ...row }) => ({
      ...{ topic: toTopic(row), isOut },
      isSubscribed: !isOut && !lacksConsent,
    }));
  }

  private rows() {
    return this.database.manager.getRepository(Topic);
  }
}

const toTopic = (row: object): Topic => Object.assign(new Topic(), row);

const refuseTakenName = (topic: Topic) => (error: unknown) => {
  if (!isUniqueViolation(error, 'uq_topics_account_name')) throw error;
  throw DomainError.conflict(`A topic with the name ${topic.name} exists already`);
};
