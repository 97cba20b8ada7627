import { buildMessage, ValidateBy, type ValidationOptions } from 'class-validator';

import { isEmailAddress } from '../../shared/email-address.js';

/** Text that mail can be sent to, at most 254 octets with the domain in punycode; spaces around it are overlooked. */
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
