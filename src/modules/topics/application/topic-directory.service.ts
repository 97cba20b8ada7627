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
    const unknown = await this.findUnknown(accountId, new Set(ids));
    for (const id of ids) if (unknown.has(id)) throw DomainError.invalid(noSuchTopic(field, id));
  }

  /** Throws invalid unless the account has, or has had, the topic: for requests about its messages and people. */
  async requireKnown(accountId: string, field: string, id: string): Promise<Topic> {
    const topic = await this.find(accountId, id);
    if (!topic) throw DomainError.invalid(noSuchTopic(field, id));
    return topic;
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

  /** See `TopicRepository.findOut`. */
  findOut(accountId: string, emails: readonly string[], topicId: string): Promise<Set<string>> {
    return this.topics.findOut(accountId, emails, topicId);
  }

  /** See `TopicRepository.listChoices`; for a normalised email address. Reads within the current transaction. */
  listChoices(accountId: string, email: string, topicId: string | null): Promise<TopicChoice[]> {
    return this.topics.listChoices(accountId, 'email', email, topicId);
  }

  /** Returns the ids that are no topics of the account, or of topics that were deleted. */
  async findUnknown(accountId: string, ids: ReadonlySet<string>): Promise<Set<string>> {
    if (ids.size === 0) return new Set();
    const topics = await this.topics.findByIds(accountId, [...ids].filter(isId));
    const unknown = new Set(ids);
    for (const { id, deletedAt } of topics) if (deletedAt === null) unknown.delete(id);
    return unknown;
  }
}
