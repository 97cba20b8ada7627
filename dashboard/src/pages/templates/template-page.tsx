import { useQuery } from '@tanstack/react-query';
import { useParams } from 'react-router';

import { answerOf, api } from '../../api/client';
import { Failure, Loading } from '../../components/states';
import { TemplateEditor } from './template-editor';

/** One template, or at `new` one that is to be. */
export default function TemplatePage() {
  const { id = '' } = useParams();
  const isNew = id === 'new';
  const { data, error, refetch } = useQuery({
    queryKey: ['templates', id],
    queryFn: ({ signal }) => answerOf(api.GET('/api/templates/{id}', { params: { path: { id } }, signal })),
    enabled: !isNew,
    refetchOnWindowFocus: false,
  });
  if (isNew) return <TemplateEditor key="new" template={null} />;
  if (!data) return error ? <Failure error={error} onRetry={() => void refetch()} /> : <Loading />;
  return <TemplateEditor key={data.id} template={data} />;
}
