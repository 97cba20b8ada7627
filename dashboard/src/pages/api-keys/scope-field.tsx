import type { CheckboxGroupProps } from '@mantine/core';

import type { Scope } from '../../api/types';
import { ChoicesField } from '../../components/choices-field';
import { t } from '../../texts/text';

export const ScopeField = (props: Omit<CheckboxGroupProps<Scope>, 'children'>) => (
  <ChoicesField
    label={t('api-keys.field.scopes')}
    description={t('api-keys.field.scopes.description')}
    choices={{
      send: t('api-keys.scope.send'),
      read_events: t('api-keys.scope.read_events'),
      'contacts:read': t('api-keys.scope.contacts:read'),
      'contacts:write': t('api-keys.scope.contacts:write'),
      'sms:send': t('api-keys.scope.sms:send'),
    }}
    {...props}
  />
);
