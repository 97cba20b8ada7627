import { IsOptional, IsString, Matches, MaxLength, ValidateBy } from 'class-validator';

import { MAX_SMS_LENGTH, MAX_SMS_SEGMENTS } from '../../../../config/limits.js';
import { parseSmsRecipient } from '../../domain/sms-recipient.js';
import { ScheduledAt } from './scheduled-at.js';

const faultOf = (value: unknown): string | undefined => {
  if (typeof value !== 'string') return 'must be a string';
  const recipient = parseSmsRecipient(value);
  return 'fault' in recipient ? recipient.fault : undefined;
};

const IsSmsRecipient = () =>
  ValidateBy({
    name: 'isSmsRecipient',
    validator: {
      validate: (value) => faultOf(value) === undefined,
      defaultMessage: (args) => `$property ${faultOf(args?.value) ?? ''}`,
    },
  });

const IsNotBlank = () => Matches(/\S/, { message: '$property must not be empty' });

export class SendSmsDto {
  /**
   * The recipient: a mobile number in E.164 format, or of 10 digits in the US. Must not have opted out.
   * @example "+14155550100"
   */
  @IsSmsRecipient()
  to!: string;

  /**
   * The text, at most 10 segments: 1,530 characters of GSM-7, or 670 if any of them is not in GSM-7.
   * @example "Your code is 4711"
   */
  @MaxLength(MAX_SMS_LENGTH, { message: `$property is too long: at most ${MAX_SMS_SEGMENTS} segments are sent` })
  @IsNotBlank()
  @IsString()
  body!: string;

  @ScheduledAt()
  scheduledAt?: string | null;

  /**
   * The id of a topic. A recipient who has unsubscribed from it, or who would have to subscribe to it first, is
   * refused.
   */
  @IsOptional()
  @Matches(/^c[a-z0-9]{24}$/, { message: 'topicId must be the id of a topic' })
  topicId?: string | null;
}

export class PreviewSmsDto {
  /**
   * The text. It may exceed the limit for sending.
   * @example "Your order is on its way 🎉"
   */
  @MaxLength(2 * MAX_SMS_LENGTH)
  @IsNotBlank()
  @IsString()
  body!: string;
}
