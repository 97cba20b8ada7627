import { language } from '../../texts/language';
import { type FormText, SectionForm, type SettingsForm } from './settings-fields';
import { PROVIDER_SECTIONS, type ProviderSection } from './use-settings-form';

/** The forms that the providers describe. The dashboard knows nothing else about a provider. */
const FORMS = Object.values(
  import.meta.glob<SettingsForm>('../../../../src/providers/*/settings-form.json', { eager: true, import: 'default' }),
);

export const PROVIDER_FORMS = Object.fromEntries(
  PROVIDER_SECTIONS.map((section) => [section, new SectionForm(FORMS, section)]),
) as Readonly<Record<ProviderSection, SectionForm>>;

export const inLanguage = (text: FormText): string => (typeof text === 'string' ? text : (text[language] ?? ''));
