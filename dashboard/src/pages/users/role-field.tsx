import { Select, type SelectProps } from '@mantine/core';

export const RoleField = (props: SelectProps) => (
  <Select
    label="Role"
    data={[
      { value: 'member', label: 'Member: read-only' },
      { value: 'admin', label: 'Admin: full access' },
    ]}
    allowDeselect={false}
    {...props}
  />
);
