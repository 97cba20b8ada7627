import { useQuery } from '@tanstack/react-query';
import { useParams } from 'react-router';

import { unwrap, api } from '../../api/client';
import { AdminOnly } from '../../app/admin-only';
import { LoadError, Loading } from '../../components/states';
import { FormEditor } from './form-editor';

/** Edits one form. The id `new` creates one. */
export default function FormPage() {
  const { id = '' } = useParams();
  const isNew = id === 'new';
  const { data, error, refetch } = useQuery({
    queryKey: ['forms', id],
    queryFn: ({ signal }) => unwrap(api.GET('/api/forms/{id}', { params: { path: { id } }, signal })),
    enabled: !isNew,
    gcTime: 0, // an editor starts from what is stored
  });
  if (isNew)
    return (
      <AdminOnly>
        <FormEditor stored={null} />
      </AdminOnly>
    );
  if (!data) return error ? <LoadError error={error} onRetry={() => void refetch()} /> : <Loading />;
  return <FormEditor key={data.id} stored={data} />;
}
