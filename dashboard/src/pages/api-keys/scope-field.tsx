import { Checkbox, Stack } from '@mantine/core';
import type { ReactNode } from 'react';

import type { Scope } from '../../api/types';
import { SCOPES } from './scopes';

interface Props {
  defaultValue?: Scope[];
  onChange?: (scopes: Scope[]) => void;
  error?: ReactNode;
}

export function ScopeField({ defaultValue, onChange, error }: Props) {
  return (
    <Checkbox.Group
      label="Scopes"
      description="What the key may do."
      withAsterisk
      defaultValue={defaultValue}
      onChange={(scopes) => onChange?.(scopes)}
      error={error}
    >
      <Stack gap={8} mt={8} mb={4}>
        {Object.entries(SCOPES).map(([scope, meaning]) => (
          <Checkbox key={scope} value={scope} label={<span className="mono">{scope}</span>} description={meaning} />
        ))}
      </Stack>
    </Checkbox.Group>
  );
}
