import { IsBoolean, IsNumber, IsOptional, IsString, Length, Matches, Max, Min } from 'class-validator';

import { IfPresent, IsSingleLine } from '../../../../platform/http/validators.js';
import { MIN_SIGNING_KEY_LENGTH } from '../../../../shared/event-signing-key.js';
import { IsAwsRegion, IsTopicArn } from './aws-names.js';

/** Absent fields are kept; null clears. New settings need `region`. */
export class SmsSettingsDto {
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
   * a short code. Without it, no messages are sent.
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
   * toll-free number. Default: 20, the usual quota of an AWS account.
   */
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
}
