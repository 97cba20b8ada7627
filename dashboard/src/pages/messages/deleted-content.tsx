import { Empty } from '../../components/states';
import { t } from '../../texts/text';

export const DeletedContent = () => (
  <Empty title={t('messages.content.deleted')}>{t('messages.content.deletedText')}</Empty>
);
