import { DescriptionList } from '../../components/description-list';
import { Panel } from '../../components/panel';
import { t } from '../../texts/text';
import type { SignupForm } from './form-values';

export const StatsPanel = ({ stats }: Pick<SignupForm, 'stats'>) => (
  <Panel title={t('forms.stats.title')} description={t('forms.stats.description')}>
    <DescriptionList
      items={[
        [t('forms.column.submitted'), t('forms.count', { count: stats.submitted })],
        [t('forms.column.confirmed'), t('forms.count', { count: stats.confirmed })],
      ]}
    />
  </Panel>
);
