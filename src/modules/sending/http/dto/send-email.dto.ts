import { ApiPropertyOptional, PickType } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import {
  type ValidationArguments,
  IsArray,
  IsBoolean,
  IsNotEmpty,
  IsObject,
  IsOptional,
  IsString,
  Matches,
  MaxLength,
  ValidateBy,
  ValidateIf,
} from 'class-validator';

import {
  MAX_ATTACHMENTS,
  MAX_BODY_PART_LENGTH,
  MAX_SENDER_NAME_LENGTH,
  MAX_SUBJECT_LENGTH,
} from '../../../../config/limits.js';
import { IsEmailAddress, IsFromEmail, IsSingleLine } from '../../../../platform/http/validators.js';
import { hasAsciiLocalPart } from '../../../../shared/email-address.js';
import { copyUntransformed, Untransformed } from '../../../../platform/http/validation.js';
import { attachmentFaults } from '../../domain/attachment.js';
import { headerFaults } from '../../domain/custom-headers.js';
import { metadataFaults, tagFaults } from '../../domain/labels.js';
import { addressFaults } from '../../domain/recipients.js';
import { unsubscribeUrlFault } from '../../domain/unsubscribe-url.js';
import { AttachmentDto } from './attachment.dto.js';
import { ScheduledAt } from './scheduled-at.js';

/** Prevents header injection. */
const IsOneLine = () => IsSingleLine({ message: '$property must not contain line breaks or control characters' });

/** Other characters in a header need SMTPUTF8 (RFC 6531) at every relay up to the recipient. */
const HasAsciiLocalPart = () =>
  ValidateBy({
    name: 'hasAsciiLocalPart',
    validator: {
      validate: (value) => typeof value !== 'string' || hasAsciiLocalPart(value),
      defaultMessage: () => 'replyTo must have only ASCII characters before the @',
    },
  });

/** An empty body counts as absent. */
const EmptyIsAbsent = () => Transform(({ value }: { value: unknown }) => (value === '' ? undefined : value));

/** Allows http, too: the controller, which knows the base URL, may refuse it. */
const IsUnsubscribeUrl = () =>
  ValidateBy({
    name: 'isUnsubscribeUrl',
    validator: {
      validate: (value) => typeof value === 'string' && unsubscribeUrlFault(value, true) === undefined,
      defaultMessage: (args) => unsubscribeUrlFault(String(args?.value), true) ?? 'unsubscribeUrl must be a string',
    },
  });

/** Like IsString, but accepts a missing value, which another check reports as required. */
const IsStringIfGiven = () =>
  ValidateBy({
    name: 'isString',
    validator: {
      validate: (value) => value == null || typeof value === 'string',
      defaultMessage: () => '$property must be a string',
    },
  });

/** With a template no field is required, so only an empty one can be at fault. */
const requiredMessage =
  (message: string) =>
  ({ object, property }: ValidationArguments): string =>
    (object as SendEmailDto).templateId == null ? message : `${property} must not be empty`;

export class SendEmailDto {
  /**
   * The recipient. Must not be on the suppression list.
   * @example "ada@example.com"
   */
  @IsEmailAddress(undefined, { list: 'cc and bcc take further recipients, POST /api/send/batch several messages' })
  to!: string;

  /**
   * A verified sender of the account, or an address of one of its verified domains.
   * @example "hello@example.com"
   */
  @IsFromEmail()
  fromEmail!: string;

  /**
   * The display name in the From header.
   * @example "Example"
   */
  @IsOptional()
  @MaxLength(MAX_SENDER_NAME_LENGTH)
  @IsOneLine()
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
   * Required unless `templateId` is given. Overrides the subject of the template.
   * @example "Your order"
   */
  @ValidateIf(({ subject, templateId }: SendEmailDto) => subject != null || templateId == null)
  @MaxLength(MAX_SUBJECT_LENGTH)
  @IsOneLine()
  @IsNotEmpty({ message: requiredMessage('subject is required unless templateId is given') })
  @IsStringIfGiven()
  subject?: string | null;

  /**
   * The HTML body. Without a template, html or text is required. Overrides the HTML of the template. {{unsubscribeUrl}}
   * is replaced by the recipient's unsubscribe link, which is then also in the List-Unsubscribe headers. Elements may
   * be nested at most 256 levels deep. An empty body counts as absent.
   * @example "<p>Thank you.</p>"
   */
  @EmptyIsAbsent()
  @ValidateIf(({ html, text, templateId }: SendEmailDto) => html != null || (text == null && templateId == null))
  @MaxLength(MAX_BODY_PART_LENGTH)
  @IsNotEmpty({ message: requiredMessage('html or text is required unless templateId is given') })
  @IsStringIfGiven()
  html?: string | null;

