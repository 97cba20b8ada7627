import { useState } from 'react';
import { useSearchParams } from 'react-router';

import { AdminOnly } from '../../../app/admin-only';
import { PageHeader } from '../../../components/page-header';
import { useUnsavedGuard } from '../../../components/use-unsaved-guard';
import { t } from '../../../texts/text';
import { ImportForm } from './import-form';
import { ImportProgress } from './import-progress';
import { useStartImport, type ImportRequest } from './use-start-import';

export default function ImportPage() {
  return (
    <AdminOnly>
      <ImportContacts />
    </AdminOnly>
  );
}

/** The id of the import is a query parameter. The chosen file and mapping are kept until the page is left. */
function ImportContacts() {
  const [params, setParams] = useSearchParams();
  const [request, setRequest] = useState<ImportRequest>();
  const start = useStartImport(({ id }) => setParams({ import: id }));
  useUnsavedGuard(start.isPending, 'contacts.import.uploading');
  const id = params.get('import');
  return (
    <>
      <PageHeader
        title={t('contacts.import.title')}
        description={t('contacts.import.description')}
        back={{ to: '/contacts', label: t('common.section.contacts') }}
      />
      {id === null ? (
        <ImportForm
          initial={request}
          isBusy={start.isPending}
          error={start.error}
          onChoose={start.reset}
          onStart={(chosen, dryRun) => {
            setRequest(chosen);
            start.mutate({ ...chosen, dryRun });
          }}
        />
      ) : (
        <ImportProgress
          key={id}
          id={id}
          isBusy={start.isPending}
          error={start.error}
          onImport={request && (() => start.mutate({ ...request, dryRun: false }))}
          onAgain={() => setParams({})}
        />
      )}
    </>
  );
}
