import { IsOptional, IsString, Length, Matches } from 'class-validator';

import { IfPresent, IsSingleLine } from '../../platform/http/validators.js';

/** Absent fields are kept; null clears. New settings need `accountSid` and `authToken`. */
export class TwilioSettingsDto {
  /**
   * The SID of the Twilio account or subaccount. Another one needs its `authToken`.
   * @example "AC0123456789abcdef0123456789abcdef"
   */
  @IfPresent()
  @Matches(/^AC[0-9a-fA-F]{32}$/, { message: '$property must be AC and 32 hexadecimal digits' })
  @IsString()
  accountSid?: string;

  /**
   * The auth token of the account, with which the service signs in and verifies what Twilio posts; stored encrypted and
   * never returned. The secret of an API key does not do: Twilio signs with the auth token.
   * @example "the auth token of the account"
   */
  @IfPresent()
  @Length(16, 200)
  @IsSingleLine()
  @IsString()
  authToken?: string;

  /**
   * The sender of messages: a number of the account, in E.164 format or of 10 digits (US), a short code, or a name of
   * up to 11 letters and digits in countries that allow it. Replaces `messagingServiceSid`. Without both, no messages
   * are sent.
   * @example "+12065550100"
   */
  @IsOptional()
  @Length(1, 30)
  @IsString()
  from?: string | null;

  /**
   * The messaging service that chooses the sender of messages. Replaces `from`.
   * @example "MG0123456789abcdef0123456789abcdef"
   */
  @IsOptional()
  @Matches(/^MG[0-9a-fA-F]{32}$/, { message: '$property must be MG and 32 hexadecimal digits' })
  @IsString()
  messagingServiceSid?: string | null;
}
