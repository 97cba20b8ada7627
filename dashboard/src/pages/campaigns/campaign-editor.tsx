import { Button, Fieldset, Grid, Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMemo, useState } from 'react';
import { useNavigate } from 'react-router';

import { unwrap, api } from '../../api/client';
import { useIsAdmin } from '../../app/use-is-admin';
import { FormError } from '../../components/form-error';
import { PageHeader } from '../../components/page-header';
import { showStored } from '../../components/show-stored';
import { UNGUARDED, useUnsavedGuard } from '../../components/use-unsaved-guard';
import { t } from '../../texts/text';
import type { Contact } from '../contacts/contact-status';
import { parseVariables } from '../templates/parse-variables';
import { Preview } from '../templates/preview';
import { AudienceCount } from './audience-count';
import { AudienceFields } from './audience-fields';
import { CampaignActions } from './campaign-actions';
import { type Campaign, CampaignStatus } from './campaign-status';
import { type CampaignValues, ownBodies, placeFaults, toBody, validate, valuesOf } from './campaign-values';
import { ContactChoice } from './contact-choice';
import { ContentFields } from './content-fields';
import { ScheduleFields } from './schedule-fields';
import { SenderFields } from './sender-fields';
import { StartPanel } from './start-panel';
import { useCampaignAction } from './use-campaign-action';
import { useCampaignPreview } from './use-campaign-preview';
import { useEditedAudience } from './use-edited-audience';
import { useSenders } from './use-senders';
import { useTemplates } from './use-templates';

const NO_VARIABLES = {};

/** Creates or edits a campaign that has not started. */
export default function CampaignEditor({ campaign }: { campaign: Campaign | null }) {
  const isAdmin = useIsAdmin();
  const navigate = useNavigate();
  const [contact, setContact] = useState<Contact | null>(null);
  const form = useForm<CampaignValues>({ initialValues: valuesOf(campaign), validate });
  const { values } = form;
  const senders = useSenders();
  const templates = useTemplates(values.source === 'template' ? values.templateId : null);
  const audience = useEditedAudience(campaign, form);
  const rendered = useCampaignPreview(partsOf(values, templates.chosen), useVariables(values.variables), contact);
  useUnsavedGuard(form.isDirty());
  const showFaults = (error: Error) => {
    const { fields } = placeFaults(error.message, values);
    form.setErrors(fields);
  };
  const save = useCampaignAction({
    run: (edited: CampaignValues) => unwrap(saved(campaign?.id, edited)).catch(rethrowAfter(showFaults)),
    successMessage: t(campaign ? 'campaigns.saved' : 'campaigns.created'),
    isErrorShownInForm: true,
    onSuccess: (stored, submitted) => {
      showStored(form, valuesOf(stored, submitted.zone), submitted);
      if (!campaign) void navigate(`/campaigns/${stored.id}`, { replace: true, ...UNGUARDED });
    },
  });
  return (
    <form noValidate onSubmit={form.onSubmit((edited) => save.mutate(edited))}>
      <PageHeader
        title={campaign?.name ?? t('campaigns.new')}
        back={{ to: '/campaigns', label: t('common.section.campaigns') }}
        description={campaign && <CampaignStatus value={campaign.status} />}
      >
        {isAdmin && campaign && <CampaignActions campaign={campaign} isDirty={form.isDirty()} />}
        {isAdmin && (
          <Button type="submit" loading={save.isPending} disabled={!form.isDirty()}>
            {t(campaign ? 'common.action.save' : 'campaigns.createDraft')}
          </Button>
        )}
      </PageHeader>
      {/* After the creation, the page of the draft takes the place of this one, and of what is typed in it. */}
      <Grid gap="md" inert={!campaign && save.isPending}>
        <Grid.Col span={{ base: 12, lg: 6 }}>
          <Fieldset variant="unstyled" disabled={!isAdmin}>
            <Stack gap="md">
              <FormError error={unplaced(save.error, values)} />
              <SenderFields form={form} addresses={senders.addresses} />
              <ContentFields form={form} templates={templates} />
              <AudienceFields
                form={form}
                isSavedAtOnce={isAdmin && audience.isSavedAtOnce}
                count={<AudienceCount {...audience} />}
              />
              <ScheduleFields form={form} />
            </Stack>
          </Fieldset>
        </Grid.Col>
        <Grid.Col span={{ base: 12, lg: 6 }}>
          <Stack gap="md">
            <StartPanel
              campaign={campaign}
              values={values}
              isDirty={form.isDirty()}
              {...{ senders, rendered, audience }}
              onRefused={showFaults}
            />
            <Preview rendered={rendered}>
              <ContactChoice value={contact} onChange={setContact} listId={values.audience.listIds[0]} />
            </Preview>
          </Stack>
        </Grid.Col>
      </Grid>
    </form>
  );
}

/** The parts that are sent: the campaign's own, and those of its template. */
function partsOf(values: CampaignValues, template: ReturnType<typeof useTemplates>['chosen']) {
  const { html, text } = ownBodies(values);
  return {
    subject: values.subject || (template?.subject ?? ''),
    html: html || (template?.html ?? ''),
    text: text || (template?.text ?? ''),
  };
}

/** While the JSON is not valid, the preview is rendered without variables. */
const useVariables = (json: string): Record<string, unknown> =>
  useMemo(() => parseVariables(json) ?? NO_VARIABLES, [json]);

const saved = (id: string | undefined, edited: CampaignValues) =>
  id === undefined
    ? api.POST('/api/campaigns', { body: toBody(edited) })
    : api.PATCH('/api/campaigns/{id}', { params: { path: { id } }, body: toBody(edited) });

const rethrowAfter =
  (report: (error: Error) => void) =>
  (error: unknown): never => {
    report(error as Error);
    throw error;
  };

/** What is left of an error whose other faults are shown at their fields. */
function unplaced(error: Error | null, values: CampaignValues): Error | null {
  if (!error) return null;
  const { rest } = placeFaults(error.message, values);
  return rest === '' ? null : new Error(rest);
}
