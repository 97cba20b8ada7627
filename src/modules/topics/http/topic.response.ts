import { ApiProperty } from '@nestjs/swagger';

import type { Page } from '../../../shared/page.js';
import {
  type Topic,
  TOPIC_DEFAULTS,
  TOPIC_VISIBILITIES,
  type TopicDefault,
  type TopicVisibility,
} from '../domain/topic.js';

export class TopicResponse {
  id!: string;

  /** @example "Monthly newsletter" */
  name!: string;

  /** @example "News about our products, once a month" */
  description!: string;

  @ApiProperty({ enum: TOPIC_VISIBILITIES })
  visibility!: TopicVisibility;

  @ApiProperty({ enum: TOPIC_DEFAULTS })
  byDefault!: TopicDefault;
  createdAt!: Date;
  updatedAt!: Date;

  static from({ id, name, description, visibility, byDefault, createdAt, updatedAt }: Topic): TopicResponse {
    return { id, name, description, visibility, byDefault, createdAt, updatedAt };
  }
}

export class TopicPageResponse {
  items!: TopicResponse[];
  total!: number;
  page!: number;
  pageSize!: number;
  totalPages!: number;

  static from({ items, ...page }: Page<Topic>): TopicPageResponse {
    return { items: items.map((topic) => TopicResponse.from(topic)), ...page };
  }
}
