import { Button } from '@mantine/core';
import { type LucideIcon, Plus } from 'lucide-react';
import { type ReactNode, useState } from 'react';

import { useIsAdmin } from '../app/use-is-admin';
import { t } from '../texts/text';
import { DangerButton } from './danger-button';
import type { Column } from './data-table';
import { PageHeader } from './page-header';
import { type NumberedPage, PageList } from './page-list';
import { Panel } from './panel';
import { RowActions } from './row-actions';
import { Empty } from './states';
import { useAction } from './use-action';

interface Row {
  id: string;
  name: string;
}

interface Props<T extends Row> extends Removal {
  title: string;
  description: string;
  icon: LucideIcon;
  /** The label of the button that adds a row. */
  add: string;
  /** The label of the button that edits a row. */
  edit: string;
  empty: { title: string; text: string };
  columns: readonly Column<T>[];
  load: (page: number, signal: AbortSignal) => Promise<NumberedPage<T>>;
  linkOf: (row: T) => string;
  /** Edits a row, or adds one if it is null. */
  dialog: (row: T | null, close: () => void) => ReactNode;
}

interface Removal {
  remove: (id: string) => Promise<unknown>;
  /** The label of the button that confirms the removal, and the text about its effects. */
  removal: { confirm: string; text: string };
  /** The queries of the rows, and further ones that a removal changes. */
  queryKeys: readonly [rows: readonly string[], ...more: readonly (readonly string[])[]];
}

/** A page for rows with a name that are edited in a dialog. */
export function ManagedList<T extends Row>({ title, description, icon, add, empty, dialog, ...props }: Props<T>) {
  const isAdmin = useIsAdmin();
  /** The row being edited, null for a new one, undefined while the dialog is closed. */
  const [edited, setEdited] = useState<T | null>();
  const { columns, load, linkOf, queryKeys } = props;
  return (
    <>
      <PageHeader title={title} description={description}>
        {isAdmin && (
          <Button leftSection={<Plus size={16} />} onClick={() => setEdited(null)}>
            {add}
          </Button>
        )}
      </PageHeader>
      <Panel isFlush>
        <PageList
          caption={title}
          queryKey={queryKeys[0]}
          load={load}
          columns={isAdmin ? [...columns, actionsColumn<T>(props, setEdited)] : columns}
          keyOf={({ id }) => id}
          linkOf={linkOf}
          empty={
            <Empty icon={icon} title={empty.title}>
              {empty.text}
            </Empty>
          }
        />
      </Panel>
      {edited !== undefined && dialog(edited, () => setEdited(undefined))}
    </>
  );
}

const actionsColumn = <T extends Row>(
  { edit, ...removal }: Removal & { edit: string },
  onEdit: (row: T) => void,
): Column<T> => ({
  header: 'common.column.actions',
  isHeaderHidden: true,
  align: 'right',
  width: '10rem',
  cell: (row) => (
    <RowActions>
      <Button
        variant="subtle"
        size="compact-xs"
        aria-label={t('common.action.of', { action: edit, name: row.name })}
        onClick={() => onEdit(row)}
      >
        {edit}
      </Button>
      <Delete row={row} {...removal} />
    </RowActions>
  ),
});

function Delete({ row: { id, name }, remove, removal, queryKeys }: Removal & { row: Row }) {
  const removing = useAction({
    run: () => remove(id),
    successMessage: t('common.deleted', { name }),
    invalidates: queryKeys,
  });
  return (
    <DangerButton
      isSmall
      label={t('common.action.delete')}
      of={name}
      title={t('common.delete.title', { name })}
      confirm={removal.confirm}
      isBusy={removing.isPending}
      onConfirm={removing.mutate}
    >
      {removal.text}
    </DangerButton>
  );
}
