import { ApiProperty } from '@nestjs/swagger';

import { MESSAGE_STATUSES, type MessageStatus } from '../domain/message-log.js';
import type { MessageTotals } from '../domain/message-totals.js';

class EngagementResponse {
  /** Messages with at least one. */
  @ApiProperty({ type: 'integer' })
  unique!: number;

  /** All of them, repeated ones included. */
  @ApiProperty({ type: 'integer' })
  total!: number;
}

export class MessageTotalsResponse {
  @ApiProperty({ type: 'integer' })
  total!: number;

  /** How many messages are in each status now. */
  @ApiProperty({
    type: 'object',
    properties: Object.fromEntries(MESSAGE_STATUSES.map((status) => [status, { type: 'integer' }])),
    required: [...MESSAGE_STATUSES],
    additionalProperties: false,
  })
  status!: Record<MessageStatus, number>;

  /** By people: what scanners and prefetchers open is left out. */
  opens!: EngagementResponse;

  /** By people, as with `opens`. */
  clicks!: EngagementResponse;

  static from({ total, status, opens, clicks }: MessageTotals): MessageTotalsResponse {
    return { total, status, opens, clicks };
  }
}
