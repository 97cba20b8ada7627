import { Blockquote, Modal, Stack } from '@mantine/core';
import { Link } from 'react-router';

import type { Schemas } from '../../api/types';
import { CopyableValue } from '../../components/copyable-value';
import { DescriptionList } from '../../components/description-list';
import { Time } from '../../components/time';
import { useReturnFocus } from '../../components/use-return-focus';
import { t } from '../../texts/text';
import { TopicLink } from '../topics/topic-name';

/** One record, with the words that the person agreed to as they were then. */
export default function ConsentProof({
  consent,
  onClose,
}: {
  consent: Schemas['ConsentResponse'];
  onClose: () => void;
}) {
  useReturnFocus();
  const { id, address, action, purpose, topicId, source, occurredAt, recordedAt, wording, actor } = consent;
  const { ip, userAgent, evidence, formId, messageLogId } = consent;
  return (
    <Modal opened onClose={onClose} title={t('contacts.consent.proof', { address })} size="lg">
      <Stack>
        {wording && (
          <Blockquote
            p="md"
            cite={
              wording.version === null ? undefined : t('contacts.consent.wordingVersion', { version: wording.version })
            }
            style={{ whiteSpace: 'pre-wrap' }}
          >
            {wording.text}
          </Blockquote>
        )}
        <DescriptionList
          items={[
            [t('contacts.column.what'), t(`contacts.consent.action.${action}`)],
            [t('contacts.column.purpose'), t(`contacts.consent.purpose.${purpose}`)],
            [t('contacts.consent.topic'), topicId && <TopicLink key="topic" id={topicId} />],
            [t('contacts.column.when'), <Time key="when" value={occurredAt} format="precise" />],
            [t('contacts.consent.recorded'), <Time key="recorded" value={recordedAt} format="precise" />],
            [t('contacts.column.how'), t(`common.consentSource.${source}`)],
            [t('contacts.consent.actor'), t(`contacts.consent.actor.${actor.type}`)],
            [t('contacts.consent.words'), wording === null ? t('contacts.consent.noWords') : null],
            [t('contacts.consent.ip'), ip],
            [t('contacts.consent.userAgent'), userAgent],
            [t('contacts.consent.evidence'), evidence],
            [t('contacts.consent.form'), formId],
            [
              t('contacts.consent.message'),
              messageLogId === null ? null : (
                <Link key="message" to={`/messages/${messageLogId}`} className="plain-link">
                  {t('contacts.consent.viewMessage')}
                </Link>
              ),
            ],
            [t('contacts.consent.id'), <CopyableValue key="id" value={id} label={t('contacts.consent.copyId')} />],
          ]}
        />
      </Stack>
    </Modal>
  );
}
