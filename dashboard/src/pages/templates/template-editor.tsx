import { Button, Grid, Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useNavigate } from 'react-router';

import { unwrap, api } from '../../api/client';
import type { Schemas } from '../../api/types';
import { useIsAdmin } from '../../app/use-is-admin';
import { PageHeader } from '../../components/page-header';
import { useAction } from '../../components/use-action';
import { useUnsavedGuard } from '../../components/use-unsaved-guard';
import { t } from '../../texts/text';
import { HistoryButton } from './history-button';
import { parseVariables } from './parse-variables';
import { placeholderNames } from './placeholder-names';
import { Preview } from './preview';
import { TemplateActions } from './template-actions';
import { TemplateFields } from './template-fields';
import { type TemplateValues, valuesOf } from './template-values';
import { templateWarnings } from './template-warnings';
import { useRendered } from './use-rendered';
import { useVariables } from './use-variables';
import { VariablesField } from './variables-field';
import { WarningsPanel } from './warnings-panel';

type Template = Schemas['TemplateResponse'];

export function TemplateEditor({ template }: { template: Template | null }) {
  const isAdmin = useIsAdmin();
  const navigate = useNavigate();
  const form = useForm({
    initialValues: valuesOf(template),
    validate: { sample: (json) => (parseVariables(json) ? null : t('common.invalid.json')) },
  });
  const variables = useVariables(form.values.sample);
  const guard = useUnsavedGuard(form.isDirty());
  const rendered = useRendered(form.values, variables);
  const names = placeholderNames(form.values);
  const offered = [...new Set([...names, ...Object.keys(variables), 'unsubscribeUrl'])].sort();
  const { html, text } = form.values;
  const warnings = templateWarnings({ html, text, renderedHtml: rendered.mail?.html ?? null });
  const show = (stored: Parameters<typeof valuesOf>[0]) => {
    form.setInitialValues(valuesOf(stored));
    form.reset();
  };
  const save = useAction({
    run: (values: TemplateValues) => unwrap(saved(template?.id, toBody(values))),
    successMessage: t('templates.saved'),
    invalidates: [['templates']],
    isErrorShownInForm: true,
    onSuccess: (stored) => {
      show(stored);
      guard.allowNavigation();
      if (!template) void navigate(`/templates/${stored.id}`, { replace: true });
    },
  });
  return (
    <form onSubmit={form.onSubmit((values) => save.mutate(values))}>
      <PageHeader
        title={template?.name ?? t('templates.new')}
        back={{ to: '/templates', label: t('common.section.templates') }}
        description={template && t('templates.id', { id: template.id })}
      >
        {template && <HistoryButton templateId={template.id} isDirty={form.isDirty()} onRestored={show} />}
        {isAdmin && template && <TemplateActions template={template} variables={variables} isDirty={form.isDirty()} />}
        {isAdmin && (
          <Button type="submit" loading={save.isPending} disabled={!form.isDirty()}>
            {t(template ? 'common.action.save' : 'common.action.create')}
          </Button>
        )}
      </PageHeader>
      <Grid gap="md">
        <Grid.Col span={{ base: 12, lg: 6 }}>
          <TemplateFields form={form} isAdmin={isAdmin} error={save.error} variables={offered} />
        </Grid.Col>
        <Grid.Col span={{ base: 12, lg: 6 }}>
          <Stack gap="md" className="beside">
            <WarningsPanel warnings={warnings} />
            <Preview rendered={rendered} />
            <VariablesField
              names={names}
              json={form.values.sample}
              onChange={(json) => form.setFieldValue('sample', json)}
            />
          </Stack>
        </Grid.Col>
      </Grid>
    </form>
  );
}

const toBody = ({ name, subject, html, text, sample }: TemplateValues): Schemas['CreateTemplateDto'] => ({
  name: name.trim(),
  subject,
  html: html || null,
  text: text || null,
  sampleValues: parseVariables(sample) ?? {},
});

const saved = (id: string | undefined, body: Schemas['CreateTemplateDto']) =>
  id === undefined
    ? api.POST('/api/templates', { body })
    : api.PATCH('/api/templates/{id}', { params: { path: { id } }, body });
