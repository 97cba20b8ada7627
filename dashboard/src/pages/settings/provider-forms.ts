import { language } from '../../texts/language';
import { type FormText, SectionForm, type SettingsForm } from './settings-fields';
import type { ProviderSection } from './use-settings-form';

/** What the providers describe of their settings, which is all that the dashboard knows of a provider. */
const FORMS = Object.values(
  import.meta.glob<SettingsForm>('../../../../src/providers/*/settings-form.json', { eager: true, import: 'default' }),
);

export const PROVIDER_FORMS: Readonly<Record<ProviderSection, SectionForm>> = {
  smtp: new SectionForm(FORMS, 'smtp'),
  ses: new SectionForm(FORMS, 'ses'),
  sms: new SectionForm(FORMS, 'sms'),
};

export const inLanguage = (text: FormText): string => (typeof text === 'string' ? text : (text[language] ?? ''));
