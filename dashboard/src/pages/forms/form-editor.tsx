import { Button, Fieldset, Grid, Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useNavigate } from 'react-router';

import { unwrap, api } from '../../api/client';
import type { Schemas } from '../../api/types';
import { useIsAdmin } from '../../app/use-is-admin';
import { changedFields } from '../../components/changed-fields';
import { DangerButton } from '../../components/danger-button';
import { FormError } from '../../components/form-error';
import { lazyPart } from '../../components/lazy-part';
import { PageHeader } from '../../components/page-header';
import { showStored } from '../../components/show-stored';
import { useAction } from '../../components/use-action';
import { UNGUARDED, useUnsavedGuard } from '../../components/use-unsaved-guard';
import { t } from '../../texts/text';
import { EmbedPanel } from './embed-panel';
import { FormFields } from './form-fields';
import { FormPreview } from './form-preview';
import { type FormValues, type SignupForm, toBody, valuesOf } from './form-values';
import { StatsPanel } from './stats-panel';

/** Loaded after the page, which would be too large with it. */
const MailFields = lazyPart(() => import('./mail-fields'));

/** Creates a form, or changes one, beside a preview of its page. */
export function FormEditor({ stored }: { stored: SignupForm | null }) {
  const isAdmin = useIsAdmin();
  const { form, save } = useFormForm(stored);
  return (
    <form onSubmit={form.onSubmit((values) => save.mutate(values))}>
      <PageHeader
        title={stored?.name ?? t('forms.new')}
        back={{ to: '/forms', label: t('common.section.forms') }}
        description={stored && t('forms.id', { id: stored.id })}
      >
        {isAdmin && stored && <Delete form={stored} />}
        {isAdmin && (
          <Button type="submit" loading={save.isPending} disabled={!form.isDirty()}>
            {t(stored ? 'common.action.save' : 'forms.create')}
          </Button>
        )}
      </PageHeader>
      <Grid gap="md" inert={!stored && save.isPending}>
        <Grid.Col span={{ base: 12, lg: 6 }}>
          <Fieldset variant="unstyled" disabled={!isAdmin}>
            <Stack gap="md">
              <FormError error={save.error} />
              <FormFields form={form} />
              <MailFields form={form} />
            </Stack>
          </Fieldset>
        </Grid.Col>
        <Grid.Col span={{ base: 12, lg: 6 }}>
          <Stack gap="md" className="beside">
            {stored && <StatsPanel stats={stored.stats} />}
            <FormPreview values={form.values} />
            {stored && <EmbedPanel form={stored} />}
          </Stack>
        </Grid.Col>
      </Grid>
    </form>
  );
}

function useFormForm(stored: SignupForm | null) {
  const navigate = useNavigate();
  const form = useForm<FormValues>({ initialValues: valuesOf(stored) });
  useUnsavedGuard(form.isDirty());
  const save = useAction({
    run: (values: FormValues) => {
      const body = toBody(values);
      return unwrap(
        stored
          ? api.PATCH('/api/forms/{id}', {
              params: { path: { id: stored.id } },
              body: changedFields<Schemas['CreateFormDto']>(toBody(form.getInitialValues()), body),
            })
          : api.POST('/api/forms', { body }),
      );
    },
    successMessage: t('forms.saved'),
    invalidates: [['forms']],
    isErrorShownInForm: true,
    onSuccess: (saved, submitted) => {
      showStored(form, valuesOf(saved), submitted);
      if (!stored) void navigate(`/forms/${saved.id}`, { replace: true, ...UNGUARDED });
    },
  });
  return { form, save };
}

function Delete({ form: { id, name } }: { form: SignupForm }) {
  const navigate = useNavigate();
  const remove = useAction({
    run: () => unwrap(api.DELETE('/api/forms/{id}', { params: { path: { id } } })),
    successMessage: t('common.deleted', { name }),
    invalidates: [['forms', 'list']],
    onSuccess: () => void navigate('/forms', UNGUARDED),
  });
  return (
    <DangerButton
      label={t('common.action.delete')}
      title={t('common.delete.title', { name })}
      confirm={t('forms.delete.confirm')}
      isBusy={remove.isPending}
      onConfirm={remove.mutate}
    >
      {t('forms.delete.text')}
    </DangerButton>
  );
}
