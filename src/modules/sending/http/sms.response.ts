import { ApiProperty } from '@nestjs/swagger';

import { SMS_ENCODINGS, type SmsEncoding } from '../../../shared/channel.js';
import { MAX_SEGMENTS, type SegmentedSms } from '../domain/sms-segments.js';
import { QueuedMessageResponse } from './queued-message.response.js';

export class QueuedSmsResponse extends QueuedMessageResponse {
  /**
   * The parts in which the message is sent, each paid for.
   * @example 1
   */
  @ApiProperty({ type: 'integer' })
  segments!: number;

  @ApiProperty({ enum: SMS_ENCODINGS })
  encoding!: SmsEncoding;
}

export class SmsPreviewResponse {
  /** The parts in which the message would be sent. */
  @ApiProperty({ type: 'integer', example: 1 })
  segments!: number;

  /** More are not sent. */
  @ApiProperty({ type: 'integer', example: MAX_SEGMENTS })
  maxSegments!: number;

  @ApiProperty({ enum: SMS_ENCODINGS })
  encoding!: SmsEncoding;

  /** The characters that make it `ucs2`, each once, in their order; without them it would be `gsm7`. */
  @ApiProperty({ example: ['🎉'] })
  ucs2Characters!: string[];

  static from(segmented: SegmentedSms): SmsPreviewResponse {
    return { ...segmented, maxSegments: MAX_SEGMENTS };
  }
}
