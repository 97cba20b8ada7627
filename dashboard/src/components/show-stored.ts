import type { UseFormReturnType } from '@mantine/form';
import { useEffect, useRef } from 'react';

import { changedFields } from './changed-fields';

/**
 * Shows in a form what a save has stored. Fields that were edited after they had been submitted keep their values and
 * stay unsaved.
 */
export function showStored<Values extends object>(form: UseFormReturnType<Values>, stored: Values, submitted: Values) {
  const edited = changedFields(submitted, form.getValues());
  form.setInitialValues(stored);
  form.resetDirty(stored);
  form.setValues({ ...stored, ...edited });
}

/**
 * Shows in a form what has been loaded anew: the page may first have shown what it knew from an earlier visit. Unsaved
 * changes stay. During a save nothing is shown, because the form is to compare its response with what was submitted.
 */
export function useReloaded<Values extends object>(form: UseFormReturnType<Values>, loaded: Values, isSaving: boolean) {
  const json = JSON.stringify(loaded);
  const shown = useRef(json);
  useEffect(() => {
    if (isSaving || shown.current === json) return;
    shown.current = json;
    showStored(form, loaded, form.getInitialValues());
    // eslint-disable-next-line react-hooks/exhaustive-deps -- `json` stands for `loaded`; the form is read when it runs
  }, [json, isSaving]);
}
