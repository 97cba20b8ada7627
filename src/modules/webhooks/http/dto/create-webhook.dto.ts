import { ApiProperty } from '@nestjs/swagger';
import { ArrayNotEmpty, ArrayUnique, IsArray, IsIn, IsOptional, IsString, Length } from 'class-validator';

import type { EventName } from '../../../../shared/events.js';
import { WEBHOOK_EVENTS } from '../../domain/webhook-event.js';

export const EVENTS_FAULT = `events must be some of ${WEBHOOK_EVENTS.join(', ')}`;

export class CreateWebhookDto {
  /**
   * Where events are posted to: https, and http unless the service runs in production; no credentials; no private,
   * loopback or otherwise reserved address unless the operator allows it.
   * @example "https://example.com/webhooks"
   */
  @Length(1, 2_048)
  @IsString()
  url!: string;

  /** What the endpoint hears of, each once. */
  @ApiProperty({ enum: WEBHOOK_EVENTS, isArray: true, example: ['contact.unsubscribed', 'contact.bounced'] })
  @ArrayUnique({ message: 'events must name each event once' })
  @IsIn(WEBHOOK_EVENTS, { each: true, message: EVENTS_FAULT })
  @ArrayNotEmpty()
  @IsArray()
  events!: EventName[];

  /**
   * A note to recognise the endpoint by.
   * @example "CRM"
   */
  @IsOptional()
  @Length(1, 200)
  @IsString()
  description?: string | null;
}
