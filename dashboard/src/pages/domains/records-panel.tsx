import './records-panel.css';

import { Accordion, Badge, Group, List, SegmentedControl, Text } from '@mantine/core';
import { useState } from 'react';

import type { Schemas } from '../../api/types';
import { CopyButton } from '../../components/copy-button';
import { type Column, DataTable } from '../../components/data-table';
import { Panel } from '../../components/panel';
import { DNS_PROVIDERS } from './dns-providers';
import { type DnsRecord, hasValue, relativeName, relevantValues, zoneFile } from './dns-records';
import { usePublishedRecords } from './use-published-records';

type Domain = Schemas['DomainResponse'];
type Published = Schemas['PublishedRecordsResponse'];

interface Props {
  domain: Domain;
  isLive: boolean;
}

/** The records to publish, beside what DNS has now. */
export default function RecordsPanel({ domain, isLive }: Props) {
  const [names, setNames] = useState('short');
  const published = usePublishedRecords(domain.id, isLive);
  const { registeredDomain, records } = domain;
  return (
    <Panel
      isFlush
      title="DNS records"
      description={`Add these records to the DNS of ${registeredDomain}. Changes can take hours to become visible everywhere.`}
      actions={<CopyButton value={zoneFile(records)} label="Copy all as zone file" text="Copy all as zone file" />}
    >
      <Group className="records-bar" gap="sm">
        <SegmentedControl
          size="xs"
          aria-label="Names of the records"
          value={names}
          onChange={setNames}
          data={[
            { value: 'short', label: 'Short names' },
            { value: 'full', label: 'Full names' },
          ]}
        />
        <Text size="xs" c="dimmed">
          {names === 'short'
            ? `As most DNS panels want them: without ${registeredDomain}, which is @.`
            : 'For panels and tools that want the whole name.'}
        </Text>
      </Group>
      <DataTable
        caption="DNS records"
        columns={columnsOf(domain, names === 'short', published)}
        rows={records}
        keyOf={({ type, name, value }) => `${type} ${name} ${value}`}
      />
      <Providers />
    </Panel>
  );
}

function columnsOf(domain: Domain, isShort: boolean, published: Published | undefined): Column<DnsRecord>[] {
  const nameOf = (name: string) => (isShort ? relativeName(name, domain.registeredDomain) : name);
  return [
    { header: 'Type', cell: ({ type }) => <span className="mono">{type}</span>, width: '4.5rem' },
    {
      header: 'Name',
      cell: ({ name }) => <Copyable value={nameOf(name)} label={`Copy the name ${nameOf(name)}`} />,
      width: '14rem',
    },
    { header: 'Expected', cell: (record) => <Expected record={record} /> },
    { header: 'Found', cell: (record) => <Found record={record} domain={domain} published={published} /> },
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
    <Copyable value={value} label={`Copy the value of ${name}`} />
    {priority !== undefined && (
      <Text size="xs" c="dimmed">
        Priority {priority}
      </Text>
    )}
  </div>
);

interface FoundProps {
  record: DnsRecord;
  domain: Domain;
  published: Published | undefined;
}

function Found({ record, domain, published }: FoundProps) {
  const { type, name } = record;
  const item = published?.items.find((one) => one.type === type && one.name === name);
  if (!item) return <Text c="dimmed">Looking it up …</Text>;
  if (item.values === null) return <Text c="dimmed">DNS did not answer.</Text>;
  const values = relevantValues(record, item.values);
  if (values.length === 0) return <Badge {...BADGES.missing} />;
  if (hasValue(record, values) && values.length === 1) return <Badge {...BADGES.same} />;
  return (
    <div className="found">
      <Badge {...(isAccepted(domain, record) ? BADGES.sufficient : BADGES.different)} />
      {values.map((value, i) => (
        <span key={i} className="mono found-value">
          {value}
        </span>
      ))}
    </div>
  );
}

const BADGES = {
  same: { variant: 'outline', color: 'teal', children: 'As expected', className: 'found-badge' },
  sufficient: { variant: 'outline', color: 'teal', children: 'Sufficient', className: 'found-badge' },
  different: { variant: 'outline', color: 'yellow', children: 'Differs', className: 'found-badge' },
  missing: { variant: 'outline', color: 'red', children: 'Not found', className: 'found-badge' },
} as const;

const Copyable = ({ value, label }: { value: string; label: string }) => (
  <span className="copied">
    <span className="mono">{value}</span>
    <CopyButton value={value} label={label} />
  </span>
);

const Providers = () => (
  <Accordion chevronPosition="left" className="dns-providers" variant="filled">
    {DNS_PROVIDERS.map(({ name, steps }) => (
      <Accordion.Item key={name} value={name}>
        <Accordion.Control>How to add them: {name}</Accordion.Control>
        <Accordion.Panel>
          <List type="ordered" size="sm" spacing={4}>
            {steps.map((step) => (
              <List.Item key={step}>{step}</List.Item>
            ))}
          </List>
        </Accordion.Panel>
      </Accordion.Item>
    ))}
  </Accordion>
);
