import {
  MAX_ALLOWED_ORIGINS,
  MAX_FORM_NAME_LENGTH,
  MAX_LISTS_OF_FORM,
  MAX_TOPICS_OF_FORM,
} from '../../../../config/limits.js';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { Transform, Type } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayUnique,
  IsArray,
  IsIn,
  IsObject,
  IsOptional,
  IsString,
  Length,
  Matches,
  MaxLength,
  ValidateBy,
  ValidateNested,
} from 'class-validator';

import { IfPresent, IsEmailAddress, IsNotBlank, IsSingleLine } from '../../../../platform/http/validators.js';
import { MAX_WORDING_LENGTH } from '../../../../shared/consent-fields.js';
import { parseUrl } from '../../../../shared/parse-url.js';
import {
  FORM_CHALLENGES,
  FORM_FIELDS,
  FORM_STATUSES,
  type FormChallenge,
  type FormField,
  type FormStatus,
  MAX_URL_LENGTH,
  hasPlainHost,
  parseOrigin,
} from '../../domain/form.js';

const IS_ID = /^c[a-z0-9]{24}$/;

function isWebAddress(text: string): boolean {
  const url = /^https?:\/\/\S+$/i.test(text) ? parseUrl(text) : null;
  return url !== null && hasPlainHost(url);
}

const IsWebAddress = () =>
  ValidateBy({
    name: 'isWebAddress',
    validator: {
      validate: (value) => typeof value === 'string' && isWebAddress(value),
      defaultMessage: () => '$property must be an http or https URL',
    },
  });

const IsOrigin = () =>
  ValidateBy(
    {
      name: 'isOrigin',
      validator: {
        validate: (value) => typeof value === 'string' && parseOrigin(value) !== null,
        defaultMessage: () => 'each value in $property must be an origin such as https://www.example.com',
      },
    },
    { each: true },
  );

const toOrigins = ({ value }: { value: unknown }): unknown =>
  Array.isArray(value)
    ? value.map((each: unknown) => (typeof each === 'string' ? (parseOrigin(each) ?? each) : each))
    : value;

export class FormConfirmationDto {
  /**
   * The subject of the confirmation mail. Placeholders: see `templateId`.
   * @example "Please confirm your subscription"
   */
  @IfPresent()
  @IsSingleLine()
  @Length(1, 998)
  @IsString()
  subject?: string;

  /**
   * A template with `{{confirmUrl}}`; null: a text of the service, in English or German. Further placeholders:
   * `email`, `firstName`, `lastName`, `company`, `accountName`, `formName`, `wording`.
   */
  @IsOptional()
  @Matches(IS_ID, { message: 'confirmation.templateId must be the id of a template' })
  templateId?: string | null;
}

export class FormWelcomeDto {
  /** A template with the placeholders of the confirmation, and `{{unsubscribeUrl}}`. */
  @Matches(IS_ID, { message: 'welcome.templateId must be the id of a template' })
  templateId!: string;
}

class FormFieldsDto {
  /** The lists that people join when they confirm. */
  @IfPresent()
  @ArrayUnique()
  @IsString({ each: true })
  @ArrayMaxSize(MAX_LISTS_OF_FORM)
  @IsArray()
  listIds?: string[];

  /** The topics that people agree to; none: mail of the account on any topic. */
  @IfPresent()
  @ArrayUnique()
  @IsString({ each: true })
  @ArrayMaxSize(MAX_TOPICS_OF_FORM)
  @IsArray()
  topicIds?: string[];

  /** What the form asks for besides the address. */
  @ApiPropertyOptional({ enum: FORM_FIELDS, isArray: true })
  @IfPresent()
  @ArrayUnique()
  @IsIn(FORM_FIELDS, { each: true, message: `fields must be some of ${FORM_FIELDS.join(', ')}` })
  @IsArray()
  fields?: FormField[];

  /**
   * The display name in the From header.
   * @example "Example"
   */
  @IsOptional()
  @MaxLength(200)
  @IsSingleLine()
  @IsString()
  fromName?: string | null;

  @IfPresent()
  @ValidateNested()
  @Type(() => FormConfirmationDto)
  @IsObject()
  confirmation?: FormConfirmationDto;

  /** The mail after the confirmation; null: none. */
  @ApiPropertyOptional({ type: FormWelcomeDto, nullable: true })
  @IsOptional()
  @ValidateNested()
  @Type(() => FormWelcomeDto)
  @IsObject()
  welcome?: FormWelcomeDto | null;

  /**
   * Where the browser goes after the submission; null: a page of the service.
   * @example "https://www.example.com/check-your-inbox"
   */
  @IsOptional()
  @IsWebAddress()
  @MaxLength(MAX_URL_LENGTH)
  @IsString()
  redirectUrl?: string | null;

  /**
   * Where the browser goes after the confirmation; null: a page of the service.
   * @example "https://www.example.com/welcome"
   */
  @IsOptional()
  @IsWebAddress()
  @MaxLength(MAX_URL_LENGTH)
  @IsString()
  confirmedUrl?: string | null;

  /**
   * Origins of pages that may show or submit the form.
   * @example ["https://www.example.com"]
   */
  @IfPresent()
  @Transform(toOrigins)
  @IsOrigin()
  @ArrayMaxSize(MAX_ALLOWED_ORIGINS)
  @IsArray()
  allowedOrigins?: string[];

  /** `altcha`, the default: browsers solve a proof of work before they can submit. */
  @ApiPropertyOptional({ enum: FORM_CHALLENGES })
  @IfPresent()
  @IsIn(FORM_CHALLENGES)
  challenge?: FormChallenge;

  /** A disabled form takes no submissions. Links that were mailed before work until they expire. */
  @ApiPropertyOptional({ enum: FORM_STATUSES })
  @IfPresent()
  @IsIn(FORM_STATUSES)
  status?: FormStatus;
}

export class CreateFormDto extends FormFieldsDto {
  /**
   * The title of the page.
   * @example "Newsletter"
   */
  @IsNotBlank()
  @IsSingleLine()
  @Length(1, MAX_FORM_NAME_LENGTH)
  @IsString()
  name!: string;

  /**
   * What people agree to. Addresses that begin with https:// become links.
   * @example "I want the newsletter by email. I can unsubscribe at any time."
   */
  @IsNotBlank()
  @Length(1, MAX_WORDING_LENGTH)
  @IsString()
  wording!: string;

  /**
   * The address that the mails come from: verified, or of a verified domain.
   * @example "hello@example.com"
   */
  @IsEmailAddress()
  fromEmail!: string;
}

/** Absent fields are kept. */
export class ChangeFormDto extends FormFieldsDto {
  /** @example "Newsletter" */
  @IfPresent()
  @IsNotBlank()
  @IsSingleLine()
  @Length(1, MAX_FORM_NAME_LENGTH)
  @IsString()
  name?: string;

  /**
   * What people agree to; a change makes a new version. Records of those who agreed to an earlier one keep that.
   * @example "I want the newsletter by email. I can unsubscribe at any time."
   */
  @IfPresent()
  @IsNotBlank()
  @Length(1, MAX_WORDING_LENGTH)
  @IsString()
  wording?: string;

  /**
   * The address that the mails come from: verified, or of a verified domain.
   * @example "hello@example.com"
   */
  @IfPresent()
  @IsEmailAddress()
  fromEmail?: string;
}
