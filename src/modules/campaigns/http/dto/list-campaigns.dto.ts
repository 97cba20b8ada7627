import { ApiPropertyOptional } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsIn, IsOptional, IsString, Length, Matches } from 'class-validator';

import { CursorDto, PageDto } from '../../../../platform/http/page.dto.js';
import { IsSingleLine } from '../../../../platform/http/validators.js';
import { ACTIVITY_INTERVALS, type ActivityInterval } from '../../../messages/index.js';
import { RECIPIENT_OUTCOMES, type RecipientOutcome } from '../../domain/campaign-recipient.js';
import { CAMPAIGN_STATUSES, type CampaignStatus } from '../../domain/campaign.js';

const splitAtCommas = (value: unknown): unknown => (typeof value === 'string' ? value.split(',') : value);

export class ListCampaignsDto extends PageDto {
  /** Part of the name, in any case. */
  @IsOptional()
  @Length(1, 200)
  @IsSingleLine()
  @IsString()
  search?: string;

  /** One or several statuses, separated by commas or repeated. */
  @ApiPropertyOptional({ enum: CAMPAIGN_STATUSES, isArray: true })
  @IsOptional()
  @Transform(({ value }: { value: unknown }) => [value].flat().flatMap(splitAtCommas))
  @IsIn(CAMPAIGN_STATUSES, { each: true, message: `status must be one or several of ${CAMPAIGN_STATUSES.join(', ')}` })
  status?: CampaignStatus[];

  /** The topic of the campaign. */
  @IsOptional()
  @Matches(/^c[a-z0-9]{24}$/, { message: 'topicId must be the id of a topic' })
  topicId?: string;
}

export class ShowCampaignActivityDto {
  /** Default: `hour` for the first 48 hours after the start, then `day`. */
  @ApiPropertyOptional({ enum: ACTIVITY_INTERVALS })
  @IsOptional()
  @IsIn(ACTIVITY_INTERVALS, { message: `interval must be one of ${ACTIVITY_INTERVALS.join(', ')}` })
  interval?: ActivityInterval;
}

export class ListCampaignRecipientsDto extends CursorDto {
  @ApiPropertyOptional({ enum: RECIPIENT_OUTCOMES })
  @IsOptional()
  @IsIn(RECIPIENT_OUTCOMES, { message: `outcome must be one of ${RECIPIENT_OUTCOMES.join(', ')}` })
  outcome?: RecipientOutcome;
}
