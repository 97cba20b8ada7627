import { ApiProperty } from '@nestjs/swagger';

import type { CursorPage } from '../../../shared/cursor-page.js';
import {
  type ListedRecipient,
  RECIPIENT_OUTCOMES,
  type RecipientOutcome,
  SKIP_REASONS,
  type SkipReason,
} from '../domain/campaign-recipient.js';

class CampaignRecipientResponse {
  /**
   * `erased` if the contact was erased, or deleted between its selection and the moment it became a recipient.
   * @example "ada@example.com"
   */
  email!: string;
  contactId!: string;

  /** The id of the message, which exists once the outcome is `accepted`; null if the recipient was skipped. */
  messageLogId!: string | null;

  @ApiProperty({ enum: RECIPIENT_OUTCOMES })
  outcome!: RecipientOutcome;

  /**
   * Why the recipient was skipped: the contact was not active, lacked a consent that the account requires, was deleted,
   * or its message could not be stored.
   */
  @ApiProperty({ enum: [...SKIP_REASONS, null], type: String, nullable: true })
  reason!: SkipReason | null;

  static from({ email, contactId, messageId, outcome, reason }: ListedRecipient): CampaignRecipientResponse {
    return { email, contactId, messageLogId: outcome === 'skipped' ? null : messageId, outcome, reason };
  }
}

export class CampaignRecipientPageResponse {
  items!: CampaignRecipientResponse[];

  /** Null on the last page. */
  nextCursor!: string | null;

  static from({ items, nextCursor }: CursorPage<ListedRecipient>): CampaignRecipientPageResponse {
    return { items: items.map((recipient) => CampaignRecipientResponse.from(recipient)), nextCursor };
  }
}

export class CampaignAudienceCountResponse {
  /** Contacts who would get the campaign. */
  @ApiProperty({ type: 'integer' })
  active!: number;

  /** Contacts who would be skipped, because their address is suppressed. */
  @ApiProperty({ type: 'integer' })
  suppressed!: number;

  /** Active contacts who would be skipped, because they lack a consent that the account requires. */
  @ApiProperty({ type: 'integer' })
  withoutConsent!: number;

  /** Active contacts who would be skipped, because they are out of the topic of the campaign. */
  @ApiProperty({ type: 'integer' })
  outOfTopic!: number;
}

class TestedAddressResponse {
  /** @example "ada@example.com" */
  to!: string;

  /** The id of the message, for GET /api/messages/:id. */
  messageLogId!: string;
}

export class CampaignTestResponse {
  /** How many messages were accepted. */
  @ApiProperty({ type: 'integer', example: 1 })
  queued!: number;

  results!: TestedAddressResponse[];
}
