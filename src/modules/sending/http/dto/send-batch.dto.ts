import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsArray, IsIn, IsOptional } from 'class-validator';

import { MAX_BATCH_MESSAGES } from '../../../../config/limits.js';
import { Untransformed } from '../../../../platform/http/validation.js';
import { BATCH_MODES, type BatchMode } from '../../../messages/index.js';
import { SendEmailDto } from './send-email.dto.js';
import { SendSmsDto } from './send-sms.dto.js';

const sizeFaults = (messages: unknown): string[] =>
  Array.isArray(messages) && (messages.length < 1 || messages.length > MAX_BATCH_MESSAGES)
    ? [`messages must have 1 to ${MAX_BATCH_MESSAGES} entries`]
    : [];

class BatchDto {
  /**
   * `all`: all messages are accepted, or none is if any of them has a fault or the daily limits do not leave enough
   * room. `valid`: those without a fault for which there is room are accepted, in order.
   */
  @ApiPropertyOptional({ enum: BATCH_MODES, default: 'all' })
  @IsOptional()
  @IsIn(BATCH_MODES, { message: `mode must be ${BATCH_MODES.join(' or ')}` })
  mode?: BatchMode | null;
}

export class SendEmailBatchDto extends BatchDto {
  /** The messages, each as in the send of one. */
  @ApiProperty({
    type: [SendEmailDto],
    minItems: 1,
    maxItems: MAX_BATCH_MESSAGES,
    example: [{ to: 'ada@example.com', fromEmail: 'hello@example.com', subject: 'Hello', text: 'Hello Ada' }],
  })
  @Untransformed(sizeFaults)
  @IsArray()
  messages!: unknown[];
}

export class SendSmsBatchDto extends BatchDto {
  /** The messages, each as in the send of one. */
  @ApiProperty({
    type: [SendSmsDto],
    minItems: 1,
    maxItems: MAX_BATCH_MESSAGES,
    example: [{ to: '+14155550100', body: 'Your code is 4711' }],
  })
  @Untransformed(sizeFaults)
  @IsArray()
  messages!: unknown[];
}
