import { buildMessage, ValidateBy, type ValidationOptions } from 'class-validator';

import { isRelayHost } from './smtp-settings.js';

/** A host name or an IP address, without a port. */
export const IsRelayHost = (options?: ValidationOptions): PropertyDecorator =>
  ValidateBy(
    {
      name: 'isRelayHost',
      validator: {
        validate: (value) => typeof value === 'string' && isRelayHost(value),
        defaultMessage: buildMessage((each) => `${each}$property must be a host name or an IP address`, options),
      },
    },
    options,
  );
