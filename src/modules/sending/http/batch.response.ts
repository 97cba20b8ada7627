import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';

import { errorBody, errorResponse } from '../../../platform/http/error.filter.js';
import { ErrorResponse } from '../../../platform/http/error.response.js';
import { SMS_ENCODINGS, type SmsEncoding } from '../../../shared/channel.js';
import { type BatchEntry, capError } from '../../messages/index.js';
import { QueuedCopyResponse, toCopies } from './send.response.js';

/** Either the id of the message, or why it was not accepted. */
export class BatchResultResponse {
  /** The position in the request, from 0. */
  @ApiProperty({ type: 'integer' })
  index!: number;

  messageLogId?: string;

  /** The messages to the recipients in cc and bcc; only if there are some. */
  @ApiPropertyOptional({ type: [QueuedCopyResponse] })
  copies?: QueuedCopyResponse[];

  /** Set for SMS only, like `encoding`. */
  @ApiPropertyOptional({ type: 'integer' })
  segments?: number;

  @ApiPropertyOptional({ enum: SMS_ENCODINGS })
  encoding?: SmsEncoding;

  @ApiPropertyOptional({ type: ErrorResponse })
  error?: ErrorResponse;

  static from(entry: BatchEntry): BatchResultResponse {
    const { index } = entry;
    if ('cap' in entry) return { index, error: errorResponse(capError(entry.cap, new Date())) };
    if ('refusal' in entry) return { index, error: errorResponse(entry.refusal) };
    const { messageId, copies, segments, encoding } = entry;
    return {
      index,
      messageLogId: messageId,
      ...(copies ? { copies: toCopies(copies) } : {}),
      ...(segments != null && encoding ? { segments, encoding } : {}),
    };
  }
}

const EXAMPLES = [
  { index: 0, messageLogId: 'c0mk3v9p0x7f2k9d1q8z5w4ab' },
  { index: 1, error: errorBody(400, 'to must be an email address') },
];

export class QueuedBatchResponse {
  /** How many messages were accepted, without copies. */
  @ApiProperty({ type: 'integer', example: 1 })
  queued!: number;

  /** One for each message of the request, in order. */
  @ApiProperty({ type: [BatchResultResponse], example: EXAMPLES })
  results!: BatchResultResponse[];

  static from(entries: readonly BatchEntry[]): QueuedBatchResponse {
    const queued = entries.filter((entry) => 'messageId' in entry).length;
    return { queued, results: entries.map((entry) => BatchResultResponse.from(entry)) };
  }
}
