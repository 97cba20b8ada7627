import { ApiPropertyOptional } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  IsArray,
  IsBoolean,
  IsIn,
  IsNumber,
  IsObject,
  IsOptional,
  IsString,
  Length,
  Matches,
  Max,
  MaxLength,
  Min,
  ValidateNested,
} from 'class-validator';

import { MAX_STOP_WORD_LENGTH, MAX_STOP_WORDS } from '../../config/limits.js';
import { IfPresent, IsSingleLine } from '../../platform/http/validators.js';
import { MIN_SIGNING_KEY_LENGTH } from '../events/signatures.js';
import { IsAwsRegion, IsTopicArn } from '../aws/aws-names.js';
import { TwilioSettingsDto } from '../twilio/twilio-settings.dto.js';
import { SMS_PROVIDERS, type SmsProviderName } from './sms-providers.js';

const TIME_OF_DAY = /^([01]\d|2[0-3]):[0-5]\d$/;
const TIME_FAULT = { message: '$property must be a time of day such as 21:00' };

export class QuietHoursDto {
  /** @example "21:00" */
  @Matches(TIME_OF_DAY, TIME_FAULT)
  @IsString()
  from!: string;

  /**
   * The first minute after the quiet hours. Before `from` if they last until the next day.
   * @example "08:00"
   */
  @Matches(TIME_OF_DAY, TIME_FAULT)
  @IsString()
  to!: string;

  /**
   * A name of the IANA time zone database.
   * @example "Europe/Berlin"
   */
  @MaxLength(64)
  @IsString()
  timeZone!: string;
}

/**
 * Absent fields are kept; null clears. New settings of `sns` need `region`, those of `twilio` need `twilio`. The fields
 * of a provider can be changed while it is the chosen one.
 */
export class SmsSettingsDto {
  /**
   * The provider that SMS are sent through. `region`, `originationNumber`, `senderId`, `topicArn` and `eventSigningKey`
   * are of `sns`, which is Amazon SNS. Default: `sns`.
   */
  @ApiPropertyOptional({ enum: SMS_PROVIDERS })
  @IfPresent()
  @IsIn(SMS_PROVIDERS, { message: `provider must be ${SMS_PROVIDERS.join(' or ')}` })
  provider?: SmsProviderName;

  /** Whether the account may send SMS. Default: false. */
  @IfPresent()
  @IsBoolean()
  enabled?: boolean;

  /**
   * The AWS region of the origination number. The credentials are those of the `ses` settings, or of the process.
   * @example "us-east-1"
   */
  @IfPresent()
  @IsAwsRegion()
  region?: string;

  /**
   * The number that messages come from, which must belong to the AWS account: in E.164 format or of 10 digits (US), or
   * a short code. Without it, Amazon SNS sends no messages.
   * @example "+12065550100"
   */
  @IsOptional()
  @Length(1, 30)
  @IsString()
  originationNumber?: string | null;

  /**
   * Shown instead of the number in countries that allow it.
   * @example "Shop"
   */
  @IsOptional()
  @Matches(/^(?=.*[A-Za-z])[A-Za-z\d-]{3,11}$/, {
    message: 'senderId must be 3 to 11 letters, digits and hyphens, one of them a letter',
  })
  @IsString()
  senderId?: string | null;

  /** Whether the number accepts replies. Needs `topicArn`. Default: false. */
  @IfPresent()
  @IsBoolean()
  twoWay?: boolean;

  /**
   * The SNS topic to which replies to the number are published.
   * @example "arn:aws:sns:us-east-1:123456789012:sms-replies"
   */
  @IsOptional()
  @IsTopicArn()
  topicArn?: string | null;

  /**
   * Messages per second, over all workers: the limit of the origination number. It is 1 for a US long code and 3 for a
   * toll-free number. Default: 20 for Amazon SNS, the usual quota of an AWS account; 1 for Twilio.
   */
  @ApiPropertyOptional({ format: 'double' })
  @IfPresent()
  @Min(0.1)
  @Max(1_000)
  @IsNumber()
  maxSendRate?: number;

  /**
   * A secret of your own, with which a forwarder signs delivery receipts for `/api/provider-events/sms/:accountId`;
   * stored encrypted and never returned. Null clears it: then all receipts are refused.
   * @example "a secret of your own, at least 16 characters"
   */
  @IsOptional()
  @Length(MIN_SIGNING_KEY_LENGTH, 1_000)
  @IsSingleLine()
  @IsString()
  eventSigningKey?: string | null;

  /** The account at Twilio. */
  @IfPresent()
  @IsObject()
  @ValidateNested()
  @Type(() => TwilioSettingsDto)
  twilio?: TwilioSettingsDto;

  /**
   * Words that opt out as a whole reply, besides STOP and the others that all accounts have: at most 20 of up to 30
   * characters. Case, spaces, punctuation and accents do not count.
   * @example ["STOPP", "kein Interesse"]
   */
  @IsOptional()
  @ArrayMaxSize(MAX_STOP_WORDS)
  @MaxLength(MAX_STOP_WORD_LENGTH, { each: true })
  @IsString({ each: true })
  @IsArray()
  stopWords?: string[] | null;

  /** SMS with a topic that would be sent in this part of the day wait for its end. Default: null, none. */
  @IsOptional()
  @IsObject()
  @ValidateNested()
  @Type(() => QuietHoursDto)
  quietHours?: QuietHoursDto | null;
}
