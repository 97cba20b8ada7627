import { Injectable } from '@nestjs/common';

import { ListDirectory } from '../../contacts/index.js';
import { TopicDirectory } from '../../topics/index.js';
import type { FormPlan } from '../domain/form.js';

/** Checks the lists and topics that a form subscribes people to. */
@Injectable()
export class FormTargets {
  constructor(
    private readonly lists: ListDirectory,
    private readonly topics: TopicDirectory,
  ) {}

  /** Throws invalid for one that the account does not have. */
  async require(accountId: string, { listIds, topicIds }: Partial<FormPlan>): Promise<void> {
    if (listIds) await this.lists.require(accountId, 'listIds', listIds);
    if (topicIds) await this.topics.require(accountId, 'topicIds', topicIds);
  }
}
