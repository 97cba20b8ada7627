import { IsOptional, IsString, Length, Matches } from 'class-validator';

import { IfPresent, IsSingleLine } from '../../platform/http/validators.js';
import { IsAwsRegion, IsTopicArn } from '../aws/aws-names.js';

/** Absent fields are kept; null clears. New settings need `region`. */
export class SesSettingsDto {
  /** @example "eu-west-1" */
  @IfPresent()
  @IsAwsRegion()
  region?: string;

  /**
   * The configuration set that messages are sent with.
   * @example "transactional"
   */
  @IsOptional()
  @Matches(/^[\w-]{1,64}$/, { message: 'configurationSet must be 1 to 64 letters, digits, hyphens and underscores' })
  @IsString()
  configurationSet?: string | null;

  /**
   * The SNS topic to which SES publishes the account's events.
   * @example "arn:aws:sns:eu-west-1:123456789012:ses-events"
   */
  @IsOptional()
  @IsTopicArn()
  topicArn?: string | null;

  /**
   * Needs `secretAccessKey`. Null: the credentials of the process.
   * @example "AKIAIOSFODNN7EXAMPLE"
   */
  @IsOptional()
  @Matches(/^\w{1,128}$/, { message: 'accessKeyId must be 1 to 128 letters and digits' })
  @IsString()
  accessKeyId?: string | null;

  /**
   * Stored encrypted and never returned. A new `accessKeyId` needs a new one.
   * @example "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"
   */
  @IsOptional()
  @Length(1, 256)
  @IsSingleLine()
  @IsString()
  secretAccessKey?: string | null;
}
