import type { Schemas } from '../../api/types';

export const valuesOf = (template: Schemas['TemplateResponse'] | null) => ({
  name: template?.name ?? '',
  subject: template?.subject ?? '',
  html: template?.html ?? '',
  text: template?.text ?? '',
});

/** The values of the template form. */
export type TemplateValues = ReturnType<typeof valuesOf>;
