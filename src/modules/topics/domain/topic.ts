import { foldCase } from '../../../shared/text.js';

export const MAX_TOPIC_NAME_LENGTH = 100;
export const MAX_TOPIC_DESCRIPTION_LENGTH = 500;

/** `public`: shown to recipients, who may subscribe and unsubscribe. `private`: only who gets its mail sees it. */
export const TOPIC_VISIBILITIES = ['public', 'private'] as const;
export type TopicVisibility = (typeof TOPIC_VISIBILITIES)[number];

/** What holds for an address without a consent: `in` gets the messages of the topic, `out` does not. */
export const TOPIC_DEFAULTS = ['in', 'out'] as const;
export type TopicDefault = (typeof TOPIC_DEFAULTS)[number];

/** What an admin decides about a topic. */
export interface TopicPlan {
  name: string;
  /** May be empty. */
  description: string;
  visibility: TopicVisibility;
  byDefault: TopicDefault;
}

/**
 * What a message is about, such as a newsletter, and what a person can subscribe to and unsubscribe from. A deleted
 * topic stays known: for its messages and consents, and for the links in mails that were sent.
 */
export class Topic implements TopicPlan {
  id!: string;
  accountId!: string;
  name!: string;
  /** Folded to one case; unique in the account, apart from deleted topics. */
  normalisedName!: string;
  description!: string;
  visibility!: TopicVisibility;
  byDefault!: TopicDefault;
  createdAt!: Date;
  updatedAt!: Date;
  deletedAt!: Date | null;

  static create(id: string, accountId: string, plan: TopicPlan, now: Date): Topic {
    const topic = Object.assign(new Topic(), { id, accountId, createdAt: now, deletedAt: null });
    topic.change(plan, now);
    return topic;
  }

  /** Absent parts are kept. */
  change({ name, description, visibility, byDefault }: Partial<TopicPlan>, now: Date): void {
    this.name = name?.trim() ?? this.name;
    this.normalisedName = foldCase(this.name);
    this.description = description?.trim() ?? this.description;
    this.visibility = visibility ?? this.visibility;
    this.byDefault = byDefault ?? this.byDefault;
    this.updatedAt = now;
  }

  delete(now: Date): void {
    this.deletedAt = now;
  }
}

/** What people agree to who choose it. */
export const topicWords = ({ name, description }: Pick<Topic, 'name' | 'description'>): string =>
  description === '' ? name : `${name}\n${description}`;

/** A topic as one person sees it. */
export interface TopicChoice {
  topic: Topic;
  /** Gets all its messages. */
  isSubscribed: boolean;
  /** Gets none of them. Where campaigns require consent, people without one may be neither. */
  isOut: boolean;
}
