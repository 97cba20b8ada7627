import { Injectable } from '@nestjs/common';

import { ListDirectory } from '../../contacts/index.js';
import { TopicDirectory } from '../../topics/index.js';
import type { FormPlan } from '../domain/form.js';
import type { OpenSignup } from './ports/signup.repository.js';

/** The lists and topics that forms subscribe people to. */
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

  /** Leaves lists out that were deleted meanwhile. What was agreed to about topics stays. */
  async leaveOutDeletedLists(accountId: string, forms: readonly OpenSignup['form'][]): Promise<void> {
    const lists = await this.lists.findUnknown(accountId, new Set(forms.flatMap(({ listIds }) => listIds)));
    for (const form of forms) form.listIds = form.listIds.filter((id) => !lists.has(id));
  }
}
