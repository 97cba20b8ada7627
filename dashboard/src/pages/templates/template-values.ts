import type { Schemas } from '../../api/types';

/** A template or one of its versions. */
export type Saved = Pick<
  Schemas['TemplateResponse'],
  'version' | 'name' | 'subject' | 'html' | 'text' | 'sampleValues'
>;

export const valuesOf = (template: Saved | null) => ({
  name: template?.name ?? '',
  subject: template?.subject ?? '',
  html: template?.html ?? '',
  text: template?.text ?? '',
  /** The JSON text as edited. */
  sample: JSON.stringify(template?.sampleValues ?? {}, null, 2),
});

/** The values of the template form. */
export type TemplateValues = ReturnType<typeof valuesOf>;
