import type { Channel } from '../../../../shared/channel.js';
import type { Page, PageRequest } from '../../../../shared/page.js';
import type { Topic, TopicChoice } from '../../domain/topic.js';

/** Topics of one account. A test account has those of the account that it belongs to. Others are invisible. */
export abstract class TopicRepository {
  /**
   * Throws conflict if another topic of the account has the same name, ignoring case, or the account has MAX_TOPICS;
   * exact under concurrency.
   */
  abstract add(topic: Topic): Promise<void>;

  /** Newest first, without those that were deleted. */
  abstract list(accountId: string, page: PageRequest): Promise<Page<Topic>>;

  /** The topics with these ids, deleted ones, too. */
  abstract findByIds(accountId: string, ids: readonly string[]): Promise<Topic[]>;

  /** Null if there is none or it was deleted. Nobody else can change or delete it until the transaction ends. */
  abstract findAndLock(accountId: string, id: string): Promise<Topic | null>;

  /** Like `findAndLock`, for any number of holders: nobody can change or delete it until their transactions end. */
  abstract findAndKeep(accountId: string, id: string): Promise<Topic | null>;

  /** Throws conflict like `add`. */
  abstract save(topic: Topic): Promise<void>;

  /** Returns the contacts' normalised addresses that are out of the topic. Reads within the current transaction. */
  abstract findOut(accountId: string, emails: readonly string[], topicId: string): Promise<Set<string>>;

  /**
   * All topics that were not deleted, and the one with this id also if it was, oldest first; and whether the normalised
   * address is in each. Where campaigns require consent, nobody is subscribed to a topic without one.
   */
  abstract listChoices(
    accountId: string,
    channel: Channel,
    address: string,
    topicId: string | null,
  ): Promise<TopicChoice[]>;
}
