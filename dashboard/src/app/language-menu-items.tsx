import { Menu } from '@mantine/core';
import { Check } from 'lucide-react';

import { chooseLanguage, language, LANGUAGES, type Language } from '../texts/language';
import { t } from '../texts/text';

export const LanguageMenuItems = () => (
  <>
    <Menu.Label>{t('common.language')}</Menu.Label>
    {(Object.keys(LANGUAGES) as Language[]).map((value) => (
      <Menu.Item
        key={value}
        lang={value}
        rightSection={value === language && <Check size={15} aria-label={t('common.selected')} />}
        onClick={() => chooseLanguage(value)}
      >
        {LANGUAGES[value]}
      </Menu.Item>
    ))}
  </>
);
