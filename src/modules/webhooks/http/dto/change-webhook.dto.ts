import { ApiPropertyOptional } from '@nestjs/swagger';
import { ArrayNotEmpty, ArrayUnique, IsArray, IsBoolean, IsIn, IsOptional, IsString, Length } from 'class-validator';

import { IfPresent } from '../../../../platform/http/validators.js';
import type { EventName } from '../../../../shared/events.js';
import { WEBHOOK_EVENTS } from '../../domain/webhook-event.js';
import { EVENTS_FAULT } from './create-webhook.dto.js';

/** Absent fields keep their values. */
export class ChangeWebhookDto {
  /**
   * Pending deliveries go to the new URL too.
   * @example "https://example.com/webhooks"
   */
  @IfPresent()
  @Length(1, 2_048)
  @IsString()
  url?: string;

  /** Replaces the list of events. */
  @ApiPropertyOptional({ enum: WEBHOOK_EVENTS, isArray: true })
  @IfPresent()
  @ArrayUnique({ message: 'events must name each event once' })
  @IsIn(WEBHOOK_EVENTS, { each: true, message: EVENTS_FAULT })
  @ArrayNotEmpty()
  @IsArray()
  events?: EventName[];

  /**
   * Null removes the description.
   * @example "CRM"
   */
  @IsOptional()
  @Length(1, 200)
  @IsString()
  description?: string | null;

  /** Whether the endpoint also receives events of messages of test keys; their `data` has `test: true`. */
  @IfPresent()
  @IsBoolean()
  testEvents?: boolean;

  /**
   * `false` disables the endpoint: it receives no new events, and its pending deliveries are kept for 14 days and sent
   * once it is enabled again. If the service disabled the endpoint, new events are kept for it as well.
   */
  @IfPresent()
  @IsBoolean()
  enabled?: boolean;
}
