import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';

import { MAX_SMS_SEGMENTS } from '../../../config/limits.js';
import { SMS_ENCODINGS, type SmsEncoding } from '../../../shared/channel.js';
import type { MessageRole } from '../../../shared/mail-recipients.js';
import type { AcceptedCopy } from '../domain/send-request.js';
import type { SegmentedSms } from '../domain/sms-segments.js';

export class QueuedMessageResponse {
  /** Always true: the message is stored and will be delivered. */
  queued!: true;

  /**
   * The id of the message, for GET /api/messages/:id.
   * @example "c0mk3v9p0x7f2k9d1q8z5w4ab"
   */
  messageLogId!: string;
}

export class ResentMessageResponse extends QueuedMessageResponse {
  /**
   * The message whose content is sent again.
   * @example "c0mk3v9p0w1e8j0c4p7y6v3za"
   */
  resentFrom!: string;
}

export class QueuedCopyResponse {
  /** @example "grace@example.com" */
  email!: string;

  @ApiProperty({ enum: ['cc', 'bcc'] })
  role!: MessageRole;

  messageLogId!: string;
}

export const toCopies = (copies: readonly AcceptedCopy[]): QueuedCopyResponse[] =>
  copies.map(({ email, role, messageId: messageLogId }) => ({ email, role, messageLogId }));

export class QueuedEmailResponse extends QueuedMessageResponse {
  /** The messages to the recipients in cc and bcc; only if there are some. */
  @ApiPropertyOptional({ type: [QueuedCopyResponse] })
  copies?: QueuedCopyResponse[];

  static from({ messageId, copies }: { messageId: string; copies: readonly AcceptedCopy[] }): QueuedEmailResponse {
    const response: QueuedEmailResponse = { queued: true, messageLogId: messageId };
    if (copies.length > 0) response.copies = toCopies(copies);
    return response;
  }
}

export class QueuedSmsResponse extends QueuedMessageResponse {
  /**
   * Parts in which the message is sent, each of which is charged.
   * @example 1
   */
  @ApiProperty({ type: 'integer' })
  segments!: number;

  @ApiProperty({ enum: SMS_ENCODINGS })
  encoding!: SmsEncoding;
}

export class SmsPreviewResponse {
  /** Parts in which the message would be sent. */
  @ApiProperty({ type: 'integer', example: 1 })
  segments!: number;

  /** A message of more segments is refused. */
  @ApiProperty({ type: 'integer', example: MAX_SMS_SEGMENTS })
  maxSegments!: number;

  @ApiProperty({ enum: SMS_ENCODINGS, example: 'ucs2' })
  encoding!: SmsEncoding;

  /** The distinct characters that require `ucs2`, in order. Without them the encoding would be `gsm7`. */
  @ApiProperty({ example: ['🎉'] })
  ucs2Characters!: string[];

  static from(segmented: SegmentedSms): SmsPreviewResponse {
    return { ...segmented, maxSegments: MAX_SMS_SEGMENTS };
  }
}
