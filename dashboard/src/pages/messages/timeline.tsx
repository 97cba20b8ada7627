import { Text, Timeline as MantineTimeline } from '@mantine/core';
import {
  Ban,
  Check,
  CircleAlert,
  CircleX,
  Clock,
  Eye,
  type LucideIcon,
  MailCheck,
  MousePointerClick,
  Send,
  ThumbsDown,
} from 'lucide-react';

import type { MessageDetail, Schemas } from '../../api/types';
import { toLabel } from '../../components/status';
import { Time } from '../../components/time';

type Event = Schemas['EmailEventResponse'];

const EVENT_ICONS: Readonly<Record<Event['type'], { icon: LucideIcon; colour: string }>> = {
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

export function Timeline({ message: { createdAt, scheduledAt, events } }: { message: MessageDetail }) {
  return (
    <MantineTimeline active={events.length} bulletSize={26} lineWidth={2} color="gray">
      <MantineTimeline.Item bullet={<Check size={14} aria-hidden />} title="Accepted">
        <EventTime at={createdAt} />
        {scheduledAt !== null && (
          <Text size="xs">
            Scheduled for <Time value={scheduledAt} format="precise" />
          </Text>
        )}
      </MantineTimeline.Item>
      {events.map((event) => {
        const { icon: Icon, colour } = EVENT_ICONS[event.type];
        return (
          <MantineTimeline.Item
            key={event.id}
            bullet={<Icon size={14} aria-hidden />}
            color={`${colour}.8`}
            title={toLabel(event.type)}
          >
            <EventTime at={event.occurredAt} />
            <EventData event={event} />
          </MantineTimeline.Item>
        );
      })}
    </MantineTimeline>
  );
}

const EventTime = ({ at }: { at: string }) => (
  <Text size="xs" c="dimmed">
    <Time value={at} format="precise" />
  </Text>
);

/** The details of an event, as recorded. */
const EventData = ({ event: { data } }: { event: Event }) =>
  Object.entries(data).map(([name, value]) => (
    <Text key={name} size="xs" className="break">
      <Text span size="xs" c="dimmed">
        {name}:
      </Text>{' '}
      {typeof value === 'string' ? value : JSON.stringify(value)}
    </Text>
  ));
