import { ApiPropertyOptional } from '@nestjs/swagger';
import { Transform, Type } from 'class-transformer';
import {
  IsInt,
  IsNotEmpty,
  IsObject,
  IsOptional,
  IsString,
  Length,
  Matches,
  Max,
  MaxLength,
  Min,
  ValidateBy,
  ValidateNested,
} from 'class-validator';

import { MAX_CAMPAIGN_NAME_LENGTH, MAX_CAMPAIGN_RATE_PER_MINUTE } from '../../../../config/limits.js';
import { Untransformed } from '../../../../platform/http/validation.js';
import {
  IfPresent,
  IsEmailAddress,
  IsFromEmail,
  IsSingleLine,
  IsZonedIsoTime,
} from '../../../../platform/http/validators.js';
import { hasAsciiLocalPart } from '../../../../shared/email-address.js';
import { CampaignAudienceDto } from './campaign-audience.dto.js';

const MAX_BODY = 500_000;

/** Other characters in a header need SMTPUTF8 (RFC 6531) at every relay up to the recipient. */
const HasAsciiLocalPart = () =>
  ValidateBy({
    name: 'hasAsciiLocalPart',
    validator: {
      validate: (value) => typeof value !== 'string' || hasAsciiLocalPart(value),
      defaultMessage: () => 'replyTo must have only ASCII characters before the @',
    },
  });

/** An empty body counts as none. */
const EmptyIsNull = () => Transform(({ value }: { value: unknown }) => (value === '' ? null : value));

class CampaignFieldsDto {
  /**
   * The display name in the From header.
   * @example "Example"
   */
  @IsOptional()
  @MaxLength(200)
  @IsSingleLine()
  @IsString()
  fromName?: string | null;

  /**
   * The Reply-To address. Only ASCII characters are allowed before the @: other mail systems may not support more.
   * @example "support@example.org"
   */
  @IsOptional()
  @HasAsciiLocalPart()
  @IsEmailAddress()
  replyTo?: string | null;

  /**
   * Required unless `templateId` is given. Overrides the subject of the template. Placeholders are `email`,
   * `firstName`, `lastName`, `company` and `attributes.<key>` of the recipient, and the names in `variables`.
   * @example "News for {{firstName}}"
   */
  @IsOptional()
  @MaxLength(998)
  @IsSingleLine()
  @IsNotEmpty()
  @IsString()
  subject?: string | null;

  /**
   * The HTML body, a Mustache template as in a saved template. Without `templateId`, html or text is required.
   * Overrides the HTML of the template. Must contain {{unsubscribeUrl}} when the campaign starts. An empty body counts
   * as none.
   * @example "<p>Dear {{firstName}}, …</p><p><a href=\"{{unsubscribeUrl}}\">Unsubscribe</a></p>"
   */
  @EmptyIsNull()
  @IsOptional()
  @MaxLength(MAX_BODY)
  @IsString()
  html?: string | null;

  /**
   * The plain-text body; derived from the HTML if it is missing. Must contain {{unsubscribeUrl}}, too. An empty body
   * counts as none.
   * @example "Dear {{firstName}}, … Unsubscribe: {{unsubscribeUrl}}"
   */
  @EmptyIsNull()
  @IsOptional()
  @MaxLength(MAX_BODY)
  @IsString()
  text?: string | null;

  /** The id of a saved template, which supplies subject, html and text. They are copied when the campaign starts. */
  @IsOptional()
  @Matches(/^c[a-z0-9]{24}$/, { message: 'templateId must be the id of a template' })
  templateId?: string | null;

  /**
   * Values for further placeholders, the same for all recipients, and for what is not known about a contact. A missing
   * value renders as empty. At most 100,000 characters of JSON. `unsubscribeUrl` is set by the service.
   * @example { "month": "November" }
   */
  @IsOptional()
  @Untransformed()
  @IsObject()
  variables?: Record<string, unknown> | null;

  /** The id of a topic: contacts who are out of it get no message. */
  @IsOptional()
  @Matches(/^c[a-z0-9]{24}$/, { message: 'topicId must be the id of a topic' })
  topicId?: string | null;

  /** Who gets the campaign. May be empty until the campaign starts. */
  @IfPresent()
  @ValidateNested()
  @Type(() => CampaignAudienceDto)
  @IsObject()
  audience?: CampaignAudienceDto;

  /**
   * When the campaign is to be sent once it has been started: an ISO 8601 date-time with an offset, at most 90 days
   * ahead; null or absent: at once. A start that is missed by more than an hour pauses the campaign with the reason
   * `missed`.
   */
  @ApiPropertyOptional({ type: String, format: 'date-time', nullable: true, example: null })
  @IsOptional()
  @IsZonedIsoTime()
  scheduledAt?: string | null;

  /**
   * How many messages are accepted in any minute at most; null or absent: as many as possible.
   * @example 6000
   */
  @ApiPropertyOptional({ type: 'integer', nullable: true })
  @IsOptional()
  @Min(1)
  @Max(MAX_CAMPAIGN_RATE_PER_MINUTE)
  @IsInt()
  maxPerMinute?: number | null;
}

export class CreateCampaignDto extends CampaignFieldsDto {
  /**
   * A name to recognise the campaign by. Recipients do not see it.
   * @example "November newsletter"
   */
  @Length(1, MAX_CAMPAIGN_NAME_LENGTH)
  @IsSingleLine()
  @IsString()
  name!: string;

  /**
   * A verified sender of the account, or an address of one of its verified domains.
   * @example "hello@example.com"
   */
  @IsFromEmail()
  fromEmail!: string;
}

/** Absent fields are kept, null clears. */
export class ChangeCampaignDto extends CampaignFieldsDto {
  /**
   * A name to recognise the campaign by. Recipients do not see it.
   * @example "November newsletter"
   */
  @IfPresent()
  @Length(1, MAX_CAMPAIGN_NAME_LENGTH)
  @IsSingleLine()
  @IsString()
  name?: string;

  /**
   * A verified sender of the account, or an address of one of its verified domains.
   * @example "hello@example.com"
   */
  @IfPresent()
  @IsFromEmail()
  fromEmail?: string;
}
