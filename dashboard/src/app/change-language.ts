import { notifications } from '@mantine/notifications';

import { type Language, rememberLanguage } from '../texts/language';
import { t } from '../texts/text';

/**
 * Reloads the page in the chosen language: its URL holds its state, and unsaved edits are asked about. A browser that
 * cannot store the choice would load the same language again: then a notification says why it stays.
 */
export function changeLanguage(chosen: Language): void {
  if (rememberLanguage(chosen)) location.reload();
  else
    notifications.show({
      id: 'language-not-kept',
      color: 'red',
      title: t('common.language.notKept.title'),
      message: t('common.language.notKept'),
    });
}
