import type { CheckboxGroupProps } from '@mantine/core';

import type { Scope } from '../../api/types';
import { ChoicesField } from '../../components/choices-field';

/** What each scope lets a key do. */
const SCOPES: Readonly<Record<Scope, string>> = {
  send: 'Send email',
  read_events: 'Read the messages it sent, with their events and statistics',
  'contacts:read': 'Read contacts and lists',
  'contacts:write': 'Create, update and import contacts',
  'sms:send': 'Send SMS',
};

export const ScopeField = (props: Omit<CheckboxGroupProps<Scope>, 'children'>) => (
  <ChoicesField label="Scopes" description="What the key is allowed to do." choices={SCOPES} {...props} />
);
