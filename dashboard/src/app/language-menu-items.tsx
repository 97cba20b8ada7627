import { Menu } from '@mantine/core';

import { language, LANGUAGES, type Language } from '../texts/language';
import { t } from '../texts/text';
import { changeLanguage } from './change-language';

export const LanguageMenuItems = () => (
  <Menu.RadioGroup value={language} onChange={(value) => changeLanguage(value as Language)}>
    <Menu.Label>{t('common.language')}</Menu.Label>
    {Object.entries(LANGUAGES).map(([value, label]) => (
      <Menu.RadioItem key={value} value={value} lang={value} closeMenuOnClick>
        {label}
      </Menu.RadioItem>
    ))}
  </Menu.RadioGroup>
);
