import { buildMessage, ValidateBy, ValidateIf, type ValidationOptions } from 'class-validator';

import { isLogoUrl } from '../../shared/branding.js';
import { emailFault, isEmailAddress } from '../../shared/email-address.js';
import { parseIsoTime, parseZonedIsoTime } from '../../shared/iso-time.js';
import { isSingleLine } from '../../shared/text.js';

/** Allows a field to be absent but, unlike @IsOptional, not null. */
export const IfPresent = (): PropertyDecorator => ValidateIf((_, value) => value !== undefined);

/** Accepts what `isEmailAddress` accepts. The hints are those of `emailFault`. */
export const IsEmailAddress = (
  options?: ValidationOptions,
  hints?: { list?: string; name?: string },
): PropertyDecorator =>
  ValidateBy(
    {
      name: 'isEmailAddress',
      validator: {
        validate: (value) => typeof value === 'string' && isEmailAddress(value),
        defaultMessage: buildMessage((each, args) => `${each}$property ${emailFault(args?.value, hints)}`, options),
      },
    },
    options,
  );

/** An address without a display name, which goes into `fromName`. */
export const IsFromEmail = (): PropertyDecorator => IsEmailAddress(undefined, { name: 'the name goes into fromName' });

/** Accepts what `isLogoUrl` accepts. */
export const IsLogoUrl = (): PropertyDecorator =>
  ValidateBy({
    name: 'isLogoUrl',
    validator: {
      validate: (value) => typeof value === 'string' && isLogoUrl(value),
      defaultMessage: () => '$property must be the https URL of a file, of at most 2000 characters',
    },
  });

/** Accepts what `parseIsoTime` can parse. */
export const IsIsoTime = (): PropertyDecorator =>
  ValidateBy({
    name: 'isIsoTime',
    validator: {
      validate: (value) => typeof value === 'string' && parseIsoTime(value) !== null,
      defaultMessage: () => '$property must be an ISO 8601 date or date-time',
    },
  });

/** Accepts a date-time with `Z` or an offset. */
export const IsZonedIsoTime = (): PropertyDecorator =>
  ValidateBy({
    name: 'isZonedIsoTime',
    validator: {
      validate: (value) => typeof value === 'string' && parseZonedIsoTime(value) !== null,
      defaultMessage: () => '$property must be an ISO 8601 date-time with an offset',
    },
  });

/** Accepts text with at least one visible character. */
export const IsNotBlank = (): PropertyDecorator =>
  ValidateBy({
    name: 'isNotBlank',
    validator: {
      validate: (value) => typeof value === 'string' && /\S/.test(value),
      defaultMessage: () => '$property must not be blank',
    },
  });

/** Accepts text without line breaks and other control characters. */
export const IsSingleLine = (options?: ValidationOptions): PropertyDecorator =>
  ValidateBy(
    {
      name: 'isSingleLine',
      validator: {
        validate: (value) => typeof value === 'string' && isSingleLine(value),
        defaultMessage: buildMessage(
          (each) => `${each}$property must not hold line breaks or control characters`,
          options,
        ),
      },
    },
    options,
  );
