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
  /** As edited: JSON. */
  sample: JSON.stringify(template?.sampleValues ?? {}, null, 2),
});

/** What the form of a template holds. */
export type TemplateValues = ReturnType<typeof valuesOf>;
