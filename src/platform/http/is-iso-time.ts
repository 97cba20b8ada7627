import { ValidateBy } from 'class-validator';

import { parseIsoTime } from '../../shared/iso-time.js';

/** Accepts what `parseIsoTime` can parse. */
export const IsIsoTime = (): PropertyDecorator =>
  ValidateBy({
    name: 'isIsoTime',
    validator: {
      validate: (value) => typeof value === 'string' && parseIsoTime(value) !== null,
      defaultMessage: () => '$property must be an ISO 8601 date or date-time',
    },
  });
