import type { CheckboxGroupProps } from '@mantine/core';

import type { Scope } from '../../api/types';
import { ChoicesField } from '../../components/choices-field';
import { SCOPES } from './scopes';

export const ScopeField = (props: Omit<CheckboxGroupProps<Scope>, 'children'>) => (
  <ChoicesField label="Scopes" description="What the key is allowed to do." choices={SCOPES} {...props} />
);
