import './timeline.css';

import { Text, Timeline as MantineTimeline } from '@mantine/core';
import {
  Ban,
  Check,
  CircleAlert,
  CircleX,
  Clock,
  Eye,
  Hourglass,
  type LucideIcon,
  MailCheck,
  MousePointerClick,
  Send,
  ThumbsDown,
} from 'lucide-react';

import type { MessageDetail } from '../../api/types';
import { Time } from '../../components/time';
import { RichText } from '../../texts/rich-text';
import { t } from '../../texts/text';
import { type TimelineEntry, timelineOf } from './timeline-entries';

const ICONS: Readonly<Record<TimelineEntry['kind'], { icon: LucideIcon; colour: string }>> = {
  accepted: { icon: Check, colour: 'gray' },
  upcoming: { icon: Hourglass, colour: 'gray' },
  sent: { icon: Send, colour: 'teal' },
  delivered: { icon: MailCheck, colour: 'teal' },
  opened: { icon: Eye, colour: 'indigo' },
  clicked: { icon: MousePointerClick, colour: 'indigo' },
  delayed: { icon: Clock, colour: 'yellow' },
  bounced: { icon: CircleAlert, colour: 'red' },
  complained: { icon: ThumbsDown, colour: 'red' },
  failed: { icon: CircleX, colour: 'red' },
  canceled: { icon: Ban, colour: 'gray' },
};

export function Timeline({ message }: { message: MessageDetail }) {
  const entries = timelineOf(message);
  const over = entries.filter(({ kind }) => kind !== 'upcoming');
  return (
    <MantineTimeline active={over.length - 1} bulletSize={26} lineWidth={2} color="gray">
      {entries.map((entry) => {
        const { icon: Icon, colour } = ICONS[entry.kind];
        return (
          <MantineTimeline.Item
            key={entry.id}
            bullet={<Icon size={14} aria-hidden />}
            color={`${colour}.8`}
            title={entry.title}
            lineVariant={entry.kind === 'upcoming' ? 'dashed' : 'solid'}
          >
            <EntryDetails entry={entry} />
          </MantineTimeline.Item>
        );
      })}
    </MantineTimeline>
  );
}

const EntryDetails = ({ entry: { kind, at, since, notes, facts } }: { entry: TimelineEntry }) => (
  <>
    <Text size="xs" c="dimmed">
      {kind === 'upcoming' ? (
        <RichText id="messages.timeline.notBefore" values={{ time: <Time value={at} format="precise" /> }} />
      ) : (
        <Time value={at} format="precise" />
      )}
      {since !== null && ` · ${t('messages.timeline.later', { time: since })}`}
    </Text>
    {notes.map((note) => (
      <Text key={note} size="xs">
        {note}
      </Text>
    ))}
    {facts.length > 0 && (
      <dl className="event-facts">
        {facts.map(({ label, value, kind: kindOfFact }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd className={kindOfFact === 'code' ? 'mono' : undefined}>
              {kindOfFact === 'time' ? <Time value={value} format="precise" /> : value}
            </dd>
          </div>
        ))}
      </dl>
    )}
  </>
);
