import { useForm } from '@mantine/form';
import { useState } from 'react';
import { useNavigate } from 'react-router';

import { unwrap, api } from '../../api/client';
import type { Schemas } from '../../api/types';
import { showStored } from '../../components/show-stored';
import { useAction } from '../../components/use-action';
import { UNGUARDED, useUnsavedGuard } from '../../components/use-unsaved-guard';
import { t } from '../../texts/text';
import { parseVariables } from './parse-variables';
import { type Saved, type TemplateValues, valuesOf } from './template-values';

/** The form of a template; null creates one. A template that is refetched is not shown before it is loaded. */
export function useTemplateForm(template: Schemas['TemplateResponse'] | null) {
  const navigate = useNavigate();
  /** The version that the form was last filled from. */
  const [base, setBase] = useState(template?.version ?? 0);
  const newest = Math.max(base, template?.version ?? 0);
  const form = useForm({
    initialValues: valuesOf(template),
    validate: { sample: (json) => (parseVariables(json) ? null : t('common.invalid.json')) },
  });
  useUnsavedGuard(form.isDirty());
  const fill = (stored: Saved, submitted: TemplateValues) => {
    setBase(stored.version);
    showStored(form, valuesOf(stored), submitted);
  };
  const save = useAction({
    run: (values: TemplateValues) =>
      unwrap(
        template
          ? api.PATCH('/api/templates/{id}', {
              params: { path: { id: template.id } },
              body: { ...toBody(values), version: newest },
            })
          : api.POST('/api/templates', { body: toBody(values) }),
      ),
    successMessage: t('templates.saved'),
    invalidates: [['templates']],
    refetchesOnConflict: true,
    isErrorShownInForm: true,
    onSuccess: (stored, submitted) => {
      fill(stored, submitted);
      if (!template) void navigate(`/templates/${stored.id}`, { replace: true, ...UNGUARDED });
    },
  });
  const load = (stored: Saved) => {
    fill(stored, form.getValues());
    save.reset();
  };
  return { form, save, load, base, newest };
}

const toBody = ({ name, subject, html, text, sample }: TemplateValues): Schemas['CreateTemplateDto'] => ({
  name: name.trim(),
  subject,
  html: html || null,
  text: text || null,
  sampleValues: parseVariables(sample) ?? {},
});
