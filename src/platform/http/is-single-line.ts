import { buildMessage, ValidateBy, type ValidationOptions } from 'class-validator';

import { isSingleLine } from '../../shared/single-line.js';

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
