import type { UseFormReturnType } from '@mantine/form';

/**
 * Shows in a form what a save has stored. Fields that were edited after they had been submitted keep their values and
 * stay unsaved.
 */
export function showStored<Values extends object>(form: UseFormReturnType<Values>, stored: Values, submitted: Values) {
  const before: Partial<Record<string, unknown>> = { ...submitted };
  const isEdited = ([name, value]: [string, unknown]) => JSON.stringify(value) !== JSON.stringify(before[name]);
  const edited = Object.fromEntries(Object.entries(form.getValues()).filter(isEdited)) as Partial<Values>;
  form.setInitialValues(stored);
  form.resetDirty(stored);
  form.setValues({ ...stored, ...edited });
}
