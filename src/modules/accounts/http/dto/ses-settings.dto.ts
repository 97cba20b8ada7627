import { IsOptional, IsString, Length, Matches } from 'class-validator';

import { IfPresent } from '../../../../platform/http/if-present.js';
import { IsSingleLine } from '../../../../platform/http/is-single-line.js';

/** Absent fields are kept, null clears; the first settings need `region`. */
export class SesSettingsDto {
  /** @example "eu-west-1" */
  @IfPresent()
  @Matches(/^[a-z]{2,4}(-[a-z]{2,12}){1,3}-\d{1,2}$/, { message: 'region must be an AWS region such as eu-west-1' })
  @IsString()
  region?: string;

  /** The configuration set that messages are sent with. */
  @IsOptional()
  @Matches(/^[\w-]{1,64}$/, { message: 'configurationSet must be 1 to 64 letters, digits, hyphens and underscores' })
  @IsString()
  configurationSet?: string | null;

  /** The SNS topic that SES publishes the account's events to. */
  @IsOptional()
  @Matches(/^arn:aws[a-z-]*:sns:[a-z0-9-]+:\d{12}:[\w-]{1,256}$/, {
    message: 'topicArn must be the ARN of an SNS topic',
  })
  @IsString()
  topicArn?: string | null;

  /** With `secretAccessKey`. Null: the credentials of the process itself. */
  @IsOptional()
  @Matches(/^\w{1,128}$/, { message: 'accessKeyId must be 1 to 128 letters and digits' })
  @IsString()
  accessKeyId?: string | null;

  /** Kept encrypted and never shown. Another `accessKeyId` needs its own. */
  @IsOptional()
  @Length(1, 256)
  @IsSingleLine()
  @IsString()
  secretAccessKey?: string | null;
}
