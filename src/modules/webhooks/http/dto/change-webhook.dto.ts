import { ApiPropertyOptional } from '@nestjs/swagger';
import { ArrayNotEmpty, ArrayUnique, IsArray, IsBoolean, IsIn, IsOptional, IsString, Length } from 'class-validator';

import { IfPresent } from '../../../../platform/http/validators.js';
import type { EventName } from '../../../../shared/events.js';
import { WEBHOOK_EVENTS } from '../../domain/webhook-event.js';
import { EVENTS_FAULT } from './create-webhook.dto.js';

/** Absent fields are kept. */
export class ChangeWebhookDto {
  /**
   * Deliveries that wait go to the new URL too.
   * @example "https://example.com/webhooks"
   */
  @IfPresent()
  @Length(1, 2_048)
  @IsString()
  url?: string;

  /** Replaces the events. */
  @ApiPropertyOptional({ enum: WEBHOOK_EVENTS, isArray: true })
  @IfPresent()
  @ArrayUnique({ message: 'events must name each event once' })
  @IsIn(WEBHOOK_EVENTS, { each: true, message: EVENTS_FAULT })
  @ArrayNotEmpty()
  @IsArray()
  events?: EventName[];

  /**
   * Null removes it.
   * @example "CRM"
   */
  @IsOptional()
  @Length(1, 200)
  @IsString()
  description?: string | null;

  /**
   * An endpoint that is disabled by `false` hears of no new events. What waits for it, and for one that the service
   * disabled also what happens meanwhile, is kept for 14 days and goes out once it is enabled.
   */
  @IfPresent()
  @IsBoolean()
  enabled?: boolean;
}
