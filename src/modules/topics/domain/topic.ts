import { foldCase } from '../../../shared/text.js';

export const MAX_TOPIC_NAME_LENGTH = 100;
export const MAX_TOPIC_DESCRIPTION_LENGTH = 500;

/**
 * `public`: shown to recipients, who may subscribe and unsubscribe. `private`: shown only to recipients of its mail.
 */
export const TOPIC_VISIBILITIES = ['public', 'private'] as const;
export type TopicVisibility = (typeof TOPIC_VISIBILITIES)[number];

/** The default for an address without a consent: `in` gets the messages of the topic, `out` does not. */
export const TOPIC_DEFAULTS = ['in', 'out'] as const;
export type TopicDefault = (typeof TOPIC_DEFAULTS)[number];

/** The fields of a topic that an admin sets. */
export interface TopicPlan {
  name: string;
  /** May be empty. */
  description: string;
  visibility: TopicVisibility;
  byDefault: TopicDefault;
}

/**
 * The subject of messages, such as a newsletter, that a person can subscribe to and unsubscribe from. A deleted topic
 * stays known: for its messages and consents, and for the links in mails that were sent.
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

/** The wording that people agree to when they choose the topic. */
export const topicWords = ({ name, description }: Pick<Topic, 'name' | 'description'>): string =>
  description === '' ? name : `${name}\n${description}`;

/** A topic as one person sees it. */
export interface TopicChoice {
  topic: Topic;
  /** The person gets all messages of the topic. */
  isSubscribed: boolean;
  /** The person gets none of them. Where campaigns require consent, people without one may be neither. */
  isOut: boolean;
}
