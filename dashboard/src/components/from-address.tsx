import { Autocomplete } from '@mantine/core';
import type { GetInputPropsReturnType } from '@mantine/form';

import { t } from '../texts/text';

/** The sender address field; suggests the verified addresses. */
export const FromAddress = ({ addresses, ...input }: { addresses: readonly string[] } & GetInputPropsReturnType) => (
  <Autocomplete
    label={t('common.column.from')}
    description={t('common.field.sender.description')}
    type="email"
    required
    withAsterisk={false}
    data={[...addresses]}
    {...input}
  />
);
