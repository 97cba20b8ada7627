import { useLiveMessages } from '../../app/use-live-messages';
import { lazyPart } from '../../components/lazy-part';
import { PageHeader } from '../../components/page-header';
import { t } from '../../texts/text';
import { Statistics } from './statistics';
import { useFirstRun } from './use-first-run';

/** Loaded on demand because most accounts have messages. */
const FirstRun = lazyPart(() => import('./first-run'));

export default function OverviewPage() {
  useLiveMessages();
  const { isEmpty, isShown, hide } = useFirstRun();
  const checklist = isShown && <FirstRun onHide={isEmpty === false ? hide : undefined} />;
  if (isEmpty)
    return (
      <>
        <PageHeader title={t('common.section.overview')} description={t('overview.empty')} />
        {checklist}
      </>
    );
  return <Statistics>{checklist}</Statistics>;
}
