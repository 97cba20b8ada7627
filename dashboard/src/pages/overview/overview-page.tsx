import { lazy, Suspense } from 'react';

import { useLiveMessages } from '../../app/use-live-messages';
import { PageHeader } from '../../components/page-header';
import { Loading } from '../../components/states';
import { t } from '../../texts/text';
import { Statistics } from './statistics';
import { useFirstRun } from './use-first-run';

/** Loaded on demand because most accounts have messages. */
const FirstRun = lazy(() => import('./first-run'));

export default function OverviewPage() {
  useLiveMessages();
  const { isEmpty, isShown, hide } = useFirstRun();
  const checklist = isShown && (
    <Suspense fallback={<Loading />}>
      <FirstRun onHide={isEmpty === false ? hide : undefined} />
    </Suspense>
  );
  if (isEmpty)
    return (
      <>
        <PageHeader title={t('common.section.overview')} description={t('overview.empty')} />
        {checklist}
      </>
    );
  return <Statistics>{checklist}</Statistics>;
}
