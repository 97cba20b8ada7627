import { Button, Grid, Stack } from '@mantine/core';

import { ApiError } from '../../api/client';
import type { Schemas } from '../../api/types';
import { useIsAdmin } from '../../app/use-is-admin';
import { PageHeader } from '../../components/page-header';
import { t } from '../../texts/text';
import { HistoryButton } from './history-button';
import { NewerVersion } from './newer-version';
import { offeredNames, placeholderNames } from './placeholder-names';
import { Preview } from './preview';
import { TemplateActions } from './template-actions';
import { TemplateFields } from './template-fields';
import { templateWarnings } from './template-warnings';
import { useRendered } from './use-rendered';
import { useTemplateForm } from './use-template-form';
import { useVariables } from './use-variables';
import { VariablesField } from './variables-field';
import { WarningsPanel } from './warnings-panel';

type Template = Schemas['TemplateResponse'];

export function TemplateEditor({ template }: { template: Template | null }) {
  const isAdmin = useIsAdmin();
  const { form, save, load, base, newest } = useTemplateForm(template);
  const isOutdated = newest > base;
  const isConflict = save.error instanceof ApiError && save.error.status === 409;
  const variables = useVariables(form.values.sample);
  const rendered = useRendered(form.values, variables);
  const names = placeholderNames(form.values);
  const offered = offeredNames(form.values, Object.keys(variables));
  const { html, text } = form.values;
  const warnings = templateWarnings({ html, text, renderedHtml: rendered.mail?.html ?? null });
  return (
    <form onSubmit={form.onSubmit((values) => save.mutate(values))}>
      <PageHeader
        title={template?.name ?? t('templates.new')}
        back={{ to: '/templates', label: t('common.section.templates') }}
        description={template && t('templates.id', { id: template.id })}
      >
        {template && <HistoryButton templateId={template.id} isDirty={form.isDirty()} onRestored={load} />}
        {isAdmin && template && <TemplateActions template={template} variables={variables} isDirty={form.isDirty()} />}
        {isAdmin && (
          <Button type="submit" loading={save.isPending} disabled={!form.isDirty() || isOutdated}>
            {t(template ? 'common.action.save' : 'templates.create')}
          </Button>
        )}
      </PageHeader>
      {template && isOutdated && (
        <NewerVersion
          base={base}
          newest={newest}
          isDirty={form.isDirty()}
          canSave={isAdmin && form.isDirty()}
          isSaving={save.isPending}
          onLoad={() => load(template)}
        />
      )}
      {/* After the creation, the page of the new template takes the place of this one, and of what is typed in it. */}
      <Grid gap="md" inert={!template && save.isPending}>
        <Grid.Col span={{ base: 12, lg: 6 }}>
          <TemplateFields
            form={form}
            isAdmin={isAdmin}
            error={isOutdated && isConflict ? null : save.error}
            variables={offered}
          />
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
