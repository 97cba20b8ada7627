import { Transform } from 'class-transformer';
import {
  type ValidationArguments,
  IsNotEmpty,
  IsObject,
  IsOptional,
  IsString,
  Matches,
  MaxLength,
  ValidateBy,
  ValidateIf,
} from 'class-validator';

import { IsEmailAddress, IsSingleLine } from '../../../../platform/http/validators.js';
import { hasAsciiLocalPart } from '../../../../shared/email-address.js';
import { unsubscribeUrlFault } from '../../domain/unsubscribe-url.js';
import { Untransformed } from '../../../../platform/http/validation.js';

/** A line break in a header would let a caller add headers of its own. */
const IsOneLine = () => IsSingleLine({ message: '$property must not contain line breaks or control characters' });
const MAX_BODY_PART = 1_000_000;

/** In a header, other characters need SMTPUTF8 (RFC 6531) at every relay on the way to the recipient. */
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

/** Its form; whether http will do is for the controller, which knows the service's own address. */
const IsUnsubscribeUrl = () =>
  ValidateBy({
    name: 'isUnsubscribeUrl',
    validator: {
      validate: (value) => typeof value === 'string' && unsubscribeUrlFault(value, true) === undefined,
      defaultMessage: (args) => unsubscribeUrlFault(String(args?.value), true) ?? 'unsubscribeUrl must be a string',
    },
  });

/** Like IsString, but leaves a missing value to the check that reports it as required. */
const IsStringIfGiven = () =>
  ValidateBy({
    name: 'isString',
    validator: {
      validate: (value) => value == null || typeof value === 'string',
      defaultMessage: () => '$property must be a string',
    },
  });

/** A template supplies what is missing, so with one no message says that a field is required. */
const isMissing =
  (demand: string) =>
  ({ object, property }: ValidationArguments): string =>
    (object as SendEmailDto).templateId == null ? demand : `${property} must not be empty`;

export class SendEmailDto {
  /**
   * The recipient. Must not be on the suppression list.
   * @example "ada@example.com"
   */
  @IsEmailAddress()
  to!: string;

  /**
   * Must be a verified sender of the account or belong to one of its verified domains.
   * @example "hello@example.org"
   */
  @IsEmailAddress()
  fromEmail!: string;

  /**
   * The display name in the From header.
   * @example "Example"
   */
  @IsOptional()
  @MaxLength(200)
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
   * Required unless `templateId` is given; overrides the template's.
   * @example "Your order"
   */
  @ValidateIf(({ subject, templateId }: SendEmailDto) => subject != null || templateId == null)
  @MaxLength(998)
  @IsOneLine()
  @IsNotEmpty({ message: isMissing('subject is required unless templateId is given') })
  @IsStringIfGiven()
  subject?: string | null;

  /**
   * The HTML body. Without a template, html or text is required; overrides the template's. {{unsubscribeUrl}} in it
   * becomes the recipient's unsubscribe link, and the mail carries List-Unsubscribe headers. Nested at most
   * 256 levels deep. Empty counts as absent.
   * @example "<p>Thank you.</p>"
   */
  @EmptyIsAbsent()
  @ValidateIf(({ html, text, templateId }: SendEmailDto) => html != null || (text == null && templateId == null))
  @MaxLength(MAX_BODY_PART)
  @IsNotEmpty({ message: isMissing('html or text is required unless templateId is given') })
  @IsStringIfGiven()
  html?: string | null;

  /**
   * The plain-text body; derived from the HTML where there is none. Overrides the template's. {{unsubscribeUrl}}
   * is the link here, too. Empty counts as absent.
   * @example "Thank you."
   */
  @EmptyIsAbsent()
  @IsOptional()
  @MaxLength(MAX_BODY_PART)
  @IsString()
  text?: string | null;

  /** The id of a saved template, which supplies subject, html and text. */
  @IsOptional()
  @Matches(/^c[a-z0-9]{24}$/, { message: 'templateId must be the id of a template' })
  templateId?: string | null;

  /**
   * Values for the double-brace placeholders of the template, or of the request's own subject, html and text, which are
   * then Mustache templates of at most 500,000 characters each. A missing value renders empty; {{unsubscribeUrl}} is
   * the hosted unsubscribe link unless it is given here. Without `variables`, only {{unsubscribeUrl}} is replaced in
   * the request's own subject, html and text.
   * @example { "firstName": "Ada" }
   */
  @IsOptional()
  @Untransformed()
  @IsObject()
  variables?: Record<string, unknown> | null;

  /**
   * The URL in List-Unsubscribe, instead of the hosted link: an absolute https URL of at most 2,048 characters (http
   * too if the service itself runs on http). With it the mail carries List-Unsubscribe and List-Unsubscribe-Post (RFC
   * 8058).
   * @example "https://example.com/unsubscribe?customer=4711"
   */
  @IsOptional()
  @IsUnsubscribeUrl()
  unsubscribeUrl?: string | null;
}
