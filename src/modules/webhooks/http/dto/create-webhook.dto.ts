import { ApiProperty } from '@nestjs/swagger';
import { ArrayNotEmpty, ArrayUnique, IsArray, IsBoolean, IsIn, IsOptional, IsString, Length } from 'class-validator';

import { IfPresent } from '../../../../platform/http/validators.js';
import type { EventName } from '../../../../shared/events.js';
import { WEBHOOK_EVENTS } from '../../domain/webhook-event.js';

export const EVENTS_FAULT = `events must be some of ${WEBHOOK_EVENTS.join(', ')}`;

export class CreateWebhookDto {
  /**
   * The URL that events are posted to: https, or http unless the service runs in production. Without credentials, and
   * without a private, loopback or otherwise reserved address unless the operator allows it.
   * @example "https://example.com/webhooks"
   */
  @Length(1, 2_048)
  @IsString()
  url!: string;

  /** The events that the endpoint subscribes to, without duplicates. */
  @ApiProperty({ enum: WEBHOOK_EVENTS, isArray: true, example: ['contact.unsubscribed', 'contact.bounced'] })
  @ArrayUnique({ message: 'events must name each event once' })
  @IsIn(WEBHOOK_EVENTS, { each: true, message: EVENTS_FAULT })
  @ArrayNotEmpty()
  @IsArray()
  events!: EventName[];

  /**
   * A note for your own use.
   * @example "CRM"
   */
  @IsOptional()
  @Length(1, 200)
  @IsString()
  description?: string | null;

  /** Whether it also receives events of messages of test keys; their `data` has `test: true`. Absent: false. */
  @IfPresent()
  @IsBoolean()
  testEvents?: boolean;
}
