import { IsBoolean, IsNumber, IsOptional, IsString, Length, Matches, Max, Min } from 'class-validator';

import { IfPresent, IsSingleLine } from '../../../../platform/http/validators.js';
import { MIN_SIGNING_KEY_LENGTH } from '../../../../shared/event-signing-key.js';
import { IsAwsRegion, IsTopicArn } from './aws-names.js';

/** Absent fields are kept, null clears; the first settings need `region`. */
export class SmsSettingsDto {
  /** Whether the account may send SMS. At first: false. */
  @IfPresent()
  @IsBoolean()
  enabled?: boolean;

  /**
   * The AWS region of the origination number. The credentials are those of the `ses` settings, or of the process itself.
   * @example "us-east-1"
   */
  @IfPresent()
  @IsAwsRegion()
  region?: string;

  /**
   * What messages come from: a number in E.164 format or of 10 digits (US), or a short code, that stands in the AWS
   * account. Without it nothing is sent.
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

  /** Whether the number takes replies. Needs `topicArn`. At first: false. */
  @IfPresent()
  @IsBoolean()
  twoWay?: boolean;

  /**
   * The SNS topic that replies to the number are published to.
   * @example "arn:aws:sns:us-east-1:123456789012:sms-replies"
   */
  @IsOptional()
  @IsTopicArn()
  topicArn?: string | null;

  /**
   * Messages per second, over all workers: what the origination number takes. A US long code takes 1, a toll-free number
   * 3. At first: 20, the usual quota of an AWS account.
   */
  @IfPresent()
  @Min(0.1)
  @Max(1_000)
  @IsNumber()
  maxSendRate?: number;

  /**
   * A secret of your own, with which a forwarder signs delivery receipts for `/api/provider-events/sms/:accountId`; kept
   * encrypted and never shown. Null clears it: then no receipt is taken.
   * @example "a secret of your own, at least 16 characters"
   */
  @IsOptional()
  @Length(MIN_SIGNING_KEY_LENGTH, 1_000)
  @IsSingleLine()
  @IsString()
  eventSigningKey?: string | null;
}
