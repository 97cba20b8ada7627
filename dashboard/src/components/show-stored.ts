import type { UseFormReturnType } from '@mantine/form';
import { useEffect, useRef } from 'react';

import { changedFields } from './changed-fields';

/** Selects the values that a form keeps when it shows `stored`: at least those edited since it showed `former`. */
export type Keep<Values> = (edited: Partial<Values>, shown: Values, stored: Values, former: Values) => Partial<Values>;

/**
 * Shows in a form what a save has stored. Fields that were edited after they had been submitted keep their values and
 * stay unsaved.
 */
export function showStored<Values extends object>(
  form: UseFormReturnType<Values>,
  stored: Values,
  submitted: Values,
  keep: Keep<Values> = (edited) => edited,
) {
  const shown = form.getValues();
  const kept = keep(changedFields(submitted, shown), shown, stored, submitted);
  form.setInitialValues(stored);
  form.resetDirty(stored);
  form.setValues({ ...stored, ...kept });
}

/**
 * Shows in a form what has been loaded anew: the page may first have shown what it knew from an earlier visit. Unsaved
 * changes stay. During a save nothing is shown, because the form is to compare its response with what was submitted.
 */
export function useReloaded<Values extends object>(
  form: UseFormReturnType<Values>,
  loaded: Values,
  isSaving: boolean,
  keep?: Keep<Values>,
) {
  const json = JSON.stringify(loaded);
  const shown = useRef(json);
  useEffect(() => {
    if (isSaving || shown.current === json) return;
    shown.current = json;
    showStored(form, loaded, form.getInitialValues(), keep);
    // eslint-disable-next-line react-hooks/exhaustive-deps -- `json` stands for `loaded`; the form is read when it runs
  }, [json, isSaving]);
}
