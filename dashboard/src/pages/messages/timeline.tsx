import { Text, Timeline as Line } from '@mantine/core';
import {
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

import type { Schemas } from '../../api/types';
import { inWords } from '../../components/status';
import { Time } from '../../components/time';

type Event = Schemas['EmailEventResponse'];

const KINDS: Readonly<Record<Event['type'], { icon: LucideIcon; colour: string }>> = {
  sent: { icon: Send, colour: 'teal' },
  delivered: { icon: MailCheck, colour: 'teal' },
  opened: { icon: Eye, colour: 'indigo' },
  clicked: { icon: MousePointerClick, colour: 'indigo' },
  delayed: { icon: Clock, colour: 'yellow' },
  bounced: { icon: CircleAlert, colour: 'red' },
  complained: { icon: ThumbsDown, colour: 'red' },
  failed: { icon: CircleX, colour: 'red' },
};

export function Timeline({ message: { createdAt, events } }: { message: Schemas['MessageDetailResponse'] }) {
  return (
    <Line active={events.length} bulletSize={26} lineWidth={2} color="gray">
      <Line.Item bullet={<Check size={14} aria-hidden />} title="Accepted">
        <Moment at={createdAt} />
      </Line.Item>
      {events.map((event) => {
        const { icon: Icon, colour } = KINDS[event.type];
        return (
          <Line.Item
            key={event.id}
            bullet={<Icon size={14} aria-hidden />}
            color={`${colour}.8`}
            title={inWords(event.type)}
          >
            <Moment at={event.occurredAt} />
            <EventData event={event} />
          </Line.Item>
        );
      })}
    </Line>
  );
}

const Moment = ({ at }: { at: string }) => (
  <Text size="xs" c="dimmed">
    <Time value={at} format="precise" />
  </Text>
);

/** What the provider told, each fact under its own name. */
const EventData = ({ event: { data } }: { event: Event }) =>
  Object.entries(data).map(([name, value]) => (
    <Text key={name} size="xs" className="break">
      <Text span size="xs" c="dimmed">
        {name}:
      </Text>{' '}
      {typeof value === 'string' ? value : JSON.stringify(value)}
    </Text>
  ));
