import { DEFAULT_SUBJECT, type FormPlan } from '../domain/form.js';
import type { ChangeFormDto, CreateFormDto } from './dto/write-form.dto.js';

const DEFAULTS = {
  ...{ listIds: [], topicIds: [], fields: [], fromName: null, allowedOrigins: [] },
  ...{ confirmationSubject: DEFAULT_SUBJECT, confirmationTemplateId: null, welcomeTemplateId: null },
  ...({ redirectUrl: null, confirmedUrl: null, challenge: 'altcha', status: 'active' } as const),
};

export function toPlan(body: CreateFormDto): FormPlan {
  const { name, wording, fromEmail } = body;
  return { ...DEFAULTS, ...toChanges(body), name, wording, fromEmail: fromEmail.trim() };
}

/** Leaves out the fields that are absent. */
export function toChanges({ confirmation, welcome, ...body }: ChangeFormDto): Partial<FormPlan> {
  const changes = {
    ...body,
    fromEmail: body.fromEmail?.trim(),
    confirmationSubject: confirmation?.subject,
    confirmationTemplateId: confirmation?.templateId,
    welcomeTemplateId: welcome === null ? null : welcome?.templateId,
  };
  return Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
}