  /**
   * The plain-text body; derived from the HTML if it is missing. Overrides the text of the template. {{unsubscribeUrl}}
   * is replaced as in `html`. An empty body counts as absent.
   * @example "Thank you."
   */
  @EmptyIsAbsent()
  @IsOptional()
  @MaxLength(MAX_BODY_PART_LENGTH)
  @IsString()
  text?: string | null;

  /** The id of a saved template, which supplies subject, html and text. */
  @IsOptional()
  @Matches(/^c[a-z0-9]{24}$/, { message: 'templateId must be the id of a template' })
  templateId?: string | null;

  /**
   * Values for the double-brace placeholders of the template, or of the request's own subject, html and text, which are
   * then Mustache templates of at most 500,000 characters each. A missing value renders as empty; {{unsubscribeUrl}}
   * renders as the hosted unsubscribe link unless it has a value here. Without `variables`, only {{unsubscribeUrl}} in
   * the request's own html and text is replaced.
   * @example { "firstName": "Ada" }
   */
  @IsOptional()
  @Untransformed()
  @IsObject()
  variables?: Record<string, unknown> | null;

  /**
   * Refuses the send if a placeholder would render empty because `variables` has no string, number or boolean for it,
   * naming all of them: `variables lacks firstName, city`. An empty string is a value. What stands in a section counts
   * only if the section is shown; the name of a section never does. The request's own subject, html and text are then
   * templates even without `variables`.
   */
  @IsOptional()
  @IsBoolean()
  strictVariables?: boolean | null;

  /**
   * A URL for the headers List-Unsubscribe and List-Unsubscribe-Post (RFC 8058), instead of the hosted link: an
   * absolute https URL of at most 2,048 characters (or http if the service itself runs on http).
   * @example "https://example.com/unsubscribe?customer=4711"
   */
  @IsOptional()
  @IsUnsubscribeUrl()
  unsubscribeUrl?: string | null;

  /**
   * Recipients of visible copies. Each gets a message of its own, which counts towards the limits, has its own id and
   * shows the same To and Cc. An address that occurs several times in to, cc and bcc counts once, in the first role.
   */
  @ApiPropertyOptional({ type: [String], maxItems: 20, nullable: true })
  @IsOptional()
  @Untransformed(addressFaults('cc'))
  @IsArray()
  cc?: string[] | null;

  /** Recipients of copies whom no other recipient sees. Otherwise like `cc`. */
  @ApiPropertyOptional({ type: [String], maxItems: 20, nullable: true })
  @IsOptional()
  @Untransformed(addressFaults('bcc'))
  @IsArray()
  bcc?: string[] | null;

  /**
   * Files of at most 10 MB together (or as the installation configures it), decoded. The rest of the request has at
   * most 5 MB, which is 5,242,880 bytes. Requests of more than 1 MB need the header Content-Length.
   */
  @ApiPropertyOptional({
    type: [AttachmentDto],
    maxItems: MAX_ATTACHMENTS,
    nullable: true,
    example: [{ filename: 'invoice.txt', content: 'SGVsbG8=' }],
  })
  @IsOptional()
  @Untransformed(attachmentFaults)
  @IsArray()
  attachments?: AttachmentDto[] | null;

  /**
   * Further headers of the mail, at most 20: names of letters, digits and hyphens, values of one line with at most 900
   * bytes. Headers that the service sets and vendors' control headers are refused.
   * @example { "X-Order": "4711" }
   */
  @ApiPropertyOptional({ type: 'object', additionalProperties: { type: 'string' }, nullable: true })
  @IsOptional()
  @Untransformed(headerFaults)
  @IsObject()
  headers?: Record<string, string> | null;

  /**
   * Words of letters, digits, underscores and hyphens, by which lists and aggregates can be filtered. Not in the mail.
   * @example ["invoice"]
   */
  @ApiPropertyOptional({ type: [String], maxItems: 10, nullable: true })
  @IsOptional()
  @Untransformed(tagFaults)
  @IsArray()
  tags?: string[] | null;

  /**
   * Up to 20 strings, with their names 4 kB together, that are returned with the message. Not in the mail.
   * @example { "order": "4711" }
   */
  @ApiPropertyOptional({ type: 'object', additionalProperties: { type: 'string' }, nullable: true })
  @IsOptional()
  @Untransformed(metadataFaults)
  @IsObject()
  metadata?: Record<string, string> | null;

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

export class SendTestDto extends PickType(SendEmailDto, [
  ...(['to', 'fromEmail', 'fromName', 'variables', 'strictVariables'] as const),
  ...(['cc', 'bcc', 'attachments', 'headers', 'tags', 'metadata', 'scheduledAt', 'topicId'] as const),
]) {}

copyUntransformed(SendEmailDto.prototype, SendTestDto.prototype);
