import type { UseFormReturnType } from '@mantine/form';

import type { Schemas } from '../../api/types';
import { t } from '../../texts/text';

export type SignupForm = Schemas['FormResponse'];

export const FIELDS: readonly SignupForm['fields'][number][] = ['firstName', 'lastName', 'company'];

export interface FormValues {
  name: string;
  wording: string;
  fields: string[];
  listIds: string[];
  topicIds: string[];
  fromEmail: string;
  fromName: string;
  subject: string;
  confirmationTemplateId: string | null;
  welcomeTemplateId: string | null;
  redirectUrl: string;
  confirmedUrl: string;
  allowedOrigins: string[];
  hasChallenge: boolean;
  isActive: boolean;
}

export type FormOfForm = UseFormReturnType<FormValues>;

/** The values of a form, or those that a new one starts with. */
export const valuesOf = (form: SignupForm | null): FormValues => ({
  name: form?.name ?? '',
  wording: form?.wording ?? '',
  fields: form?.fields ?? [],
  listIds: form?.listIds ?? [],
  topicIds: form?.topicIds ?? [],
  fromEmail: form?.fromEmail ?? '',
  fromName: form?.fromName ?? '',
  subject: form?.confirmation.subject ?? t('forms.subject.default'),
  confirmationTemplateId: form?.confirmation.templateId ?? null,
  welcomeTemplateId: form?.welcome?.templateId ?? null,
  redirectUrl: form?.redirectUrl ?? '',
  confirmedUrl: form?.confirmedUrl ?? '',
  allowedOrigins: form?.allowedOrigins ?? [],
  hasChallenge: form?.challenge !== 'none',
  isActive: form?.status !== 'disabled',
});

export const toBody = (values: FormValues): Schemas['CreateFormDto'] => ({
  name: values.name.trim(),
  wording: values.wording.trim(),
  fields: FIELDS.filter((field) => values.fields.includes(field)),
  listIds: values.listIds,
  topicIds: values.topicIds,
  fromEmail: values.fromEmail.trim(),
  fromName: values.fromName.trim() || null,
  confirmation: { subject: values.subject.trim(), templateId: values.confirmationTemplateId },
  welcome: values.welcomeTemplateId === null ? null : { templateId: values.welcomeTemplateId },
  redirectUrl: values.redirectUrl.trim() || null,
  confirmedUrl: values.confirmedUrl.trim() || null,
  allowedOrigins: values.allowedOrigins.map((origin) => origin.trim()),
  challenge: values.hasChallenge ? 'altcha' : 'none',
  status: values.isActive ? 'active' : 'disabled',
});
