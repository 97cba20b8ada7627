import { useQuery } from '@tanstack/react-query';
import { useParams } from 'react-router';

import { unwrap, api } from '../../api/client';
import { AdminOnly } from '../../app/admin-only';
import { LoadError, Loading } from '../../components/states';
import { TemplateEditor } from './template-editor';

/** Edits one template. The id `new` creates one. */
export default function TemplatePage() {
  const { id = '' } = useParams();
  const isNew = id === 'new';
  const { data, error, refetch } = useQuery({
    queryKey: ['templates', id],
    queryFn: ({ signal }) => unwrap(api.GET('/api/templates/{id}', { params: { path: { id } }, signal })),
    enabled: !isNew,
    gcTime: 0, // an editor starts from the newest version
  });
  if (isNew)
    return (
      <AdminOnly>
        <TemplateEditor template={null} />
      </AdminOnly>
    );
  if (!data) return error ? <LoadError error={error} onRetry={() => void refetch()} /> : <Loading />;
  return <TemplateEditor template={data} />;
}
