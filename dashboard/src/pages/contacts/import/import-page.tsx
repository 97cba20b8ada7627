import { useState } from 'react';
import { useSearchParams } from 'react-router';

import { ForAdmins } from '../../../app/for-admins';
import { PageHeader } from '../../../components/page-header';
import { ImportForm } from './import-form';
import { ImportProgress } from './import-progress';
import { useStartImport, type Wanted } from './use-start-import';

export default function ImportPage() {
  return (
    <ForAdmins>
      <ImportContacts />
    </ForAdmins>
  );
}

/** The import that runs, or has run, is in the address; what it was started with is known until the page is left. */
function ImportContacts() {
  const [params, setParams] = useSearchParams();
  const [wanted, setWanted] = useState<Wanted>();
  const start = useStartImport(({ id }) => setParams({ import: id }));
  const id = params.get('import');
  return (
    <>
      <PageHeader
        title="Import contacts"
        description="Upload a CSV file in UTF-8 with a header row. An import never reactivates unsubscribed or suppressed contacts."
        back={{ to: '/contacts', label: 'Contacts' }}
      />
      {id === null ? (
        <ImportForm
          initial={wanted}
          isBusy={start.isPending}
          error={start.error}
          onStart={(chosen, dryRun) => {
            setWanted(chosen);
            start.mutate({ ...chosen, dryRun });
          }}
        />
      ) : (
        <ImportProgress
          key={id}
          id={id}
          isBusy={start.isPending}
          error={start.error}
          onImport={wanted && (() => start.mutate({ ...wanted, dryRun: false }))}
          onAgain={() => setParams({})}
        />
      )}
    </>
  );
}
