import { ApiProperty } from '@nestjs/swagger';

import { MESSAGE_STATUSES, type MessageStatus } from '../domain/message-log.js';
import type { MessageTotals } from '../domain/message-totals.js';

class EngagementResponse {
  /** Messages with at least one open or click. */
  @ApiProperty({ type: 'integer' })
  unique!: number;

  /** All opens or clicks, including repeated ones. */
  @ApiProperty({ type: 'integer' })
  total!: number;

  /** False: nobody counts them, so their number is not known. */
  reported!: boolean;
}

class DeliveriesResponse {
  /** Messages that the provider reported as delivered, complaints included. */
  @ApiProperty({ type: 'integer' })
  total!: number;

  /** False: the provider reports no deliveries, so their number is not known. */
  reported!: boolean;
}

export class MessageTotalsResponse {
  @ApiProperty({ type: 'integer' })
  total!: number;

  /** The number of messages by their current status. */
  @ApiProperty({
    type: 'object',
    properties: Object.fromEntries(MESSAGE_STATUSES.map((status) => [status, { type: 'integer' }])),
    required: [...MESSAGE_STATUSES],
    selfRequired: true,
    additionalProperties: false,
  })
  status!: Record<MessageStatus, number>;

  deliveries!: DeliveriesResponse;

  /** Opens by people; those by scanners and prefetchers are excluded. */
  opens!: EngagementResponse;

  /** Clicks by people, like `opens`. */
  clicks!: EngagementResponse;

  static from({ total, status, deliveries, opens, clicks }: MessageTotals): MessageTotalsResponse {
    return { total, status, deliveries, opens, clicks };
  }
}
