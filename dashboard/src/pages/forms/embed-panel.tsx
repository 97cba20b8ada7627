import { Anchor, Stack, Text } from '@mantine/core';

import { Panel } from '../../components/panel';
import { Snippet } from '../../components/snippet';
import { t } from '../../texts/text';
import { embedCode, pageOf } from './embed-code';
import type { SignupForm } from './form-values';

/** The code that embeds the form in a page, and a link to the form. */
export function EmbedPanel({ form: { id, allowedOrigins } }: { form: SignupForm }) {
  return (
    <Panel title={t('forms.embed.title')} description={t('forms.embed.description')}>
      <Stack gap="sm">
        <Snippet label={t('forms.embed.copy')} text={embedCode(id)} />
        {allowedOrigins.length === 0 && <Text size="sm">{t('forms.embed.noOrigins')}</Text>}
        <Anchor href={pageOf(id)} target="_blank" rel="noreferrer" size="sm">
          {t('forms.embed.open')}
        </Anchor>
      </Stack>
    </Panel>
  );
}
