import { Menu } from '@mantine/core';

import { chooseLanguage, language, LANGUAGES, type Language } from '../texts/language';
import { t } from '../texts/text';

export const LanguageMenuItems = () => (
  <Menu.RadioGroup value={language} onChange={(value) => chooseLanguage(value as Language)}>
    <Menu.Label>{t('common.language')}</Menu.Label>
    {Object.entries(LANGUAGES).map(([value, label]) => (
      <Menu.RadioItem key={value} value={value} lang={value} closeMenuOnClick>
        {label}
      </Menu.RadioItem>
    ))}
  </Menu.RadioGroup>
);
