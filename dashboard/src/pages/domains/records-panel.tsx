import './records-panel.css';

import { Accordion, Badge, Group, List, SegmentedControl, Text } from '@mantine/core';
import { useState } from 'react';

import type { Schemas } from '../../api/types';
import { CopyButton } from '../../components/copy-button';
import { CopyableValue } from '../../components/copyable-value';
import { type Column, DataTable } from '../../components/data-table';
import { Panel } from '../../components/panel';
import { t } from '../../texts/text';
import { DNS_PROVIDERS } from './dns-providers';
import { type DnsRecord, hasValue, relativeName, relevantValues, zoneFile } from './dns-records';
import { type Published, usePublishedRecords } from './use-published-records';

type Domain = Schemas['DomainResponse'];

interface Props {
  domain: Domain;
  isLive: boolean;
}

/** The records to publish, beside the values that DNS has now. */
export default function RecordsPanel({ domain, isLive }: Props) {
  const [names, setNames] = useState('short');
  const published = usePublishedRecords(domain.id, isLive);
  const { registeredDomain, records } = domain;
  return (
    <Panel
      isFlush
      title={t('domains.records')}
      description={t('domains.records.description', { domain: registeredDomain })}
      actions={
        <CopyButton
          value={zoneFile(records)}
          label={t('domains.records.copyAll')}
          text={t('domains.records.copyAll')}
        />
      }
    >
      <Group className="records-bar" gap="sm">
        <SegmentedControl
          size="xs"
          aria-label={t('domains.records.names')}
          value={names}
          onChange={setNames}
          data={[
            { value: 'short', label: t('domains.records.names.short') },
            { value: 'full', label: t('domains.records.names.full') },
          ]}
        />
        <Text size="xs" c="dimmed">
          {names === 'short'
            ? t('domains.records.names.short.description', { domain: registeredDomain })
            : t('domains.records.names.full.description')}
        </Text>
      </Group>
      <DataTable
        caption={t('domains.records')}
        columns={columnsOf(domain, names === 'short', published)}
        rows={records}
        keyOf={({ type, name, value }) => `${type} ${name} ${value}`}
      />
      <Providers />
    </Panel>
  );
}

function columnsOf(domain: Domain, isShort: boolean, published: Published): Column<DnsRecord>[] {
  const nameOf = (name: string) => (isShort ? relativeName(name, domain.registeredDomain) : name);
  return [
    { header: 'common.column.type', cell: ({ type }) => <span className="mono">{type}</span>, width: '4.5rem' },
    {
      header: 'common.column.name',
      cell: ({ name }) => (
        <CopyableValue value={nameOf(name)} label={t('domains.records.copyName', { name: nameOf(name) })} />
      ),
      width: '14rem',
    },
    { header: 'domains.column.expected', cell: (record) => <Expected record={record} /> },
    {
      header: 'domains.column.found',
      cell: (record) => <Found record={record} domain={domain} published={published} />,
    },
  ];
}

const CHECK_OF = { dkim: 'dkim', spf: 'spf', mail_from: 'mailFrom' } as const;

/** The check may accept other values: any mail exchanger, or an SPF record with more in it. */
const isAccepted = (domain: Domain, { purpose }: DnsRecord): boolean => {
  const { status, detail } = domain[CHECK_OF[purpose]];
  return status === 'verified' && detail === null;
};

const Expected = ({ record: { name, value, priority } }: { record: DnsRecord }) => (
  <div>
    <CopyableValue value={value} label={t('domains.records.copyValue', { name })} />
    {priority !== undefined && (
      <Text size="xs" c="dimmed">
        {t('domains.records.priority', { priority })}
      </Text>
    )}
  </div>
);

interface FoundProps {
  record: DnsRecord;
  domain: Domain;
  published: Published;
}

function Found({ record, domain, published: { items, isFailed } }: FoundProps) {
  const { type, name } = record;
  const item = items?.find((one) => one.type === type && one.name === name);
  if (!item) return <Text c="dimmed">{t(isFailed ? 'common.error.load' : 'domains.records.found.pending')}</Text>;
  if (item.values === null) return <Text c="dimmed">{t('domains.records.found.noAnswer')}</Text>;
  const values = relevantValues(record, item.values);
  if (values.length === 0) return <Result of="missing" />;
  if (hasValue(record, values) && values.length === 1) return <Result of="same" />;
  return (
    <div className="found">
      <Result of={isAccepted(domain, record) ? 'sufficient' : 'different'} />
      {values.map((value, i) => (
        <span key={i} className="mono found-value">
          {value}
        </span>
      ))}
    </div>
  );
}

const COLOURS = { same: 'teal', sufficient: 'teal', different: 'yellow', missing: 'red' } as const;

const Result = ({ of }: { of: keyof typeof COLOURS }) => (
  <Badge variant="outline" color={COLOURS[of]} className="found-badge">
    {t(`domains.records.found.${of}`)}
  </Badge>
);

const Providers = () => (
  <Accordion chevronPosition="left" className="dns-providers" variant="filled">
    {DNS_PROVIDERS.map(({ id, name, steps }) => (
      <Accordion.Item key={id} value={id}>
        <Accordion.Control>
          {t('domains.records.howTo', { provider: name ?? t('domains.provider.other') })}
        </Accordion.Control>
        <Accordion.Panel>
          <List type="ordered" size="sm" spacing={4}>
            {steps.map((step) => (
              <List.Item key={step}>{t(step)}</List.Item>
            ))}
          </List>
        </Accordion.Panel>
      </Accordion.Item>
    ))}
  </Accordion>
);
