import { buildMessage, ValidateBy, type ValidationOptions } from 'class-validator';

import { isEmailAddress } from '../../shared/email-address.js';

/** Accepts what `isEmailAddress` accepts. */
export const IsEmailAddress = (options?: ValidationOptions): PropertyDecorator =>
  ValidateBy(
    {
      name: 'isEmailAddress',
      validator: {
        validate: (value) => typeof value === 'string' && isEmailAddress(value),
        defaultMessage: buildMessage((each) => `${each}$property must be an email address`, options),
      },
    },
    options,
  );
