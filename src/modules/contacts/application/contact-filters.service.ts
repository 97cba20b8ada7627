import { Injectable } from '@nestjs/common';

import { TopicDirectory } from '../../topics/index.js';
import { ListDirectory } from './list-directory.service.js';
import type { ContactFilter } from './ports/contact.repository.js';

/** A filter as callers give it. */
export interface RequestedFilter extends Omit<ContactFilter, 'topic'> {
  topicId?: string | undefined;
}

@Injectable()
export class ContactFilters {
  constructor(
    private readonly lists: ListDirectory,
    private readonly topics: TopicDirectory,
  ) {}

  /** Throws invalid for a list that the account does not have, and for a topic that it has never had. */
  async find(accountId: string, { topicId, ...filter }: RequestedFilter): Promise<ContactFilter> {
    if (filter.listId !== undefined) await this.lists.require(accountId, 'listId', [filter.listId]);
    if (topicId === undefined) return filter;
    return { ...filter, topic: await this.topics.requireKnown(accountId, 'topicId', topicId) };
  }
}
