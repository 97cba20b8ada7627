import { Group, Text } from '@mantine/core';
import { Link } from 'react-router';

import type { MessageDetail } from '../../api/types';
import { Address } from '../../components/address';
import { t } from '../../texts/text';
import { membersOf } from './group';
import { MessageStatus } from './message-status';

/** The recipients of a send. Each leads to the message to them. */
export const Recipients = ({ message }: { message: MessageDetail }) => (
  <ul className="plain-list">
    {membersOf(message).map(({ messageLogId, email, role, status }) => (
      <Group key={messageLogId} component="li" justify="space-between" align="flex-start" gap="sm" wrap="nowrap">
        <div className="break">
          {messageLogId === message.id ? (
            <Address>{email}</Address>
          ) : (
            <Link to={`/messages/${messageLogId}`} className="plain-link">
              <Address>{email}</Address>
            </Link>
          )}
          <Text c="dimmed" size="xs">
            {t(messageLogId === message.id ? `messages.role.${role}.this` : `messages.role.${role}`)}
          </Text>
        </div>
        <MessageStatus value={status} />
      </Group>
    ))}
  </ul>
);
