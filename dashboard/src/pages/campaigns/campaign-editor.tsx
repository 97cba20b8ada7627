import { Button, Fieldset, Grid, Stack } from '@mantine/core';
import { useEffect, useMemo, useState } from 'react';

import { useIsAdmin } from '../../app/use-is-admin';
import { FormError } from '../../components/form-error';
import { PageHeader } from '../../components/page-header';
import { useReloaded } from '../../components/show-stored';
import { t } from '../../texts/text';
import type { Contact } from '../contacts/contact-status';
import { parseVariables } from '../templates/parse-variables';
import { Preview } from '../templates/preview';
import { AudienceCount } from './audience-count';
import { AudienceFields } from './audience-fields';
import { CampaignActions } from './campaign-actions';
import { type Campaign, CampaignStatus } from './campaign-status';
import { type CampaignValues, keepContent, ownBodies, placeFaults, valuesOf } from './campaign-values';
import { ChangedMeanwhile } from './changed-meanwhile';
import { ContactChoice } from './contact-choice';
import { ContentFields } from './content-fields';
import { ScheduleFields } from './schedule-fields';
import { SenderFields } from './sender-fields';
import { StartPanel } from './start-panel';
import { useCampaignForm } from './use-campaign-form';
import { useCampaignPreview } from './use-campaign-preview';
import { useEditedAudience } from './use-edited-audience';
import { useSenders } from './use-senders';
import { useTemplates } from './use-templates';

const NO_VARIABLES = {};

interface Props {
  campaign: Campaign | null;
  /** Called with whether there are unsaved changes. */
  onDirty?: (isDirty: boolean) => void;
  /** Called to show the current campaign and discard the edits. */
  onReload?: () => void;
}

/** Creates or edits a campaign that has not started. */
export default function CampaignEditor({ campaign, onDirty, onReload }: Props) {
  const isAdmin = useIsAdmin();
  const [contact, setContact] = useState<Contact | null>(null);
  const [isBusy, setBusy] = useState(false);
  const { form, save, isDirty, isOutdated, showFaults } = useCampaignForm(campaign, onReload);
  const { values } = form;
  const senders = useSenders();
  const templates = useTemplates(values.source === 'template' ? values.templateId : null);
  const audience = useEditedAudience(campaign, form, isOutdated);
  const loaded = valuesOf(campaign, form.getInitialValues().zone);
  useReloaded(form, loaded, save.isPending || audience.isSaving, keepContent);
  const variables = useVariables(values.variables);
  const rendered = useCampaignPreview(partsOf(values, templates.chosen), variables, contact);
  useEffect(() => onDirty?.(isDirty), [isDirty, onDirty]);
  return (
    <form noValidate onSubmit={form.onSubmit((edited) => save.mutate(edited))}>
      <PageHeader
        title={campaign?.name ?? t('campaigns.new')}
        back={{ to: '/campaigns', label: t('common.section.campaigns') }}
        description={campaign && <CampaignStatus value={campaign.status} />}
      >
        {isAdmin && campaign && <CampaignActions campaign={campaign} isDirty={isDirty} onBusy={setBusy} />}
        {isAdmin && (
          <Button type="submit" loading={save.isPending} disabled={!isDirty || isOutdated}>
            {t(campaign ? 'common.action.save' : 'campaigns.createDraft')}
          </Button>
        )}
      </PageHeader>
      {campaign && isOutdated && onReload && <ChangedMeanwhile status={campaign.status} onLoad={onReload} />}
      {/* After the creation, the page of the draft takes the place of this one, and of what is typed in it. */}
      <Grid gap="md" inert={!campaign && save.isPending}>
        <Grid.Col span={{ base: 12, lg: 6 }} inert={isBusy}>
          <Fieldset variant="unstyled" disabled={!isAdmin}>
            <Stack gap="md">
              <FormError error={unplaced(save.error, values)} />
              <SenderFields form={form} addresses={senders.addresses} />
              <ContentFields form={form} templates={templates} variables={variables} />
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
              isDirty={isDirty}
              {...{ senders, rendered, audience }}
              onRefused={showFaults}
              onBusy={setBusy}
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

/** The part of the error that is not shown at a field. */
function unplaced(error: Error | null, values: CampaignValues): Error | null {
  if (!error) return null;
  const { rest } = placeFaults(error.message, values);
  return rest === '' ? null : new Error(rest);
}
