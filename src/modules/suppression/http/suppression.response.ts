import { ApiProperty } from '@nestjs/swagger';

import { type Channel, CHANNELS } from '../../../shared/channel.js';
import type { Page } from '../../../shared/page.js';
import {
  type Suppression,
  SUPPRESSION_REASONS,
  SUPPRESSION_SOURCES,
  type SuppressionReason,
  type SuppressionSource,
} from '../domain/suppression.js';

export class SuppressionResponse {
  id!: string;

  @ApiProperty({ enum: CHANNELS })
  channel!: Channel;

  /**
   * An email address as it was given first, in the spelling of the message, request or file that suppressed it, or a
   * phone number in E.164. Any spelling of an email address is suppressed.
   * Null for the address of an erased contact: sends to it are still refused.
   * @example "ada@example.com"
   */
  address!: string | null;

  /**
   * Whether the contact of the address was erased.
   * @example false
   */
  erased!: boolean;

  @ApiProperty({ enum: SUPPRESSION_REASONS })
  reason!: SuppressionReason;

  @ApiProperty({ enum: SUPPRESSION_SOURCES })
  source!: SuppressionSource;

  note!: string | null;

  /** The message that bounced, was complained about or unsubscribed from. */
  messageLogId!: string | null;
  contactId!: string | null;
  createdAt!: Date;

  static from(suppression: Suppression): SuppressionResponse {
    const { id, channel, givenAddress, reason, source, note, messageLogId, contactId, createdAt } = suppression;
    const known = { address: givenAddress || null, erased: givenAddress === '' };
    return { id, channel, ...known, reason, source, note, messageLogId, contactId, createdAt };
  }
}

export class SuppressionPageResponse {
  items!: SuppressionResponse[];
  total!: number;
  page!: number;
  pageSize!: number;
  totalPages!: number;

  static from({ items, ...page }: Page<Suppression>): SuppressionPageResponse {
    return { items: items.map((suppression) => SuppressionResponse.from(suppression)), ...page };
  }
}
