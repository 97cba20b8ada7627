import { Injectable } from '@nestjs/common';

import { DomainError } from '../../../shared/domain-error.js';
import { isId } from '../../../shared/ids.js';
import { noSuchTopic } from '../../../shared/topic-texts.js';
import type { Topic, TopicChoice } from '../domain/topic.js';
import { TopicRepository } from './ports/topic.repository.js';

/** Looks up topics and who is in them. Of a test account, the topics are those of the account that it belongs to. */
@Injectable()
export class TopicDirectory {
  constructor(private readonly topics: TopicRepository) {}

  /** Throws invalid, naming the field and the first id that is not a topic of the account, or that was deleted. */
  async require(accountId: string, field: string, ids: readonly string[]): Promise<void> {
    await this.requireAll(accountId, field, ids, ({ deletedAt }) => deletedAt === null);
  }

  /** The same, but for deleted topics: for what is said about their messages and people. */
  async requireKnown(accountId: string, field: string, ids: readonly string[]): Promise<void> {
    await this.requireAll(accountId, field, ids, () => true);
  }

  /** Throws like `require`. Nobody can delete the topic until the current transaction ends. */
  async keep(accountId: string, field: string, id: string): Promise<Topic> {
    const topic = isId(id) ? await this.topics.findAndKeep(accountId, id) : null;
    if (!topic) throw DomainError.invalid(noSuchTopic(field, id));
    return topic;
  }

  /** The topic, also if it was deleted; null if the account has never had it. */
  async find(accountId: string, id: string): Promise<Topic | null> {
    return (isId(id) ? await this.topics.findByIds(accountId, [id]) : [])[0] ?? null;
  }

  /** Those of the normalised email addresses that are out of the topic. Sees the current transaction. */
  findOut(accountId: string, emails: readonly string[], topicId: string): Promise<Set<string>> {
    return this.topics.findOut(accountId, 'email', emails, topicId);
  }

  /** See `TopicRepository.listChoices`; for a normalised email address. Sees the current transaction. */
  listChoices(accountId: string, email: string, topicId: string | null): Promise<TopicChoice[]> {
    return this.topics.listChoices(accountId, 'email', email, topicId);
  }

  private async requireAll(
    accountId: string,
    field: string,
    ids: readonly string[],
    accepts: (topic: Topic) => boolean,
  ): Promise<void> {
    if (ids.length === 0) return;
    const topics = await this.topics.findByIds(accountId, ids.filter(isId));
    const known = new Set(topics.filter(accepts).map(({ id }) => id));
    for (const id of ids) if (!known.has(id)) throw DomainError.invalid(noSuchTopic(field, id));
  }
}
