import { fetchApi } from '../../../api/client';
import type { Schemas } from '../../../api/types';
import { requireReadable } from '../../../components/readable-file';
import { useAction } from '../../../components/use-action';
import { type Mapping, toRequest } from './mapping';
import type { Sample } from './read-sample';

export type ContactImport = Schemas['ImportResponse'];

export interface ImportRequest {
  file: File;
  sample: Sample;
  mapping: Mapping;
  /** The attributes, by name, with the columns that become them. */
  attributes: ReadonlyMap<string, string>;
  listId: string | null;
}

/** Uploads the file. A worker imports it. */
export const useStartImport = (onStarted: (started: ContactImport) => void) =>
  useAction({
    run: async ({ file, sample, mapping, attributes, listId, dryRun }: ImportRequest & { dryRun: boolean }) => {
      await requireReadable(file, 'contacts.import.unreadable');
      const body = new FormData();
      body.set('mapping', JSON.stringify(toRequest(mapping, attributes, sample.header)));
      body.set('dryRun', String(dryRun));
      if (listId !== null) body.set('listId', listId);
      body.set('file', file);
      const response = await fetchApi('/api/contacts/import/csv', { method: 'POST', body });
      return (await response.json()) as ContactImport;
    },
    isErrorShownInForm: true,
    onSuccess: onStarted,
  });
