import { Select, type SelectProps } from '@mantine/core';

export const RoleField = (props: SelectProps) => (
  <Select
    label="Role"
    data={[
      { value: 'member', label: 'Member: looks, and changes nothing' },
      { value: 'admin', label: 'Admin: may do everything' },
    ]}
    allowDeselect={false}
    {...props}
  />
);
