import { Select, type SelectProps } from '@mantine/core';

import { t } from '../../texts/text';

export const RoleField = (props: SelectProps) => (
  <Select
    label={t('users.column.role')}
    data={[
      { value: 'member', label: t('users.role.member') },
      { value: 'admin', label: t('users.role.admin') },
    ]}
    allowDeselect={false}
    {...props}
  />
);
