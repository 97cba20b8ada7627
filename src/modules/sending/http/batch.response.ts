import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';

import { errorResponse } from '../../../platform/http/error.filter.js';
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

  /** Of an SMS, like `encoding`. */
  @ApiPropertyOptional({ type: 'integer' })
  segments?: number;

  @ApiPropertyOptional({ enum: SMS_ENCODINGS })
  encoding?: SmsEncoding;

  @ApiPropertyOptional({ type: ErrorResponse })
  error?: ErrorResponse;

  static from(entry: BatchEntry): BatchResultResponse {
    const { index } = entry;
    if ('cap' in entry) {
      const { kind, message } = capError(entry.cap, new Date());
      return { index, error: errorResponse(kind, message) };
    }
    if ('refusal' in entry) return { index, error: errorResponse(entry.refusal.kind, entry.refusal.message) };
    const { messageId, copies, segments, encoding } = entry;
    return {
      index,
      messageLogId: messageId,
      ...(copies ? { copies: toCopies(copies) } : {}),
      ...(segments != null && encoding ? { segments, encoding } : {}),
    };
  }
}

export class QueuedBatchResponse {
  /** How many messages were accepted, without copies. */
  @ApiProperty({ type: 'integer' })
  queued!: number;

  /** One for each message of the request, in order. */
  @ApiProperty({ type: [BatchResultResponse] })
  results!: BatchResultResponse[];

  static from(entries: readonly BatchEntry[]): QueuedBatchResponse {
    const queued = entries.filter((entry) => 'messageId' in entry).length;
    return { queued, results: entries.map((entry) => BatchResultResponse.from(entry)) };
  }
}
