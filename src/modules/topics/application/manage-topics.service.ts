import { Injectable } from '@nestjs/common';

import { DomainError } from '../../../shared/domain-error.js';
import { isId, newId } from '../../../shared/ids.js';
import type { Page, PageRequest } from '../../../shared/page.js';
import { Clock } from '../../../shared/ports/clock.js';
import { TransactionRunner } from '../../../shared/ports/transaction-runner.js';
import { Topic, type TopicPlan } from '../domain/topic.js';
import { TopicRepository } from './ports/topic.repository.js';
import { TopicUses } from './ports/topic-uses.js';

@Injectable()
export class ManageTopics {
  constructor(
    private readonly transactions: TransactionRunner,
    private readonly topics: TopicRepository,
    private readonly uses: TopicUses,
    private readonly clock: Clock,
  ) {}

  async create(accountId: string, plan: TopicPlan): Promise<Topic> {
    const now = this.clock.now();
    const topic = Topic.create(newId(now), accountId, plan, now);
    await this.topics.add(topic);
    return topic;
  }

  list(accountId: string, page: PageRequest): Promise<Page<Topic>> {
    return this.topics.list(accountId, page);
  }

  /** Absent parts are kept. */
  change(accountId: string, id: string, changes: Partial<TopicPlan>): Promise<Topic> {
    return this.changeLocked(accountId, id, (topic) => {
      topic.change(changes, this.clock.now());
    });
  }

  /**
   * Messages, consents and links keep the topic. Throws conflict while a campaign with it is scheduled, running or
   * paused: a campaign that starts keeps its topic until then.
   */
  remove(accountId: string, id: string): Promise<Topic> {
    return this.changeLocked(accountId, id, async (topic) => {
      const campaign = await this.uses.findCampaign(accountId, id);
      if (campaign !== null) throw DomainError.conflict(`The campaign ${campaign} uses this topic`);
      topic.delete(this.clock.now());
    });
  }

  private changeLocked(accountId: string, id: string, change: (topic: Topic) => void | Promise<void>): Promise<Topic> {
    return this.transactions.runInLane(accountId, async () => {
      const topic = isId(id) ? await this.topics.findAndLock(accountId, id) : null;
      if (!topic) throw DomainError.notFound('Topic');
      await change(topic);
      await this.topics.save(topic);
      return topic;
    });
  }
}
